import { expandAccounts } from '../../people/accounts/expand.js'
import { isMasked } from '../../people/holders/show-account.js'
import { findAccounts } from '../../people/holders/store.js'
import { readExpand } from '../../platform/http/endpoint/expand.js'
import type { Ctx } from '../../platform/scope.js'
import { auditReads } from '../../team/teams/reads.js'
import { type ShownPayment, showPayment } from './show.js'

const SESSION_FIELD = 'latest_verification_session'
const sides = ['source', 'destination'] as const
const expandable = [...sides, ...sides.map(side => `${side}.${SESSION_FIELD}`)]

type Body = Record<string, unknown>

/**
 * Returns payments with their sources and destinations expanded as requested. Runs at most four queries for any number
 * of payments.
 */
export async function showPayments(ctx: Ctx, rows: readonly ShownPayment[], shape: { one: boolean }): Promise<Body[]> {
  const expand = readExpand(ctx, expandable)
  const bodies: Body[] = rows.map(row => showPayment(row, shape))
  const expandedSides = sides.filter(side => expand.has(side) || expand.has(`${side}.${SESSION_FIELD}`))
  if (expandedSides.length === 0) return bodies
  const ids = new Set(rows.flatMap(row => expandedSides.flatMap(side => row[side] ?? [])))
  const accounts = await findAccounts(ctx, [...ids])
  const nested = new Set(sides.some(side => expand.has(`${side}.${SESSION_FIELD}`)) ? [SESSION_FIELD] : [])
  const accountsById = new Map((await expandAccounts(ctx, accounts, nested)).map(account => [account.id, account]))
  const achAccountIds = accounts.filter(account => account.type === 'ach').map(account => account.id)
  if (!isMasked(ctx)) await auditReads(ctx, 'account.number.read', achAccountIds)
  for (const body of bodies)
    for (const side of expandedSides) {
      const account = accountsById.get(body[side] as string)
      if (account) body[side] = expand.has(`${side}.${SESSION_FIELD}`) ? account : collapseSession(account)
    }
  return bodies
}

/**
 * Replaces an account's expanded session with the session's id. The session may have been expanded only for the other
 * end of the payment.
 */
function collapseSession(account: Body): Body {
  const session = account[SESSION_FIELD] as { id: string } | string | null
  return { ...account, [SESSION_FIELD]: typeof session === 'object' ? (session?.id ?? null) : session }
}
