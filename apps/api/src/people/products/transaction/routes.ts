import { transactions } from '@causeway/contract/products/transaction'
import { implement } from '../../../platform/http/endpoint/implement.js'
import { page } from '../../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../../platform/http/endpoint/route.js'
import { orNotFound } from '../../../platform/rows.js'
import type { Ctx } from '../../../platform/scope.js'
import type { AccountRow } from '../../holders/account.js'
import { requireAgreed } from '../../holders/consent-rules.js'
import { productAvailability, requireAvailable, subscriptionNames } from '../../holders/product-rules.js'
import { findAccount } from '../../holders/store.js'
import { findRecord } from '../../records/store.js'
import { transaction } from './product.js'
import { latestTransactions, showTransaction, TRANSACTION } from './store.js'

/** Finds the account named in a path. Throws unless the account is subscribed, has transactions, or can be enrolled. */
async function findReadableAccount(ctx: Ctx, id: string): Promise<AccountRow> {
  const account = orNotFound(await findAccount(ctx, id))
  requireAgreed(account, TRANSACTION)
  if (subscriptionNames(account).includes(TRANSACTION)) return account
  if (account.withdrawn_at !== null || (await latestTransactions(ctx, [account.id])).size === 0)
    requireAvailable(productAvailability(ctx, transaction, account))
  return account
}

export const transactionRoutes: Route[] = [
  implement(transactions.listTransactions, {
    async handle(ctx, { params }) {
      const account = await findReadableAccount(ctx, params.acc_id)
      const { rows, headers } = await page(ctx, TRANSACTION, from =>
        from('records')
          .where('team_id', '=', ctx.team.id)
          .where('holder_id', '=', account.id)
          .where('product', '=', TRANSACTION),
      )
      return { shape: 'list', body: rows.map(showTransaction), headers }
    },
  }),
  implement(transactions.retrieveTransaction, {
    async handle(ctx, { params }) {
      const account = await findReadableAccount(ctx, params.acc_id)
      const row = orNotFound(await findRecord(ctx, TRANSACTION, params.id, account.id))
      return one(showTransaction(row))
    },
  }),
]
