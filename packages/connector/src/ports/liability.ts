import type { CardDetails } from './account-data.js'

/** A debt that the network has on record. Amounts are in cents, and percentages are numbers such as 27.5. */
export interface Liability {
  /** The network's opaque reference. Never shown to API clients. */
  reference: string
  mch_id: string
  type: string
  sub_type: string | null
  name: string
  mask: string | null
  ownership: 'primary' | 'authorized' | 'joint' | 'unknown'
  /** 40 hex digits. A shared debt has the same fingerprint for all of its holders. */
  fingerprint: string
  /** `closed` debts are connected too, but they can't be paid. */
  status: 'active' | 'closed'
  /**
   * Indicates whether a payment can reach the debt. `yes`: always. `needs_number`: only after the full number is known.
   * `no`: never.
   */
  payable: 'yes' | 'needs_number' | 'no'
  /** Names of the products that the debt's institution supports, such as `balance` and `update`. */
  supports: string[]
  /** The account number, or null if the network does not have it. */
  number: string | null
  /** The known details of a card besides its number. Null for accounts that are not cards. */
  card: CardDetails | null
}
