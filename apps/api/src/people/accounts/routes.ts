import { accounts } from '@causeway/contract/endpoints/accounts'
import { sameLiability } from '@causeway/contract/fields/liability'
import { accountFields } from '@causeway/contract/products/of-accounts'
import { readExpand } from '../../platform/http/endpoint/expand.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import { auditReads } from '../../team/teams/reads.js'
import { hasBehavior } from '../../versions/chain.js'
import type { AccountRow } from '../holders/account.js'
import { isMasked } from '../holders/show-account.js'
import { findAccount, findAccountOrPending } from '../holders/store.js'
import { expandAccounts } from './expand.js'
import { changeAccount, prepareUpdate } from './update.js'

async function show(ctx: Ctx, rows: AccountRow[]) {
  const bodies = await expandAccounts(ctx, rows, readExpand(ctx, accountFields))
  const numbers = rows.filter(row => row.type === 'ach').map(row => row.id)
  if (!isMasked(ctx)) await auditReads(ctx, 'account.number.read', numbers)
  return bodies
}

/**
 * The columns to filter by, each with its query parameter. The columns in `ofContent` hold data that a withdrawn
 * account no longer has.
 */
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

/**
 * Versions with the `approved_accounts` behavior list only approved accounts. In these versions, a request for pending
 * accounts returns an empty list. The handler implements this, because no query in the latest version has the same
 * result.
 */
export const accountRoutes: Route[] = [
  implement(accounts.listAccounts, {
    async handle(ctx, { query }) {
      const holders = query.all('holder_ids')
      const consent = query.get('consent_status')
      const { rows, headers } = await page(ctx, 'account', from => {
        let selection = from('accounts').where('team_id', '=', ctx.team.id)
        for (const [column, name] of [...filters, ...ofContent]) {
          const values = query.all(name).flatMap(sameLiability)
          if (values.length > 0) selection = selection.where(column, 'in', values)
        }
        if (holders.length > 0) selection = selection.where('holder_id', 'in', holders)
        const pending = consent === 'pending' && !hasBehavior(ctx.version, 'approved_accounts')
        if (pending) selection = selection.where('awaits_consent', 'is not', null).where('hidden_at', 'is', null)
        else if (query.get('include_pending_consent') !== 'true' || consent === 'approved')
          selection = selection.where('awaits_consent', 'is', null)
        else selection = selection.where('hidden_at', 'is', null)
        if (consent === 'pending' && !pending) selection = selection.where('id', '=', '')
        if (consent === 'withdrawn') selection = selection.where('withdrawn_at', 'is not', null)
        if (consent === 'approved' || pending || ofContent.some(([, name]) => query.get(name)))
          selection = selection.where('withdrawn_at', 'is', null)
        return selection
      })
      return { shape: 'list', body: await show(ctx, rows), headers }
    },
  }),
  implement(accounts.retrieveAccount, {
    async handle(ctx, { params, query }) {
      const find = query.get('include_pending_consent') === 'true' ? findAccountOrPending : findAccount
      const row = orNotFound(await find(ctx, params.acc_id))
      const [body] = await show(ctx, [row])
      return one(body)
    },
  }),
  implement(accounts.updateAccount, { prepare: prepareUpdate, handle: changeAccount }),
]
