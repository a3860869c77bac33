import { isMasked } from '../../people/accounts/show.js'
import { findAccounts } from '../../people/accounts/store.js'
import { expandAccounts } from '../../people/products/expand.js'
import { readExpand } from '../../platform/http/expand.js'
import type { Ctx } from '../../platform/scope.js'
import { auditReads } from '../../team/teams/reads.js'
import { type ShownPayment, showPayment } from './show.js'

const SESSION = 'latest_verification_session'
const sides = ['source', 'destination'] as const
const expandable = [...sides, ...sides.map(side => `${side}.${SESSION}`)]

type Body = Record<string, unknown>

/**
 * Returns payments with their sources and destinations expanded as requested. Runs at most four queries for any number
 * of payments.
 */
export async function showPayments(ctx: Ctx, rows: readonly ShownPayment[], shape: { one: boolean }): Promise<Body[]> {
  const wanted = readExpand(ctx, expandable)
  const bodies: Body[] = rows.map(row => showPayment(row, shape))
  const shown = sides.filter(side => wanted.has(side) || wanted.has(`${side}.${SESSION}`))
  if (shown.length === 0) return bodies
  const ids = new Set(rows.flatMap(row => shown.flatMap(side => row[side] ?? [])))
  const accounts = await findAccounts(ctx, [...ids])
  const deep = new Set(sides.some(side => wanted.has(`${side}.${SESSION}`)) ? [SESSION] : [])
  const objects = new Map((await expandAccounts(ctx, accounts, deep)).map(account => [account.id, account]))
  const numbers = accounts.filter(account => account.type === 'ach').map(account => account.id)
  if (!isMasked(ctx)) await auditReads(ctx, 'account.number.read', numbers)
  for (const body of bodies)
    for (const side of shown) {
      const account = objects.get(body[side] as string)
      if (account) body[side] = wanted.has(`${side}.${SESSION}`) ? account : shallow(account)
    }
  return bodies
}

/**
 * Replaces an account's expanded session with the session's id. The session may have been expanded only for the other
 * end of the payment.
 */
function shallow(account: Body): Body {
  const session = account[SESSION] as { id: string } | string | null
  return { ...account, [SESSION]: typeof session === 'object' ? (session?.id ?? null) : session }
}
