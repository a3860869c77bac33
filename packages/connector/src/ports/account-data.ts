import type { cardChecks } from '@causeway/contract/methods/card'
import type { vouchedTypes } from '@causeway/contract/methods/vouched'
import type { Failure, PortCall } from './call.js'

/**
 * The known details of a card besides its number. The verification value is not included, because it is never stored.
 */
export interface CardDetails {
  /** Two digits. */
  exp_month: string | null
  /** Four digits. */
  exp_year: string | null
  billing_zip_code: string | null
}

/** A card product's design. Rates are in percent, fees in cents. */
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

/** The value of an attribute. Null if too little is known about the account to compute it. */
export type AttributeValue = string | number | boolean | null

/**
 * Data that institutions and card networks have about an account. The account is identified by the reference that
 * `discover` or `describe` returned.
 */
export interface AccountData {
  /** Returns the amount that settles a loan within `term` days, in cents. */
  payoff(
    call: PortCall & { account: string },
  ): Promise<{ status: 'completed'; amount: number; term: number | null; per_diem_amount: number | null } | Failure>
  /** Returns the ids of the card's designs. `cardProducts` lists the designs. */
  cardBrand(call: PortCall & { account: string }): Promise<{ status: 'completed'; brands: string[] } | Failure>
  /** Returns every card product. Never throws, because every process keeps the table in memory. */
  cardProducts(): readonly CardProduct[]
  /** Returns the full number and the card's details. */
  sensitive(
    call: PortCall & { account: string },
  ): Promise<({ status: 'completed'; number: string | null } & CardDetails) | Failure>
  /** Returns the values of the named attributes that can be computed. */
  attributes(
    call: PortCall & { account: string; names: readonly string[] },
  ): Promise<{ status: 'completed'; values: Record<string, AttributeValue> } | Failure>
  /**
   * Creates an instrument that moves money from or to the account. Calls with the same `request_id` return the same
   * instrument.
   */
  instrument(
    call: PortCall & { account: string; type: InstrumentType },
  ): Promise<{ status: 'completed'; chargeable: boolean; data: Record<string, string | null> } | Failure>
  /**
   * Returns how the network verified a bank account, or null if it did not. A verified account needs no verification
   * session.
   */
  vouch(call: PortCall & { routing: string; number: string }): Promise<VouchedType | null>
  /** Sends two small deposits, with amounts in cents, to a bank account. */
  deposit(
    call: PortCall & { routing: string; number: string; amounts: readonly [number, number] },
  ): Promise<{ status: 'sent'; transfers?: string[]; next_at?: number } | Failure>
  /**
   * Returns whether the deposits of this `request_id` came back, and the rail's own code for the return. `next_at` is the
   * time to ask again, in epoch milliseconds, or null.
   */
  depositStatus(
    call: PortCall,
  ): Promise<{ status: 'sent'; next_at: number | null } | { status: 'returned'; code: string }>
  /**
   * Checks a card's details. A field that passed an earlier check is null and is not checked again. `number` is false
   * if the number does not belong to the account. `accepted` is true if the number belongs to the account and no
   * checked field fails.
   */
  checkCard(
    call: PortCall & { account: string; by: CardCheck; number: string } & {
      exp_month: string
      exp_year: string
      cvv: string | null
      billing_zip_code: string | null
    },
  ): Promise<{ status: 'checked'; number: boolean; accepted: boolean; checks: CardChecks } | Failure>
}

/** The method by which the network verified an account. */
export type VouchedType = (typeof vouchedTypes)[number]
/** The method used to check a card: its number and expiration date, a refunded charge, or the card network. */
type CardCheck = (typeof cardChecks)[number]
type CheckResult = 'pass' | 'fail' | 'unavailable'
/** The result for each field. Null if the field was not checked. */
export interface CardChecks {
  exp: CheckResult | null
  cvv: CheckResult | null
  billing_zip_code: CheckResult | null
}
