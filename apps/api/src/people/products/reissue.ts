import type { Change } from '../../network/feed.js'
import type { AccountRow } from '../accounts/account.js'
import { renumber } from '../accounts/renumber.js'
import type { Found } from './product.js'

/** Stores the replacement card's number, then the change itself. */
export function reissued(change: Extract<Change, { type: 'card' }>, found: Found<AccountRow>): Found<AccountRow> {
  return {
    ...found,
    async keep(scope, before, subscription) {
      const account = await renumber(scope, before, change.number)
      return found.keep(scope, account, subscription)
    },
  }
}
