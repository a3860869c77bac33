import type { Change } from '../../network/feed.js'
import type { AccountRow } from '../accounts/account.js'
import { renumber } from '../accounts/renumber.js'
import type { Found } from './product.js'

/** Stores a replaced card's new number before storing the change. */
export function reissued(change: Extract<Change, { type: 'card' }>, found: Found<AccountRow>): Found<AccountRow> {
  return {
    ...found,
    async keep(scope, before, subscription) {
      const account = await renumber(scope, before, change.number)
      return found.keep(scope, account, subscription)
    },
  }
}
