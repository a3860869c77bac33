import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { readJson } from '../db/json.js'
import type { Tables } from '../db/tables.js'
import type { Db, Store } from '../db/types.js'
import { describeFault, type Log } from '../log.js'
import { DAY_MS, HOUR_MS } from '../time.js'

interface SweepDeps {
  readonly store: Store
  /** Real time, in epoch milliseconds. A team's sandbox clock doesn't affect the expiry of rows. */
  readonly clock: () => number
  readonly log: Log
}

/** The number of rows to delete in a table's first transaction, and the maximum in any transaction. */
const BATCH = { first: 50, most: 500 }
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
  readonly keep: number
  /** Deletes at most `limit` rows that are older than `before` and returns how many it deleted. */
  readonly remove: (tx: Db, before: number, limit: number) => Promise<number>
}

/**
 * Casts a table's primary key columns to those of another table, because the query builder is typed for a single table.
 */
const pair = (keys: readonly string[]) => keys as ['team_id', 'id']

/** Selects the primary keys of a table's oldest rows. */
const oldest = (tx: Db, table: string, keys: readonly string[], column: string, before: number, limit: number) =>
  tx
    .selectFrom(table as 'requests')
    .select(pair(keys))
    .where(column as 'created_at', '<', before)
    .orderBy(column as 'created_at')
    .limit(limit)

/** Deletes rows by age, measured from a time column. @param keys the primary key's columns */
const byAge = <T extends keyof Tables>(
  table: T,
  keep: number,
  column: keyof Tables[T] & string,
  ...keys: (keyof Tables[T] & string)[]
): Rule => ({
  table,
  keep,
  async remove(tx, before, limit) {
    const { numDeletedRows } = await tx
      .deleteFrom(table as 'requests')
      .where(row =>
        row(
          row.refTuple(...pair(keys)),
          'in',
          oldest(tx, table, keys, column, before, limit).$asTuple('team_id', 'id'),
        ),
      )
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
})

/** Deletes expired rows and the directory rows that refer to them. */
const byExpiry = <T extends 'bearers' | 'tokens' | 'console_links' | 'console_sessions'>(
  table: T,
  keep: number,
  key: keyof Tables[T] & string,
): Rule => ({
  table,
  keep,
  async remove(tx, before, limit) {
    const keys = ['team_id', key]
    const gone = await tx
      .deleteFrom(table as 'requests')
      .where(row =>
        row(
          row.refTuple(...pair(keys)),
          'in',
          oldest(tx, table, keys, 'expires_at', before, limit).$asTuple('team_id', 'id'),
        ),
      )
      .returning(`${key as 'id'} as key`)
      .execute()
    if (gone.length > 0)
      await tx
        .deleteFrom('directory')
        .where(
          'key',
          'in',
          gone.map(row => row.key),
        )
        .execute()
    return gone.length
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
  keep: 30 * DAY_MS,
  async remove(tx, before, limit) {
    const gone = await tx
      .deleteFrom('requests')
      .where(row =>
        row(
          row.refTuple('team_id', 'id'),
          'in',
          oldest(tx, 'requests', ['team_id', 'id'], 'created_at', before, limit).$asTuple('team_id', 'id'),
        ),
      )
      .returning(['team_id', 'id', 'resource_ids'])
      .execute()
    const refs = gone.flatMap(({ team_id, id, resource_ids }) =>
      readJson('requests.resource_ids', resource_ids).map(about => [team_id, about, id]),
    )
    if (refs.length > 0) await removeRefs(tx, refs)
    return gone.length
  },
}

/** Deletes the bodies that earlier releases stored in the rows of their requests. */
const bodiesInRows: Rule = {
  table: 'requests.bodies',
  keep: BODY_LIFETIME_MS,
  async remove(tx, before, limit) {
    const { numUpdatedRows } = await tx
      .updateTable('requests')
      .set({ request: null, response: null })
      .where(row =>
        row(
          row.refTuple('team_id', 'id'),
          'in',
          oldest(tx, 'requests', ['team_id', 'id'], 'created_at', before, limit)
            .where(some => some.or([some('request', 'is not', null), some('response', 'is not', null)]))
            .$asTuple('team_id', 'id'),
        ),
      )
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
}

const rules: readonly Rule[] = [
  // The API guarantees stored responses for only 72 hours.
  byAge('idempotency', /* mutant: answers-are-kept (= 1) */ 7 * DAY_MS, 'created_at', 'team_id', 'key'),
  // Counters are not used after their window ends.
  byAge('counters', 0, 'ends_at', 'kind', 'subject'),
  byExpiry('bearers', DAY_MS, 'hash'),
  // Clients look up a token's outcome long after the token has expired.
  byExpiry('tokens', 90 * DAY_MS, 'handle'),
  // After this time, the service relies on connectors to recognize repeated actions.
  byAge('connector_acts', 90 * DAY_MS, 'sent_at', 'team_id', 'method', 'request_id'),
  byAge('connector_pushes', 7 * DAY_MS, 'received_at', 'team_id', 'id'),
  requests,
  byAge('request_bodies', BODY_LIFETIME_MS, 'created_at', 'team_id', 'id'),
  bodiesInRows,
  // Kept one day longer than the period that statistics can cover.
  byAge('request_counts', 32 * DAY_MS, 'hour', 'team_id', 'hour', 'status', 'sub_type', 'ms'),
  byAge('delivery_attempts', 30 * DAY_MS, 'attempted_at', 'team_id', 'delivery_id', 'attempted_at', 'number'),
  byExpiry('console_links', 0, 'hash'),
  byExpiry('console_sessions', 0, 'hash'),
]

/**
 * Copies SQLite's log into the store's file if the log has many pages. Otherwise, a commit would do so at 4,000 pages,
 * and the process would wait for all of them.
 */
async function copyLog({ engine, reader }: Store): Promise<void> {
  if (engine !== 'sqlite') return
  const { rows } = await sql<{ log: number; checkpointed: number }>`pragma wal_checkpoint(noop)`.execute(reader)
  const { log, checkpointed } = rows[0]!
  if (log - checkpointed < MIN_PAGES_TO_COPY) return
  // If copying fails, for example because the disk is full, a later commit tries again.
  await sql`pragma wal_checkpoint(passive)`.execute(reader).catch(() => {})
}

/**
 * Returns the size of the next batch, given that a batch of `size` rows took `took` ms. The size is always at least
 * ten, and otherwise at most doubles.
 */
export const nextSize = (size: number, took: number): number =>
  Math.min(BATCH.most, Math.max(10, Math.floor(size * Math.min(2, BATCH_TARGET_MS / Math.max(took, 0.1)))))

/**
 * Deletes expired rows in batches. Several processes may do so at the same time.
 * @returns the number of deleted rows by table
 */
export async function sweep(
  { store, clock }: SweepDeps,
  go: () => boolean = () => true,
): Promise<Record<string, number>> {
  const gone: Record<string, number> = {}
  for (const { table, keep, remove } of rules) {
    gone[table] = 0
    let size = BATCH.first
    for (let isOver = false; !isOver && go(); await turn()) {
      let took = 0
      const removed = await store.write(async tx => {
        const began = performance.now()
        const count = await remove(tx, clock() - keep, size)
        took = performance.now() - began
        return count
      })
      gone[table] += removed
      isOver = removed < size
      size = nextSize(size, took)
      await turn()
      if (removed > 0) await copyLog(store)
    }
  }
  return gone
}

/** Sweeps immediately and then once an hour. @returns a function that stops sweeping after any batch in progress */
export function startSweep(deps: SweepDeps): () => Promise<void> {
  let stopped = false
  let running: Promise<unknown> = Promise.resolve()
  const once = () => {
    running = running
      .then(() => sweep(deps, () => !stopped))
      .catch(error => deps.log('warn', 'sweep_failed', describeFault(error)))
  }
  const timer = setInterval(once, HOUR_MS)
  timer.unref()
  once()
  return async () => {
    stopped = true
    clearInterval(timer)
    await running
  }
}
