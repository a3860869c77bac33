import { transactionProduct } from '@causeway/contract/products/transaction'
import { forDebt, forFound, isProven, unverified } from '../account-rules.js'
import type { AccountOffer } from '../product.js'
import { changing } from '../watch.js'
import { hearTransaction } from './postings.js'
import { showTransaction, transactionsOf } from './store.js'

/**
 * Card purchases, which are read-only and recorded only while the account is subscribed. The routes are defined in
 * routes.ts in this folder.
 */
export const transaction: AccountOffer = {
  holder: 'account',
  name: transactionProduct.name,
  shares: transactionProduct.shares,
  onlySubscribed: true,
  subscriptions: [
    {
      name: 'transaction',
      availability: (team, account) => forFound(team, account, { supports: 'transaction', proven: 'network' }),
      watch: changing('transaction', (_scope, { id }, change) => ({
        at: change.at,
        keep: (scope, _account, subscription) => hearTransaction(scope, id, change, subscription),
      })),
    },
  ],
  lists: {
    fields: Object.keys(transactionProduct.expanded),
    async load(scope, accounts) {
      const bought = await transactionsOf(scope, accounts)
      return new Map([...bought].map(([account, rows]) => [account, rows.map(showTransaction)]))
    },
  },
  // Listed as a product only once the account can use it. Until then, only its subscription is listed, as restricted.
  availability: (team, account) => {
    const general = forDebt(team, account, { supports: 'transaction' })
    return general.status === 'unavailable' || isProven(account, 'network')
      ? general
      : unverified('unavailable', 'network')
  },
}
