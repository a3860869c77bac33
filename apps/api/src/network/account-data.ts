import type { Call } from '../ports.js'
import type { Failed } from './port.js'

/** What stands on a card beside its number, as far as it is known. Never its verification value, which nobody keeps. */
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

/** What institutions and card networks tell of one account, by the reference that `discover` or `describe` gave. */
export interface AccountData {
  /** What would settle a loan within `term` days. Cents. */
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
}
