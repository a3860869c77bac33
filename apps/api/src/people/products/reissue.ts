import type { NetworkChange } from '@causeway/connector/ports/feed'
import { updateNumber } from '../accounts/renumber.js'
import type { AccountRow } from '../holders/account.js'
import type { FeedChange } from '../holders/product.js'

/** Stores the replacement card's number, then the change itself. */
export function storeReissuedCard(
  change: Extract<NetworkChange, { type: 'card' }>,
  recordChange: FeedChange<AccountRow>,
): FeedChange<AccountRow> {
  return {
    ...recordChange,
    async store(scope, before, subscription) {
      const account = await updateNumber(scope, before, change.number)
      return recordChange.store(scope, account, subscription)
    },
  }
}
