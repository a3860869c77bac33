import type { AccountData } from './account-data.js'
import type { Failure, PortCall } from './call.js'
import type { CreditReports } from './credit-reports.js'
import type { EntityData } from './entity-data.js'
import type { Feed } from './feed.js'
import type { Liability } from './liability.js'
import type { Links } from './links.js'
import type { Preauths } from './preauths.js'

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

/** The institutions and bureaus that have records of a person's debts. */
export interface Network extends AccountData, CreditReports, EntityData, Feed, Links, Preauths {
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
  /**
   * Returns the credit bureau, null if the network does not name it, or undefined if the network queries no bureau. Never
   * throws.
   */
  bureau(): Bureau | null | undefined
  /**
   * Returns a merchant's logo or the art of a card design if this process draws it. Returns null if the image must be
   * loaded from its URL.
   */
  drawing?(id: string): { body: string; type: string } | null
}
