import type { ManagedAccount } from '@causeway/connector/ports/rail'
import { endpoints } from '@causeway/contract/endpoints/managed-accounts'
import { createPortCall } from '../../network/ports.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { cursorHeaders, readCursorPage } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import type { Ctx } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { auditReads } from '../../team/teams/reads.js'
import { callRail, findManagedAccountOrThrow, listManagedAccounts } from './accounts.js'

const show = (account: ManagedAccount) => ({ ...account, opened_at: showTime(account.opened_at) })

const auditAccountRead = (ctx: Ctx, accounts: readonly ManagedAccount[]) =>
  auditReads(
    ctx,
    'managed_account.read',
    accounts.map(({ id }) => id),
  )

/** The rail, not the service, stores managed accounts. */
export const managedAccountRoutes: Route[] = [
  implement(endpoints.listManagedAccounts, {
    async handle(ctx) {
      const accounts = await listManagedAccounts(ctx)
      await auditAccountRead(ctx, accounts)
      return { shape: 'list', body: accounts.map(show) }
    },
  }),
  implement(endpoints.retrieveManagedAccount, {
    async handle(ctx, { params }) {
      const account = await findManagedAccountOrThrow(ctx, params.macc_id)
      await auditAccountRead(ctx, [account])
      return one(show(account))
    },
  }),
  implement(endpoints.listManagedAccountTransactions, {
    async handle(ctx, { params }) {
      const paging = readCursorPage(ctx.query, 'managed_account_transaction')
      const account = await findManagedAccountOrThrow(ctx, params.macc_id)
      const { transactions, next, previous } = await callRail(
        ctx.deps.ports.rail.managedTransactions({
          ...createPortCall(ctx, account.id),
          account: account.id,
          ...paging,
          ...(await ctx.deps.behaviours.transactions(ctx)),
        }),
      )
      return {
        shape: 'list',
        body: transactions.map(row => ({ ...row, managed_account_id: account.id })),
        headers: cursorHeaders(paging.limit, next, previous),
      }
    },
  }),
]
