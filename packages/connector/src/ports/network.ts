import type { ResourceErrorCode } from '@causeway/contract/errors'
import type { AccountData, CardDetails } from './account-data.js'
import type { PortCall } from './call.js'
import type { EntityData } from './entity-data.js'
import type { Feed } from './feed.js'

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

export interface Merchant {
  id: string
  parent_name: string
  name: string
  logo: string
  type: string
  provider_ids: { plaid: string[]; mx: string[]; finicity: string[]; dpp: string[] }
  is_temp: boolean
  account_number_formats: string[]
  /** The institution's names in credit reports. Never shown to API clients. */
  creditor_names: string[]
}

/** The credit bureau that the network queries. People may need the bureau's contact details. */
export interface Bureau {
  name: string
  phone: string | null
  /** The page on which people can manage a credit freeze. */
  url: string | null
}

export type Failure = { status: 'failed'; code: ResourceErrorCode }

/** The institutions and bureaus that have records of a person's debts. */
export interface Network extends AccountData, EntityData, Feed {
  /** Returns all of a person's debts. `person` is the reference that matching returned. */
  discover(call: PortCall & { person: string }): Promise<{ status: 'completed'; liabilities: Liability[] } | Failure>
  /** Returns the amount currently owed, in cents. */
  balance(call: PortCall & { account: string }): Promise<{ status: 'completed'; amount: number } | Failure>
  /** Returns the update block for the liability's type. `as_of` is in epoch milliseconds. */
  update(
    call: PortCall & { account: string; source: 'direct' | 'snapshot' },
  ): Promise<{ status: 'completed'; as_of: number; data: Record<string, unknown> } | Failure>
  /** Checks whether a full number belongs to the account. If it does, a `needs_number` account becomes payable. */
  verifyNumber(call: PortCall & { account: string; number: string }): Promise<{ status: 'verified' } | Failure>
  /** Returns a debt that the customer identifies by merchant and number, or null if the merchant is unknown. */
  describe(call: PortCall & { mch_id: string; number: string }): Promise<Liability | null>
  /**
   * Returns the known merchants that have these ids, or all merchants if no ids are given. Never throws, because every
   * process holds the merchant table in memory.
   */
  merchants(ids?: readonly string[]): Merchant[]
  /** Returns the credit bureau, or null if the network does not name one. Never throws. */
  bureau(): Bureau | null
  /** Returns a merchant's logo if this process renders it. Returns null if the logo must be loaded from its URL. */
  logo?(merchant: string): { body: string; type: string } | null
}
