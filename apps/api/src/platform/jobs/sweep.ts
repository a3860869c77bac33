import { setImmediate as turn } from 'node:timers/promises'
import type { Db, Store } from '../db/store.js'
import { describeFault, type Log } from '../log.js'

interface SweepDeps {
  readonly store: Store
  /** Real time, epoch milliseconds: a team's sandbox clock makes nothing old. */
  readonly clock: () => number
  readonly log: Log
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Rows of one transaction. It is short, so that other writers do not wait long. */
const BATCH = 500

/** Deletes at most `limit` rows that are older than `before`. */
type Delete = (tx: Db, before: number, limit: number) => Promise<{ numDeletedRows: bigint }>

/** Deletes the rows of the directory that led to deleted ones. */
async function leaveDirectory(tx: Db, gone: readonly { key: string }[]): Promise<{ numDeletedRows: bigint }> {
  if (gone.length > 0)
    await tx
      .deleteFrom('directory')
      .where(
        'key',
        'in',
        gone.map(row => row.key),
      )
      .execute()
  return { numDeletedRows: BigInt(gone.length) }
}

/** Retention times. The stored answers of keys are promised for 72 hours. */
const rules: { table: string; keep: number; remove: Delete }[] = [
  {
    table: 'idempotency',
    keep: 7 * DAY,
    remove: (tx, before, limit) =>
      tx
        .deleteFrom('idempotency')
        .where(row =>
          row(
            row.refTuple('team_id', 'key'),
            'in',
            row
              .selectFrom('idempotency')
              .select(['team_id', 'key'])
              .where('created_at', '<', before)
              .orderBy('created_at')
              .limit(limit)
              .$asTuple('team_id', 'key'),
          ),
        )
        .executeTakeFirstOrThrow(),
  },
  {
    // A counter whose window has ended is meaningless.
    table: 'counters',
    keep: 0,
    remove: (tx, before, limit) =>
      tx
        .deleteFrom('counters')
        .where(row =>
          row(
            row.refTuple('kind', 'subject'),
            'in',
            row
              .selectFrom('counters')
              .select(['kind', 'subject'])
              .where('ends_at', '<', before)
              .limit(limit)
              .$asTuple('kind', 'subject'),
          ),
        )
        .executeTakeFirstOrThrow(),
  },
  {
    table: 'bearers',
    keep: DAY,
    remove: async (tx, before, limit) => {
      const old = tx.selectFrom('bearers').select(['team_id', 'hash']).where('expires_at', '<', before).limit(limit)
      const gone = await tx
        .deleteFrom('bearers')
        .where(row => row(row.refTuple('team_id', 'hash'), 'in', old.$asTuple('team_id', 'hash')))
        .returning('hash as key')
        .execute()
      return leaveDirectory(tx, gone)
    },
  },
  {
    // Clients look up the outcome of a token by the token, long after it could be redeemed.
    table: 'tokens',
    keep: 90 * DAY,
    remove: async (tx, before, limit) => {
      const old = tx.selectFrom('tokens').select(['team_id', 'handle']).where('expires_at', '<', before).limit(limit)
      const gone = await tx
        .deleteFrom('tokens')
        .where(row => row(row.refTuple('team_id', 'handle'), 'in', old.$asTuple('team_id', 'handle')))
        .returning('handle as key')
        .execute()
      return leaveDirectory(tx, gone)
    },
  },
  {
    // By then a connector recognizes an action that is repeated.
    table: 'connector_acts',
    keep: 90 * DAY,
    remove: (tx, before, limit) =>
      tx
        .deleteFrom('connector_acts')
        .where(row =>
          row(
            row.refTuple('team_id', 'method', 'request_id'),
            'in',
            row
              .selectFrom('connector_acts')
              .select(['team_id', 'method', 'request_id'])
              .where('sent_at', '<', before)
              .limit(limit)
              .$asTuple('team_id', 'method', 'request_id'),
          ),
        )
        .executeTakeFirstOrThrow(),
  },
  {
    table: 'connector_pushes',
    keep: 7 * DAY,
    remove: (tx, before, limit) =>
      tx
        .deleteFrom('connector_pushes')
        .where(row =>
          row(
            row.refTuple('team_id', 'id'),
            'in',
            row
              .selectFrom('connector_pushes')
              .select(['team_id', 'id'])
              .where('received_at', '<', before)
              .limit(limit)
              .$asTuple('team_id', 'id'),
          ),
        )
        .executeTakeFirstOrThrow(),
  },
  {
    table: 'requests',
    keep: 30 * DAY,
    remove: (tx, before, limit) =>
      tx
        .deleteFrom('requests')
        .where(row =>
          row(
            row.refTuple('team_id', 'id'),
            'in',
            row
              .selectFrom('requests')
              .select(['team_id', 'id'])
              .where('created_at', '<', before)
              .orderBy('created_at')
              .limit(limit)
              .$asTuple('team_id', 'id'),
          ),
        )
        .executeTakeFirstOrThrow(),
  },
  {
    // The bodies of the request log.
    table: 'request_bodies',
    keep: 7 * DAY,
    remove: async (tx, before, limit) => {
      const { numUpdatedRows } = await tx
        .updateTable('requests')
        .set({ request: null, response: null })
        .where(row =>
          row(
            row.refTuple('team_id', 'id'),
            'in',
            row
              .selectFrom('requests')
              .select(['team_id', 'id'])
              .where('created_at', '<', before)
              .where(some => some.or([some('request', 'is not', null), some('response', 'is not', null)]))
              .orderBy('created_at')
              .limit(limit)
              .$asTuple('team_id', 'id'),
          ),
        )
        .executeTakeFirstOrThrow()
      return { numDeletedRows: numUpdatedRows }
    },
  },
  {
    table: 'request_refs',
    keep: 30 * DAY,
    remove: (tx, before, limit) =>
      tx
        .deleteFrom('request_refs')
        .where(row =>
          row(
            row.refTuple('team_id', 'about', 'request_id'),
            'in',
            row
              .selectFrom('request_refs')
              .select(['team_id', 'about', 'request_id'])
              .where('created_at', '<', before)
              .orderBy('created_at')
              .limit(limit)
              .$asTuple('team_id', 'about', 'request_id'),
          ),
        )
        .executeTakeFirstOrThrow(),
  },
  {
    // A day more than statistics reach back.
    table: 'request_counts',
    keep: 32 * DAY,
    remove: (tx, before, limit) =>
      tx
        .deleteFrom('request_counts')
        .where(row =>
          row(
            row.refTuple('team_id', 'hour', 'status', 'sub_type', 'ms'),
            'in',
            row
              .selectFrom('request_counts')
              .select(['team_id', 'hour', 'status', 'sub_type', 'ms'])
              .where('hour', '<', before)
              .orderBy('hour')
              .limit(limit)
              .$asTuple('team_id', 'hour', 'status', 'sub_type', 'ms'),
          ),
        )
        .executeTakeFirstOrThrow(),
  },
  {
    table: 'delivery_attempts',
    keep: 30 * DAY,
    remove: (tx, before, limit) =>
      tx
        .deleteFrom('delivery_attempts')
        .where(row =>
          row(
            row.refTuple('team_id', 'delivery_id', 'attempted_at', 'number'),
            'in',
            row
              .selectFrom('delivery_attempts')
              .select(['team_id', 'delivery_id', 'attempted_at', 'number'])
              .where('attempted_at', '<', before)
              .orderBy('attempted_at')
              .limit(limit)
              .$asTuple('team_id', 'delivery_id', 'attempted_at', 'number'),
          ),
        )
        .executeTakeFirstOrThrow(),
  },
  {
    table: 'console_links',
    keep: 0,
    remove: async (tx, before, limit) => {
      const old = tx
        .selectFrom('console_links')
        .select(['team_id', 'hash'])
        .where('expires_at', '<', before)
        .limit(limit)
      const gone = await tx
        .deleteFrom('console_links')
        .where(row => row(row.refTuple('team_id', 'hash'), 'in', old.$asTuple('team_id', 'hash')))
        .returning('hash as key')
        .execute()
      return leaveDirectory(tx, gone)
    },
  },
  {
    table: 'console_sessions',
    keep: 0,
    remove: async (tx, before, limit) => {
      const old = tx
        .selectFrom('console_sessions')
        .select(['team_id', 'hash'])
        .where('expires_at', '<', before)
        .limit(limit)
      const gone = await tx
        .deleteFrom('console_sessions')
        .where(row => row(row.refTuple('team_id', 'hash'), 'in', old.$asTuple('team_id', 'hash')))
        .returning('hash as key')
        .execute()
      return leaveDirectory(tx, gone)
    },
  },
]

/** Deletes expired rows, batch by batch. Several processes may do it at once. @returns rows by table */
export async function sweep(
  { store, clock }: SweepDeps,
  go: () => boolean = () => true,
): Promise<Record<string, number>> {
  const gone: Record<string, number> = {}
  for (const { table, keep, remove } of rules) {
    gone[table] = 0
    for (let removed = BATCH; removed >= BATCH && go(); await turn()) {
      const { numDeletedRows } = await store.write(tx => remove(tx, clock() - keep, BATCH))
      removed = Number(numDeletedRows)
      gone[table] += removed
    }
  }
  return gone
}

/** Sweeps now and every hour. @returns stops it, after the batch at hand */
export function startSweep(deps: SweepDeps): () => Promise<void> {
  let stopped = false
  let running: Promise<unknown> = Promise.resolve()
  const once = () => {
    running = running
      .then(() => sweep(deps, () => !stopped))
      .catch(error => deps.log('warn', 'sweep_failed', describeFault(error)))
  }
  const timer = setInterval(once, HOUR)
  timer.unref()
  once()
  return async () => {
    stopped = true
    clearInterval(timer)
    await running
  }
}
