import type { Failed } from './port.js'
import type { Call } from './ports.js'

/**
 * The details of a card beside its number, as far as they are known. Never its verification value, which is never
 * stored.
 */
export interface CardDetails {
  /** Two digits. */
  exp_month: string | null
  /** Four digits. */
  exp_year: string | null
  billing_zip_code: string | null
}

/** One design of a card product. Rates in percent, fees in cents. */
export interface CardBrand {
  id: string
  description: string
  network: 'visa' | 'mastercard' | 'amex' | 'discover'
  network_tier: string
  image: string
  details: Record<string, unknown> | null
}

export interface CardProduct {
  id: string
  name: string
  issuer: string
  type: 'specific' | 'generic' | 'in_review'
  brands: CardBrand[]
  /** ISO 8601. */
  created_at: string
  updated_at: string
}

export type InstrumentType = 'card' | 'network_token' | 'inbound_achwire_payment'

/** A value of an attribute; null: too little is known of the account to compute it. */
export type AttributeValue = string | number | boolean | null

/**
 * The data of institutions and card networks about one account, by the reference that `discover` or `describe` gave.
 */
export interface AccountData {
  /** The amount that would settle a loan within `term` days, in cents. */
  payoff(
    call: Call & { account: string },
  ): Promise<{ status: 'completed'; amount: number; term: number | null; per_diem_amount: number | null } | Failed>
  /** Ids of the designs that the card has, of products that `cardProducts` holds. */
  cardBrand(call: Call & { account: string }): Promise<{ status: 'completed'; brands: string[] } | Failed>
  /** Every card product. Never throws: it is a table that every process holds. */
  cardProducts(): readonly CardProduct[]
  /** The full number, and what stands on a card. */
  sensitive(
    call: Call & { account: string },
  ): Promise<({ status: 'completed'; number: string | null } & CardDetails) | Failed>
  /** Those of the named attributes that it can compute. */
  attributes(
    call: Call & { account: string; names: readonly string[] },
  ): Promise<{ status: 'completed'; values: Record<string, AttributeValue> } | Failed>
  /** Makes an instrument that moves money from or to the account; the same one for the same `request_id`. */
  instrument(
    call: Call & { account: string; type: InstrumentType },
  ): Promise<{ status: 'completed'; chargeable: boolean; data: Record<string, string | null> } | Failed>
  /** The network's own proof of a bank account, if it has one: the account is verified from the start. */
  vouch(call: Call & { routing: string; number: string }): Promise<'auto_verify' | 'trusted_provisioner' | null>
  /** Sends two small deposits to a bank account, in cents. */
  deposit(
    call: Call & { routing: string; number: string; amounts: readonly [number, number] },
  ): Promise<{ status: 'sent' } | Failed>
  /**
   * True if what stands on a card is right. A field that passed before is null and not asked again. `number` false: it
   * is not the account's; `accepted`: everything that was asked is right.
   */
  checkCard(
    call: Call & { account: string; by: CardCheck; number: string } & {
      exp_month: string
      exp_year: string
      cvv: string | null
      billing_zip_code: string | null
    },
  ): Promise<{ status: 'checked'; number: boolean; accepted: boolean; checks: CardChecks } | Failed>
}

/** The way a card is checked: by its number and expiry, by a charge that is refunded, or by the card network. */
export type CardCheck = 'instant' | 'pre_auth' | 'network'
type CheckResult = 'pass' | 'fail' | 'unavailable'
/** Null: not asked. */
export interface CardChecks {
  exp: CheckResult | null
  cvv: CheckResult | null
  billing_zip_code: CheckResult | null
}
