/** Queries for operators and for the schedule, which span all teams. Each reads a limited number of rows of an index. */

import type { ReconciliationException } from '@causeway/contract/endpoints/console-reconciliation'
import type { Vault } from '../../platform/crypto/vault.js'
import { csvLine } from '../../platform/csv.js'
import type { Db } from '../../platform/db/types.js'
import { showException, showReconciliation } from './store.js'

/** The last row of a page. */
interface PageEnd {
  id: string
  team: string
}

/**
 * Reads differences, latest first: a page and, if there are more, one extra row.
 * @param isOpen true to read only those that are neither explained nor resolved
 */
export async function listExceptions(
  db: Db,
  vault: Vault,
  isOpen: boolean,
  before: PageEnd | null,
  pageSize: number,
): Promise<ReconciliationException[]> {
  const rows = await db
    .selectFrom('reconciliation_exceptions as exception')
    .innerJoin('teams', 'teams.id', 'exception.team_id')
    .selectAll('exception')
    .select('teams.data_key')
    .$if(isOpen, query => query.where('resolved_at', 'is', null).where('explained_at', 'is', null))
    .$if(before !== null, query =>
      // This condition can use the index. The next one can't.
      query
        .where('exception.id', '<=', before!.id)
        .where(at =>
          at.or([
            at('exception.id', '<', before!.id),
            at.and([at('exception.id', '=', before!.id), at('exception.team_id', '<', before!.team)]),
          ]),
        ),
    )
    .orderBy('exception.id', 'desc')
    .orderBy('exception.team_id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return rows.map(({ data_key, ...row }) => showException(row, vault.sealer(row.team_id, data_key)))
}

/** Finds the team of an exception by the exception's id alone. */
export const findExceptionTeam = (db: Db, id: string) =>
  db
    .selectFrom('reconciliation_exceptions as exception')
    .innerJoin('teams', 'teams.id', 'exception.team_id')
    .select(['teams.id', 'teams.data_key'])
    .where('exception.id', '=', id)
    .executeTakeFirst()

/** Reads runs, latest first: a page and, if there are more, one extra row. */
export async function listReconciliations(db: Db, before: PageEnd | null, pageSize: number) {
  const rows = await db
    .selectFrom('reconciliations')
    .selectAll()
    .$if(before !== null, query =>
      query
        .where('id', '<=', before!.id)
        .where(at =>
          at.or([at('id', '<', before!.id), at.and([at('id', '=', before!.id), at('team_id', '<', before!.team)])]),
        ),
    )
    .orderBy('id', 'desc')
    .orderBy('team_id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return rows.map(showReconciliation)
}

/**
 * Lists the teams that have used a provider, up to 200 after an id.
 * @param dueBefore omits the teams whose latest comparison was scheduled after this time, in epoch milliseconds
 */
export async function listTeamsOf(db: Db, provider: string, after: string, dueBefore?: number): Promise<string[]> {
  const rows = await db
    .selectFrom('teams')
    .select('id')
    .where('id', '>', after)
    .where(each =>
      each.exists(
        each
          .selectFrom('provider_objects')
          .select('external_id')
          .whereRef('provider_objects.team_id', '=', 'teams.id')
          .where('provider_objects.provider', '=', provider),
      ),
    )
    .$if(dueBefore !== undefined, query =>
      query.where(each =>
        each.not(
          each.exists(
            each
              .selectFrom('reconciliation_states')
              .select('reconciliation_states.team_id')
              .whereRef('reconciliation_states.team_id', '=', 'teams.id')
              .where('reconciliation_states.provider', '=', provider)
              .where('reconciliation_states.scheduled_at', '>', dueBefore!),
          ),
        ),
      ),
    )
    .orderBy('id')
    .limit(200)
    .execute()
  return rows.map(({ id }) => id)
}

/** The state of the comparisons with one provider. */
export interface ReconciliationHealth {
  provider: string
  /** The number of differences that are neither explained nor resolved. */
  open: number
  /**
   * The start of the last complete run of the team that has waited longest for one. Before a team's first run, the time at which the
   * team was first seen. Null if no team has used the provider.
   */
  complete_at: number | null
}

/** Reads the state of the comparisons with these providers. */
export async function readReconciliationHealth(db: Db, providers: readonly string[]): Promise<ReconciliationHealth[]> {
  const health: ReconciliationHealth[] = []
  for (const provider of providers) {
    const exceptions = await db
      .selectFrom('reconciliation_exceptions')
      .select(query => query.fn.countAll<number>().as('count'))
      .where('provider', '=', provider)
      .where('resolved_at', 'is', null)
      .where('explained_at', 'is', null)
      .executeTakeFirstOrThrow()
    const state = await db
      .selectFrom('reconciliation_states')
      .select('complete_at')
      .where('provider', '=', provider)
      .orderBy('complete_at')
      .limit(1)
      .executeTakeFirst()
    health.push({ provider, open: Number(exceptions.count), complete_at: state?.complete_at ?? null })
  }
  return health
}

const columns = [
  'id',
  'team_id',
  'provider',
  'kind',
  'status',
  'resource_id',
  'line_id',
  'amount',
  'expected_amount',
  'at',
  'first_seen_at',
  'last_seen_at',
  'resolved_at',
] as const

/** The number of rows in one part of a file. */
const CSV_BATCH_SIZE = 500

/** Writes differences as CSV, latest first, page by page. */
export async function* exceptionsAsCsv(db: Db, vault: Vault, isOpen: boolean): AsyncGenerator<string> {
  yield csvLine([...columns, 'explained_by', 'explained_at', 'explanation'])
  let before: PageEnd | null = null
  do {
    const page: ReconciliationException[] = await listExceptions(db, vault, isOpen, before, CSV_BATCH_SIZE)
    const rows = page.slice(0, CSV_BATCH_SIZE)
    yield rows
      .map(row => {
        const { by = null, at = null, text = null } = row.explanation ?? {}
        return csvLine([...columns.map(column => row[column]), by, at, text])
      })
      .join('')
    before = page.length > CSV_BATCH_SIZE ? { id: rows.at(-1)!.id, team: rows.at(-1)!.team_id } : null
  } while (before)
}
