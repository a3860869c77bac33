import { sql } from 'kysely'
import type { AccountRow } from '../../people/accounts/account.js'
import type { RecordRow } from '../../people/products/product.js'
import { readNames } from '../../people/products/rules.js'
import type { Scope } from '../../platform/scope.js'
import { readProgress, type SessionRow } from './session.js'

/** How long a balance is good for. */
const GOOD = 86_400_000
/** How long one is not asked for again that could not be had. */
const FAILED = 3_600_000

const statuses = ['pending', 'in_progress', 'completed', 'failed'] as const

/** The newest update of each account: the newest completed one, or of any of these statuses. */
export async function newestUpdates(
  scope: Scope,
  ids: readonly string[],
  among: readonly (typeof statuses)[number][] = ['completed'],
): Promise<Map<string, RecordRow>> {
  if (ids.length === 0) return new Map()
  const rows = await scope.db
    .selectFrom('records')
    .selectAll()
    .where('id', 'in', query =>
      query
        .selectFrom('records')
        .select(sql<string>`max(id)`.as('id'))
        .where('holder_id', 'in', ids)
        .where('product', '=', 'update')
        .where('status', 'in', among)
        .groupBy('holder_id'),
    )
    .execute()
  return new Map(rows.map(row => [row.holder_id, row]))
}

/**
 * Debts whose balances are older than a day. By the time when the person came: what was new then stays good until they
 * leave, so that no amount changes under their hands.
 */
export async function staleOf(scope: Scope, session: SessionRow, rows: readonly AccountRow[]): Promise<AccountRow[]> {
  const came = readProgress(session).came ?? scope.now
  // Of what awaits consent nothing is asked, nor told.
  const asked = rows.filter(
    row =>
      row.status === 'active' &&
      row.awaits_consent === null &&
      row.created_at <= came - GOOD &&
      readNames(row.supports).includes('update'),
  )
  const newest = await newestUpdates(
    scope,
    asked.map(row => row.id),
    statuses,
  )
  return asked.filter(({ id }) => {
    const last = newest.get(id)
    return last === undefined || last.created_at <= came - (last.status === 'failed' ? FAILED : GOOD)
  })
}
