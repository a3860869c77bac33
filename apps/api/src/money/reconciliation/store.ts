/** The rows of comparisons and of the differences that they found. */
import type {
  ExceptionKind,
  Reconciliation,
  ReconciliationException,
} from '@causeway/contract/endpoints/console-reconciliation'
import { type Operator, recordOperatorAction } from '../../platform/audit/store.js'
import { createId } from '../../platform/crypto/random.js'
import type { Sealer } from '../../platform/crypto/vault.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Db } from '../../platform/db/types.js'
import { showTime } from '../../platform/show.js'
import type { StatementException } from './compare.js'
import type { TransferScope } from './transfers.js'

export type ReconciliationResult = NonNullable<Reconciliation['result']>
type ExceptionRow = Tables['reconciliation_exceptions']

const resultJson = jsonColumn<ReconciliationResult>('reconciliations.result')
const placeOf = (id: string) => ({ id, field: 'reconciliation_exceptions' })

/** The maximum number of rows in one statement. */
const MAX_ROWS = 100

/** Adds differences, or notes that they were seen again. A resolved difference that is seen again is open again. */
export async function saveExceptions(
  db: Db,
  { team, provider }: TransferScope,
  exceptions: readonly StatementException[],
  now: number,
): Promise<void> {
  // A statement can't change a row twice.
  const bySubject = new Map(exceptions.map(each => [`${each.kind} ${each.subject}`, each]))
  const rows = [...bySubject.values()].map(
    (each): ExceptionRow => ({
      ...{ team_id: team, id: createId('reconciliation_exception', now), provider, ...each },
      ...{ first_seen_at: now, last_seen_at: now, resolved_at: null },
      ...{ explained_at: null, explained_by: null, explanation: null },
    }),
  )
  for (let from = 0; from < rows.length; from += MAX_ROWS)
    await db
      .insertInto('reconciliation_exceptions')
      .values(rows.slice(from, from + MAX_ROWS))
      .onConflict(conflict =>
        // mutant: exception-is-stored-once (argument 1)
        conflict.columns(['team_id', 'provider', 'kind', 'subject']).doUpdateSet(row => ({
          last_seen_at: row.ref('excluded.last_seen_at'),
          amount: row.ref('excluded.amount'),
          expected_amount: row.ref('excluded.expected_amount'),
          resolved_at: null,
        })),
      )
      .execute()
}

/** The differences of resources that lack a line. A run searches for them further in the past than for others. */
const missingKinds: readonly ExceptionKind[] = ['missing_there', 'not_returned']

/** The time that a complete run covers, in epoch milliseconds. */
export interface CoveredTime {
  /** The first time of the lines that were read, and of the payments whose transfer must be known. */
  linesSince: number
  /** The first time of creation of the resources that must have a line. */
  resourcesSince: number
  until: number
  startedAt: number
}

/** Resolves the differences within the time that a complete run covered, but that it did not find. */
async function resolveExceptions(
  db: Db,
  { team, provider }: TransferScope,
  { linesSince, resourcesSince, until, startedAt }: CoveredTime,
  now: number,
): Promise<void> {
  for (const [operator, since] of [
    ['not in', linesSince],
    ['in', resourcesSince],
  ] as const)
    await db
      .updateTable('reconciliation_exceptions')
      .set({ resolved_at: now })
      .where('team_id', '=', team)
      .where('provider', '=', provider)
      .where('resolved_at', 'is', null)
      .where('kind', operator, missingKinds)
      .where('at', '>=', since)
      .where('at', '<', until)
      // mutant: seen-exception-stays-open (remove)
      .where('last_seen_at', '<', startedAt)
      .execute()
}

/** Adds a run that has not begun. @returns its id */
export async function addRun(
  db: Db,
  { team, provider }: TransferScope,
  { from, to }: { from: string; to: string },
  now: number,
): Promise<string> {
  const id = createId('reconciliation', now)
  await db
    .insertInto('reconciliations')
    .values({
      ...{ team_id: team, id, provider, from_day: from, to_day: to, status: 'scheduled' },
      ...{ progress: null, result: null, created_at: now, ended_at: null },
    })
    .execute()
  return id
}

/** Records a complete run, and resolves the differences that it no longer found. */
export async function completeRun(
  db: Db,
  { team_id: team, id, provider }: Pick<Tables['reconciliations'], 'team_id' | 'id' | 'provider'>,
  result: ReconciliationResult,
  covered: CoveredTime,
  now: number,
): Promise<void> {
  await resolveExceptions(db, { team, provider }, covered, now)
  await db
    .updateTable('reconciliations')
    .set({ status: 'complete', progress: null, result: resultJson.write(result), ended_at: now })
    .where('team_id', '=', team)
    .where('id', '=', id)
    .execute()
}

/** Reads the first hundred open differences of a period, oldest first. */
export const listOpenExceptions = (
  db: Db,
  { team, provider }: TransferScope,
  { since, until }: { since: number; until: number },
) =>
  db
    .selectFrom('reconciliation_exceptions')
    .selectAll()
    .where('team_id', '=', team)
    .where('provider', '=', provider)
    .where('resolved_at', 'is', null)
    .where('explained_at', 'is', null)
    .where('at', '>=', since)
    .where('at', '<', until)
    .orderBy('at')
    .orderBy('id')
    .limit(100)
    .execute()

/**
 * Stores who explained a difference, and how. Replaces an earlier explanation.
 * @returns the row, or undefined if the team has no exception with that id
 */
export async function explainException(
  db: Db,
  sealer: Sealer,
  { team, id, by, text }: { team: string; id: string; by: string; text: string },
  now: number,
  operator: Operator,
): Promise<ExceptionRow | undefined> {
  const row = await db
    .updateTable('reconciliation_exceptions')
    .set({ explained_at: now, explained_by: by, explanation: sealer.seal(placeOf(id), text) })
    .where('team_id', '=', team)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (row) await recordOperatorAction(db, now, 'reconciliation.explain', team, id, null, operator)
  return row
}

const statusOf = ({ resolved_at, explained_at }: ExceptionRow): ReconciliationException['status'] =>
  resolved_at !== null ? 'resolved' : explained_at !== null ? 'explained' : 'open'

export function showException(row: ExceptionRow, sealer: Sealer): ReconciliationException {
  const { id, team_id, provider, kind, resource_id, line_id, amount, expected_amount, at } = row
  const { explained_by, explained_at, explanation } = row
  return {
    ...{ id, team_id, provider, kind: kind as ReconciliationException['kind'], status: statusOf(row) },
    ...{ resource_id, line_id, amount, expected_amount, at: showTime(at) },
    first_seen_at: showTime(row.first_seen_at),
    last_seen_at: showTime(row.last_seen_at),
    resolved_at: row.resolved_at === null ? null : showTime(row.resolved_at),
    explanation:
      explained_by === null || explained_at === null || explanation === null
        ? null
        : { by: explained_by, at: showTime(explained_at), text: sealer.open(placeOf(id), explanation) },
  }
}

export const showReconciliation = ({
  from_day,
  to_day,
  result,
  created_at,
  ended_at,
  progress: _,
  ...row
}: Tables['reconciliations']): Reconciliation => ({
  ...row,
  from: from_day,
  to: to_day,
  created_at: showTime(created_at),
  ended_at: ended_at === null ? null : showTime(ended_at),
  result: result === null ? null : resultJson.read(result),
})
