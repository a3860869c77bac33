import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { DAY_MS, HOUR_MS } from '@causeway/contract/time'
import { sql } from 'kysely'
import { readJson } from '../db/json.js'
import type { Tables } from '../db/tables.js'
import type { Db, Store } from '../db/types.js'
import { describeFault, type Log } from '../log.js'

interface SweepDeps {
  readonly store: Store
  /** Real time, in epoch milliseconds. A team's sandbox clock doesn't affect the expiry of rows. */
  readonly clock: () => number
  readonly log: Log
}

/** The number of rows to delete in a table's first transaction, and the maximum in any transaction. */
const BATCH_SIZE = { first: 50, most: 500 }
/**
 * The time that a batch should take, in ms. During a batch, other writers wait; with SQLite, the process does nothing
 * else.
 */
const BATCH_TARGET_MS = 8
/** The time for which the bodies of logged requests are stored. */
const BODY_LIFETIME_MS = 7 * DAY_MS

/** The number of pages in SQLite's log from which the sweep copies them: 4 MB. */
const MIN_PAGES_TO_COPY = 1_000

interface Rule {
  readonly table: string
  readonly lifetimeMs: number
  /** Deletes at most `limit` rows that are older than `before` and returns how many it deleted. */
  readonly remove: (tx: Db, before: number, limit: number) => Promise<number>
}

/**
 * Casts a table's primary key columns to those of another table, because the query builder is typed for a single table.
 */
const asKeyColumns = (keys: readonly string[]) => keys as ['team_id', 'id']

/** Selects the primary keys of a table's oldest rows. */
const selectOldest = (tx: Db, table: string, keys: readonly string[], column: string, before: number, limit: number) =>
  tx
    .selectFrom(table as 'requests')
    .select(asKeyColumns(keys))
    .where(column as 'created_at', '<', before)
    .orderBy(column as 'created_at')
    .limit(limit)

/** Deletes rows by age, measured from a time column. @param keys the primary key's columns */
const deleteByAge = <T extends keyof Tables>(
  table: T,
  lifetimeMs: number,
  column: keyof Tables[T] & string,
  ...keys: (keyof Tables[T] & string)[]
): Rule => ({
  table,
  lifetimeMs,
  async remove(tx, before, limit) {
    const { numDeletedRows } = await tx
      .deleteFrom(table as 'requests')
      .where(row =>
        row(
          row.refTuple(...asKeyColumns(keys)),
          'in',
          selectOldest(tx, table, keys, column, before, limit).$asTuple('team_id', 'id'),
        ),
      )
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
})

/** Deletes expired rows and the directory rows that refer to them. */
const deleteByExpiry = <T extends 'bearers' | 'tokens' | 'console_links' | 'console_sessions' | 'console_invitations'>(
  table: T,
  lifetimeMs: number,
  key: keyof Tables[T] & string,
): Rule => ({
  table,
  lifetimeMs,
  async remove(tx, before, limit) {
    const keys = ['team_id', key]
    const deleted = await tx
      .deleteFrom(table as 'requests')
      .where(row =>
        row(
          row.refTuple(...asKeyColumns(keys)),
          'in',
          selectOldest(tx, table, keys, 'expires_at', before, limit).$asTuple('team_id', 'id'),
        ),
      )
      .returning(`${key as 'id'} as key`)
      .execute()
    if (deleted.length > 0)
      await tx
        .deleteFrom('directory')
        .where(
          'key',
          'in',
          deleted.map(row => row.key),
        )
        .execute()
    return deleted.length
  },
})

/**
 * Deletes references by their keys. Passes the keys as an object, because PostgreSQL's `json_each` does not accept a
 * list.
 */
const removeRefs = (tx: Db, keys: readonly string[][]) =>
  sql`delete from request_refs where (team_id, about, request_id) in
    (select value ->> 0, value ->> 1, value ->> 2 from json_each(${JSON.stringify({ ...keys })}))`.execute(tx)

/**
 * Deletes requests and the references to them. A request's row lists the ids of its references, so the references need
 * no index by age. Such an index would have to be updated several times for each request.
 */
const requests: Rule = {
  table: 'requests',
  lifetimeMs: 30 * DAY_MS,
  async remove(tx, before, limit) {
    const deleted = await tx
      .deleteFrom('requests')
      .where(row =>
        row(
          row.refTuple('team_id', 'id'),
          'in',
          selectOldest(tx, 'requests', ['team_id', 'id'], 'created_at', before, limit).$asTuple('team_id', 'id'),
        ),
      )
      .returning(['team_id', 'id', 'resource_ids'])
      .execute()
    const refs = deleted.flatMap(({ team_id, id, resource_ids }) =>
      readJson('requests.resource_ids', resource_ids).map(about => [team_id, about, id]),
    )
    if (refs.length > 0) await removeRefs(tx, refs)
    return deleted.length
  },
}

/** Deletes the bodies that earlier releases stored in the rows of their requests. */
const bodiesInRows: Rule = {
  table: 'requests.bodies',
  lifetimeMs: BODY_LIFETIME_MS,
  async remove(tx, before, limit) {
    const { numUpdatedRows } = await tx
      .updateTable('requests')
      .set({ request: null, response: null })
      .where(row =>
        row(
          row.refTuple('team_id', 'id'),
          'in',
          selectOldest(tx, 'requests', ['team_id', 'id'], 'created_at', before, limit)
            .where(some => some.or([some('request', 'is not', null), some('response', 'is not', null)]))
            .$asTuple('team_id', 'id'),
        ),
      )
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
}

/** Deletes the parts of files that were never completed, before the files themselves. */
const incompleteParts: Rule = {
  table: 'file_parts',
  lifetimeMs: 0,
  async remove(tx, before, limit) {
    const { numDeletedRows } = await tx
      .deleteFrom('file_parts')
      .where(row =>
        row(
          row.refTuple('team_id', 'file_id', 'number'),
          'in',
          tx
            .selectFrom('files')
            .innerJoin('file_parts as part', join =>
              join.onRef('part.team_id', '=', 'files.team_id').onRef('part.file_id', '=', 'files.id'),
            )
            .select(['part.team_id', 'part.file_id', 'part.number'])
            .where('files.expires_at', '<', before)
            .limit(limit)
            .$asTuple('team_id', 'file_id', 'number'),
        ),
      )
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
}

const rules: readonly Rule[] = [
  // The API guarantees stored responses for only 72 hours.
  deleteByAge('idempotency', /* mutant: answers-are-kept (= 1) */ 7 * DAY_MS, 'created_at', 'team_id', 'key'),
  // Counters are not used after their window ends.
  deleteByAge('counters', 0, 'ends_at', 'kind', 'subject'),
  deleteByExpiry('bearers', DAY_MS, 'hash'),
  // Clients look up a token's outcome long after the token has expired.
  deleteByExpiry('tokens', 90 * DAY_MS, 'handle'),
  // After this time, the service relies on connectors to recognize repeated actions.
  deleteByAge('connector_acts', 90 * DAY_MS, 'sent_at', 'team_id', 'method', 'request_id'),
  deleteByAge('connector_pushes', 7 * DAY_MS, 'received_at', 'team_id', 'id'),
  // Kept as long as the actions that they answer.
  deleteByAge('provider_calls', 90 * DAY_MS, 'created_at', 'team_id', 'path', 'request_id', 'question'),
  deleteByAge('provider_rows', 0, 'expires_at', 'team_id', 'provider', 'kind', 'id'),
  deleteByAge('provider_hooks', 7 * DAY_MS, 'received_at', 'provider', 'id'),
  // Kept one day longer than the period that the console shows.
  deleteByAge('provider_usage', 8 * DAY_MS, 'hour', 'provider', 'hour'),
  deleteByAge('reconciliations', 400 * DAY_MS, 'created_at', 'team_id', 'id'),
  incompleteParts,
  deleteByAge('files', 0, 'expires_at', 'team_id', 'id'),
  deleteByAge('intents', 90 * DAY_MS, 'created_at', 'team_id', 'id'),
  deleteByAge('payment_notices', 90 * DAY_MS, 'created_at', 'team_id', 'payment_id', 'code', 'at'),
  requests,
  deleteByAge('request_bodies', BODY_LIFETIME_MS, 'created_at', 'team_id', 'id'),
  bodiesInRows,
  // Kept one day longer than the period that statistics can cover.
  deleteByAge('request_counts', 32 * DAY_MS, 'hour', 'team_id', 'hour', 'status', 'sub_type', 'ms'),
  deleteByAge('delivery_attempts', 30 * DAY_MS, 'attempted_at', 'team_id', 'delivery_id', 'attempted_at', 'number'),
  deleteByExpiry('console_links', 0, 'hash'),
  deleteByExpiry('console_sessions', 0, 'hash'),
  deleteByExpiry('console_invitations', 0, 'hash'),
  deleteByAge('console_challenges', 0, 'expires_at', 'team_id', 'hash'),
]

/**
 * Copies SQLite's log into the store's file if the log has many pages. Otherwise, a commit would do so at 4,000 pages,
 * and the process would wait for all of them.
 */
async function copySqliteLog({ engine, reader }: Store): Promise<void> {
  if (engine !== 'sqlite') return
  const { rows } = await sql<{ log: number; checkpointed: number }>`pragma wal_checkpoint(noop)`.execute(reader)
  const { log, checkpointed } = rows[0]!
  if (log - checkpointed < MIN_PAGES_TO_COPY) return
  // If copying fails, for example because the disk is full, a later commit tries again.
  await sql`pragma wal_checkpoint(passive)`.execute(reader).catch(() => {})
}

/**
 * Returns the size of the next batch, given that a batch of `size` rows took `elapsed` ms. The size is always at least
 * ten, and otherwise at most doubles.
 */
export const nextSize = (size: number, elapsed: number): number =>
  Math.min(BATCH_SIZE.most, Math.max(10, Math.floor(size * Math.min(2, BATCH_TARGET_MS / Math.max(elapsed, 0.1)))))

/**
 * Deletes expired rows in batches. Several processes may do so at the same time.
 * @returns the number of deleted rows by table
 */
export async function sweep(
  { store, clock }: SweepDeps,
  shouldContinue: () => boolean = () => true,
): Promise<Record<string, number>> {
  const deletedByTable: Record<string, number> = {}
  for (const { table, lifetimeMs, remove } of rules) {
    deletedByTable[table] = 0
    let size = BATCH_SIZE.first
    for (let isOver = false; !isOver && shouldContinue(); await yieldToEventLoop()) {
      let elapsed = 0
      const removed = await store.write(async tx => {
        const startedAt = performance.now()
        const count = await remove(tx, clock() - lifetimeMs, size)
        elapsed = performance.now() - startedAt
        return count
      })
      deletedByTable[table] += removed
      isOver = removed < size
      size = nextSize(size, elapsed)
      await yieldToEventLoop()
      if (removed > 0) await copySqliteLog(store)
    }
  }
  return deletedByTable
}

/** Sweeps immediately and then once an hour. @returns a function that stops sweeping after any batch in progress */
export function startSweep(deps: SweepDeps): () => Promise<void> {
  let isStopped = false
  let running: Promise<unknown> = Promise.resolve()
  const sweepOnce = () => {
    running = running
      .then(() => sweep(deps, () => !isStopped))
      .catch(error => deps.log('warn', 'sweep_failed', describeFault(error)))
  }
  const timer = setInterval(sweepOnce, HOUR_MS)
  timer.unref()
  sweepOnce()
  return async () => {
    isStopped = true
    clearInterval(timer)
    await running
  }
}
