import type { Failed } from './port.js'
import type { Call } from './ports.js'

/**
 * The known details of a card besides its number. The verification value is not among them, because it is never stored.
 */
export interface CardDetails {
  /** Two digits. */
  exp_month: string | null
  /** Four digits. */
  exp_year: string | null
  billing_zip_code: string | null
}

/** A design of a card product. Rates are in percent, fees in cents. */
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

/** The value of an attribute; null if too little is known of the account to compute it. */
export type AttributeValue = string | number | boolean | null

/**
 * Data that institutions and card networks have about an account, by the reference that `discover` or `describe`
 * returned.
 */
export interface AccountData {
  /** Returns the amount that settles a loan within `term` days, in cents. */
  payoff(
    call: Call & { account: string },
  ): Promise<{ status: 'completed'; amount: number; term: number | null; per_diem_amount: number | null } | Failed>
  /** Returns the ids of the card's designs, which `cardProducts` lists. */
  cardBrand(call: Call & { account: string }): Promise<{ status: 'completed'; brands: string[] } | Failed>
  /** Returns every card product. Never throws, because every process has the table in memory. */
  cardProducts(): readonly CardProduct[]
  /** Returns the full number, and the details on a card. */
  sensitive(
    call: Call & { account: string },
  ): Promise<({ status: 'completed'; number: string | null } & CardDetails) | Failed>
  /** Returns those of the named attributes that it can compute. */
  attributes(
    call: Call & { account: string; names: readonly string[] },
  ): Promise<{ status: 'completed'; values: Record<string, AttributeValue> } | Failed>
  /**
   * Creates an instrument that moves money from or to the account. The same `request_id` always returns the same
   * instrument.
   */
  instrument(
    call: Call & { account: string; type: InstrumentType },
  ): Promise<{ status: 'completed'; chargeable: boolean; data: Record<string, string | null> } | Failed>
  /** Returns how the network verified a bank account, or null. A verified account needs no verification session. */
  vouch(call: Call & { routing: string; number: string }): Promise<'auto_verify' | 'trusted_provisioner' | null>
  /** Sends two small deposits to a bank account, in cents. */
  deposit(
    call: Call & { routing: string; number: string; amounts: readonly [number, number] },
  ): Promise<{ status: 'sent' } | Failed>
  /**
   * Checks the details on a card. A field that passed before is null and is not checked again. `number`: false if the
   * number is not the account's; `accepted`: true if everything that was checked is correct.
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
/** The result for each field; null if it was not checked. */
export interface CardChecks {
  exp: CheckResult | null
  cvv: CheckResult | null
  billing_zip_code: CheckResult | null
}
