import { ServiceError } from '@causeway/contract/errors'
import { auditReads } from '../audit/store.js'
import { readExpand } from '../http/expand.js'
import { page } from '../http/paging.js'
import { one, type Route } from '../http/route.js'
import { accountFields, expandAccounts } from '../products/expand.js'
import type { Ctx } from '../scope.js'
import { behaves } from '../versions/chain.js'
import type { AccountRow } from './account.js'
import { createAccount, prepareAccount } from './create.js'
import { findAccount, findAnyAccount } from './store.js'
import { changeAccount, prepareUpdate } from './update.js'

async function show(ctx: Ctx, rows: AccountRow[]) {
  const bodies = await expandAccounts(ctx, rows, readExpand(ctx, accountFields))
  const numbers = rows.filter(row => row.type === 'ach').map(row => row.id)
  await auditReads(ctx, 'account.number.read', numbers)
  return bodies
}

/** Whether accounts are wanted too whose holders have yet to say that they are shared: of a version that can show which those are. */
const withPending = (ctx: Ctx) =>
  ctx.query.get('include_pending_consent') === 'true' && !behaves(ctx.version, 'approved_accounts')

/** Filters by their column. Those of the second kind speak of what a withdrawn account no longer has. */
const filters = [
  ['holder_id', 'holder_id'],
  ['status', 'status'],
] as const
const ofContent = [
  ['type', 'type'],
  ['mch_id', 'liability.mch_id'],
  ['liability_type', 'liability.type'],
  ['ownership', 'liability.ownership'],
] as const

export const accountRoutes: Route[] = [
  { method: 'POST', path: '/accounts', prepare: prepareAccount, handle: createAccount },
  {
    method: 'GET',
    path: '/accounts',
    async handle(ctx) {
      const { query } = ctx
      const holders = [...query.getAll('holder_ids[]'), ...query.getAll('holder_ids')].filter(id => id !== '')
      const consent = query.get('consent_status')
      const { rows, headers } = await page<AccountRow>(ctx, 'account', from => {
        let wanted = from('accounts').where('team_id', '=', ctx.team.id)
        for (const [column, name] of [...filters, ...ofContent]) {
          const value = query.get(name)
          if (value) wanted = wanted.where(column as 'source', '=', value)
        }
        if (holders.length > 0) wanted = wanted.where('holder_id' as 'source', 'in', holders)
        const pending = consent === 'pending' && !behaves(ctx.version, 'approved_accounts')
        if (pending) wanted = wanted.where('awaits_consent' as 'source', 'is not', null)
        else if (!withPending(ctx) || consent === 'approved')
          wanted = wanted.where('awaits_consent' as 'source', 'is', null)
        if (consent && !pending && consent !== 'withdrawn' && consent !== 'approved')
          wanted = wanted.where('id', '=', '')
        if (consent === 'withdrawn') wanted = wanted.where('withdrawn_at' as 'source', 'is not', null)
        if (consent === 'approved' || pending || ofContent.some(([, name]) => query.get(name)))
          wanted = wanted.where('withdrawn_at' as 'source', 'is', null)
        return wanted
      })
      return { shape: 'list', body: await show(ctx, rows), headers }
    },
  },
  {
    method: 'GET',
    path: '/accounts/:acc_id',
    async handle(ctx) {
      const find = withPending(ctx) ? findAnyAccount : findAccount
      const row = await find(ctx, ctx.params['acc_id'] ?? '')
      if (!row) throw new ServiceError('NOT_FOUND')
      const [body] = await show(ctx, [row])
      return one(body)
    },
  },
  { method: 'PUT', path: '/accounts/:acc_id', prepare: prepareUpdate, handle: changeAccount },
]
