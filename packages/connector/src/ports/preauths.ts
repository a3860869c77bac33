import type { cardStandings, ownershipResults } from '@causeway/contract/resources/preauth'
import type { Failure, PortCall } from './call.js'

/** A card that the network may not know, and what is known about its owner. */
export interface PreauthCard {
  /** Six digits. */
  bin6: string
  /** Four digits. */
  last4: string
  first_name: string | null
  last_name: string | null
  phone: string | null
  zip: string | null
}

export interface PreauthPurchase {
  /** In cents. */
  amount: number
  mcc: string
  ip_address: string
  /** In epoch milliseconds. */
  at: number
}

/** What the network expects of charges to cards. */
export interface Preauths {
  /** Returns what the network expects of a charge. Either `account`, a reference, or `card` is given. */
  preauth(
    call: PortCall & { account: string | null; card: PreauthCard | null; purchase: PreauthPurchase | null },
  ): Promise<
    | {
        status: 'completed'
        ownership: (typeof ownershipResults)[number]
        standing: (typeof cardStandings)[number] | null
        /** From 0 to 1. */
        likelihood: number | null
        /** In epoch milliseconds. */
        retry_at: number | null
      }
    | Failure
    | { status: 'unavailable' }
  >
}
