import type { Change } from '../../network/feed.js'
import type { AccountRow } from '../accounts/account.js'
import { renumber } from '../accounts/renumber.js'
import type { Found } from './product.js'

/** Stores a replaced card's new number before storing the change. */
export function reissued(change: Extract<Change, { type: 'card' }>, found: Found<never>): Found<never> {
  return {
    ...found,
    async keep(scope, holder, subscription) {
      const account = await renumber(scope, holder as unknown as AccountRow, change.number)
      return found.keep(scope, account as never, subscription)
    },
  }
}
