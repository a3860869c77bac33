import { endpoints } from '@causeway/contract/endpoints/managed-accounts'
import { ServiceError } from '@causeway/contract/errors'
import { callAbout, OutsideError } from '../../network/ports.js'
import type { ManagedAccount } from '../../network/rail/port.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { cursorHeaders, readCursorPage } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import type { Ctx } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { auditReads } from '../../team/teams/reads.js'

/** Returns the rail's response. Throws SERVICE_UNAVAILABLE if the rail does not respond. */
async function said<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      'The payment rail that holds the accounts did not respond. Retry later.',
    )
  }
}

const accountsOf = async (ctx: Ctx): Promise<ManagedAccount[]> =>
  (await said(ctx.deps.ports.rail.managedAccounts(callAbout(ctx, ctx.team.id)))).accounts

async function accountOf(ctx: Ctx, wanted: string): Promise<ManagedAccount> {
  const found = (await accountsOf(ctx)).find(({ id }) => id === wanted)
  if (!found) throw new ServiceError('NOT_FOUND')
  return found
}

const show = (account: ManagedAccount) => ({ ...account, opened_at: showTime(account.opened_at) })

const noteRead = (ctx: Ctx, accounts: readonly ManagedAccount[]) =>
  auditReads(
    ctx,
    'managed_account.read',
    accounts.map(({ id }) => id),
  )

/** The rail, not the service, stores managed accounts. */
export const managedAccountRoutes: Route[] = [
  implement(endpoints.listManagedAccounts, {
    async handle(ctx) {
      const accounts = await accountsOf(ctx)
      await noteRead(ctx, accounts)
      return { shape: 'list', body: accounts.map(show) }
    },
  }),
  implement(endpoints.retrieveManagedAccount, {
    async handle(ctx, { params }) {
      const account = await accountOf(ctx, params.macc_id)
      await noteRead(ctx, [account])
      return one(show(account))
    },
  }),
  implement(endpoints.listManagedAccountTransactions, {
    async handle(ctx, { params }) {
      const asked = readCursorPage(ctx.query, 'managed_account_transaction')
      const account = await accountOf(ctx, params.macc_id)
      const { transactions, next, previous } = await said(
        ctx.deps.ports.rail.managedTransactions({ ...callAbout(ctx, account.id), account: account.id, ...asked }),
      )
      return {
        shape: 'list',
        body: transactions.map(row => ({ ...row, managed_account_id: account.id })),
        headers: cursorHeaders(asked.limit, next, previous),
      }
    },
  }),
]
