import type { ResourceErrorCode } from '@causeway/contract/errors'
import type { AccountData, CardDetails } from './account-data.js'
import type { EntityData } from './entity-data.js'
import type { Feed } from './feed.js'
import type { Call } from './ports.js'

/** One debt that the network knows of. Amounts in cents, percentages as numbers (27.5). */
export interface Liability {
  /** The network's own name for it; opaque, never shown. */
  reference: string
  mch_id: string
  type: string
  sub_type: string | null
  name: string
  mask: string | null
  ownership: 'primary' | 'authorized' | 'joint' | 'unknown'
  /** 40 hex digits, the same for the same debt of different holders. */
  fingerprint: string
  /** `closed` ones are connected too, and can't be paid. */
  status: 'active' | 'closed'
  /** True if a payment can reach it: now, once the full number is known, or never. */
  payable: 'yes' | 'needs_number' | 'no'
  /** Names of the products its institution supports, such as `balance` and `update`. */
  supports: string[]
  /** The number that is known to the network, or null. */
  number: string | null
  /** The known details of a card beside its number; null for accounts that are not cards. */
  card: CardDetails | null
}

export interface Merchant {
  id: string
  parent_name: string
  name: string
  logo: string
  type: string
  provider_ids: { plaid: string[]; mx: string[]; finicity: string[]; dpp: string[] }
  is_temp: boolean
  account_number_formats: string[]
  /** Its name in credit reports; never shown. */
  creditor_names: string[]
}

export type Failed = { status: 'failed'; code: ResourceErrorCode }

/** Institutions and bureaus: what a person owes, and to whom. */
export interface Network extends AccountData, EntityData, Feed {
  /** All debts of a person, by the reference that matching gave. */
  discover(call: Call & { person: string }): Promise<{ status: 'completed'; liabilities: Liability[] } | Failed>
  /** Cents owed now. */
  balance(call: Call & { account: string }): Promise<{ status: 'completed'; amount: number } | Failed>
  /** The block of the liability's type; `as_of` epoch milliseconds. */
  update(
    call: Call & { account: string; source: 'direct' | 'snapshot' },
  ): Promise<{ status: 'completed'; as_of: number; data: Record<string, unknown> } | Failed>
  /** True if a full number belongs to the account. `verified` makes a `needs_number` account payable. */
  verifyNumber(call: Call & { account: string; number: string }): Promise<{ status: 'verified' } | Failed>
  /** A debt that the customer names by merchant and number; null where the merchant is not known. */
  describe(call: Call & { mch_id: string; number: string }): Promise<Liability | null>
  /** Known merchants among these ids; all of them where none are given. Never throws: it is a table that every process holds. */
  merchants(ids?: readonly string[]): Merchant[]
}
