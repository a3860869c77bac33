import { transactionProduct } from '@causeway/contract/products/transaction'
import { forConnectedDebt, forDebt, isProven, verificationMissing } from '../../holders/account-rules.js'
import type { AccountOffer } from '../../holders/product.js'
import { changeFeed } from '../change-feeds.js'
import { storePurchase } from './postings.js'
import { latestTransactions, showTransaction } from './store.js'

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
      availability: (team, account) => forConnectedDebt(team, account, { supports: 'transaction', proven: 'network' }),
      feed: changeFeed('transaction', (_scope, { id }, change) => ({
        at: change.at,
        store: (scope, _account, subscription) => storePurchase(scope, id, change, subscription),
      })),
    },
  ],
  lists: {
    fields: Object.keys(transactionProduct.expanded),
    async load(scope, accounts) {
      const bought = await latestTransactions(scope, accounts)
      return new Map([...bought].map(([account, rows]) => [account, rows.map(showTransaction)]))
    },
  },
  // Listed as a product only once the account can use it. Until then, only its subscription is listed, as restricted.
  availability: (team, account) => {
    const general = forDebt(team, account, { supports: 'transaction' })
    return general.status === 'unavailable' || isProven(account, 'network')
      ? general
      : verificationMissing('unavailable', 'network')
  },
}
