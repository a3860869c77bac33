import { DAY_MS, HOUR_MS } from '@causeway/contract/time'
import { type OperandExpression, sql } from 'kysely'
import { type AccountRow, isShared } from '../../people/holders/account.js'
import type { RecordRow } from '../../people/holders/product.js'
import { supportsOf } from '../../people/holders/product-rules.js'
import type { Scope } from '../../platform/scope.js'
import { readProgress, type SessionRow } from './session.js'

/** The maximum age of a balance when the person arrives. */
const MAX_BALANCE_AGE_MS = DAY_MS
/** The time after which a failed balance request is retried. */
const RETRY_DELAY_MS = HOUR_MS

/** The maximum time to wait for balances. After that, the list is shown without the missing balances. */
const BALANCES_TIMEOUT_MS = 20_000

/** The update records, keyed by account. */
export interface Updates {
  completed: Map<string, RecordRow>
  /** The latest update, in any status. */
  latest: Map<string, RecordRow>
  /** True while the person waits for an update to finish. */
  pending: boolean
}

const isAwaited = ({ now }: Scope, row: Pick<RecordRow, 'status' | 'created_at'>) =>
  row.status === 'pending' && row.created_at > now - BALANCES_TIMEOUT_MS

/**
 * Selects the ids of each account's latest update, latest completed update, and pending updates that a page awaits.
 * @param accounts selects the accounts' ids
 */
export function updateIds(scope: Scope, accounts: OperandExpression<string>) {
  const those = scope.db
    .selectFrom('records')
    .where('team_id', '=', scope.team.id)
    .where('holder_id', 'in', accounts)
    .where('product', '=', 'update')
  const latest = those.select(sql<string>`max(id)`.as('id')).groupBy('holder_id')
  const awaited = those
    .select('id')
    .where('status', '=', 'pending')
    .where('created_at', '>', scope.now - BALANCES_TIMEOUT_MS)
  return latest.union(latest.where('status', '=', 'completed')).union(awaited)
}

/** Groups updates by account. The rows are the records selected by {@link updateIds}, in order of their ids. */
export function readUpdates(scope: Scope, rows: readonly RecordRow[]): Updates {
  const byAccount = (some: readonly RecordRow[]) => new Map(some.map(row => [row.holder_id, row]))
  return {
    completed: byAccount(rows.filter(row => row.status === 'completed')),
    latest: byAccount(rows),
    pending: rows.some(row => isAwaited(scope, row)),
  }
}

/**
 * Returns the debts whose balances were more than a day old when the person arrived. A balance that was current on
 * arrival stays valid until the person leaves, so no amount changes while they choose.
 */
export function findStaleAccounts(
  scope: Scope,
  session: SessionRow,
  rows: readonly AccountRow[],
  { latest }: Pick<Updates, 'latest'>,
): AccountRow[] {
  if (scope.deps.capabilities.missing('account_product', 'update') !== null) return []
  const came = readProgress(session).came ?? scope.now
  // An account that awaits consent is not updated, because the team can list it.
  const updatable = rows.filter(
    row =>
      row.status === 'active' &&
      (isShared(row) || row.hidden_at !== null) &&
      row.created_at <= came - MAX_BALANCE_AGE_MS &&
      supportsOf(row).includes('update'),
  )
  return updatable.filter(({ id }) => {
    const last = latest.get(id)
    return (
      last === undefined || last.created_at <= came - (last.status === 'failed' ? RETRY_DELAY_MS : MAX_BALANCE_AGE_MS)
    )
  })
}
