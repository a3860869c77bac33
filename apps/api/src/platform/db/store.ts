import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { createClock } from './clock.js'
import { command } from './compiled-query.js'
import { errorCode, isContended, StoreFault, toTransactionFault } from './fault.js'
import { BUILD, checkSchema, type MigrateOptions, migrate, readSchema } from './migrations/migrate.js'
import { openPool } from './postgres/driver.js'
import {
  checkLimits,
  connectionLimits,
  createPool,
  rejectsOptions,
  STANDBY_REASON,
  TIMEOUTS_MS,
} from './postgres/pool.js'
import { createSqlite, openSqlite, rejectEmptyFile } from './sqlite/driver.js'
import { groupCommits, MAX_COMMIT_MEMBERS } from './sqlite/group-commits.js'
import { lockFile } from './sqlite/lock-file.js'
import { findTableProblem } from './table-problem.js'
import type { Tables } from './tables.js'
import type { Db, Store } from './types.js'

export type { Db, Engine, Store } from './types.js'

const beginSavepoint = command('savepoint attempt')
const releaseSavepoint = command('release savepoint attempt')
const rollBackSavepoint = command('rollback to savepoint attempt')

/**
 * Runs `work` within a savepoint, so that an error undoes only that work. Calls may be nested but must not run
 * concurrently: all savepoints have the same name, which both engines resolve to the innermost one.
 */
export async function savepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await beginSavepoint(tx)
  try {
    const result = await work()
    await releaseSavepoint(tx)
    return result
  } catch (error) {
    await rollBackSavepoint(tx).catch(second => {
      throw error instanceof StoreFault ? error : toTransactionFault(second)
    })
    await releaseSavepoint(tx)
    throw error
  }
}

export interface StoreOptions {
  /** If false, SQLite commits don't wait for the disk. Only for tests. */
  durable?: boolean
  /** The maximum number of connections to PostgreSQL; 16 by default. */
  pool?: number
  /** True (default) to use prepared statements on PostgreSQL. */
  prepared?: boolean
  /** The maximum duration of a statement on PostgreSQL, in ms; 15,000 by default. */
  timeout?: number
  /** The URL of a PostgreSQL replica; null by default. */
  replica?: string | null
  /**
   * Options for migrating PostgreSQL tables; `false` leaves the tables unchanged. SQLite tables are always migrated.
   */
  tables?: MigrateOptions | false
  /** The name of the environment variable that holds the URL. Used in error messages. */
  setting?: 'DATABASE_URL' | 'MIGRATE_DATABASE_URL'
}

/**
 * Opens the store at `url` and brings its tables up to date. Throws if a required migration or table is still missing
 * afterward.
 * @param url `file:PATH` (SQLite, owned by one process) or `postgres://...` (any number of processes)
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const store = await (url.startsWith('file:')
    ? openFile(url.slice('file:'.length), options)
    : openPostgres(url, options))
  try {
    await checkSchema(store.reader, store.engine).catch(error => {
      throw unusableError(error, 'The store cannot be used')
    })
    const problem = await findTableProblem(store)
    if (problem !== null) throw new Error(problem)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Returns a text for a test write. The text is larger than a page, so that writing it requires disk space, and random,
 * because PostgreSQL compresses long values.
 */
export const createProbeText = (): string => randomBytes(6_144).toString('base64')

/**
 * Tracks whether the last write failed. After a failure, a probe attempts another write, because a read-only store
 * would otherwise appear healthy.
 */
function watchWrites(write: Store['write']) {
  let fault: string | null = null
  const trackedWrite: Store['write'] = work =>
    write(work).then(
      result => {
        fault = null
        return result
      },
      error => {
        if (error instanceof StoreFault) fault = error.code
        throw error
      },
    )
  return {
    write: trackedWrite,
    async probe(): Promise<string | null> {
      if (fault === null) return null
      const value = createProbeText()
      await trackedWrite(tx =>
        tx
          .insertInto('settings')
          .values({ name: 'probe', value })
          .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
          .execute(),
      )
        .then(() => trackedWrite(tx => tx.deleteFrom('settings').where('name', '=', 'probe').execute()))
        .catch(() => {})
      return fault
    },
  }
}

/**
 * Returns an error that explains why a store can't be used. The error omits the driver's error object, which contains
 * the URL with the password.
 */
function unusableError(error: unknown, sentence: string): Error {
  const cause = error instanceof StoreFault ? error.cause : error
  const reason = (cause instanceof Error && cause.message) || errorCode(error) || 'no reason was given'
  return new Error(`${sentence}: ${reason}`)
}

/**
 * Opens a store for a short read or a small change, possibly while a service is using it. Doesn't claim a SQLite file
 * and doesn't migrate the tables.
 */
export async function openLiveStore(url: string, options: StoreOptions = {}): Promise<Store> {
  if (!url.startsWith('file:')) return openPostgres(url, { ...options, tables: false })
  const path = url.slice('file:'.length)
  rejectEmptyFile(path)
  const db = new Kysely<Tables>({ dialect: openSqlite(path) })
  return {
    engine: 'sqlite',
    width: 1,
    reader: db,
    behind: read => read(db),
    replica: null,
    write: work => db.transaction().execute(work),
    clock: () => Date.now(),
    probe: async () => null,
    pool: () => null,
    close: () => db.destroy(),
  }
}

async function openFile(path: string, { durable = true, tables }: StoreOptions): Promise<Store> {
  rejectEmptyFile(path)
  const unlock = lockFile(path)
  try {
    createSqlite(path)
    const writer = new Kysely<Tables>({ dialect: openSqlite(path, durable) })
    await migrate(writer, 'sqlite', { ...tables, alone: true })
    // A waiting statement would block the entire process, so the timeout is short and `groupCommits` retries instead.
    await sql`pragma busy_timeout = 50`.execute(writer)
    // Keeps in memory, not in a temporary file, the pages that a savepoint's rollback needs, so transactions must not
    // change very many rows. Set after the migration, because the sorting for a new index must be able to use a file.
    await sql`pragma temp_store = memory`.execute(writer)
    const reader = new Kysely<Tables>({ dialect: openSqlite(path) })
    const { write, probe } = watchWrites(groupCommits(writer))
    const { ino } = statSync(path)
    return {
      engine: 'sqlite',
      width: MAX_COMMIT_MEMBERS,
      reader,
      behind: read => read(reader),
      replica: null,
      write,
      clock: () => Date.now(),
      async probe() {
        if (statSync(path, { throwIfNoEntry: false })?.ino !== ino) return "the store's file was deleted or replaced"
        await reader.selectFrom('settings').select('name').limit(1).execute()
        return probe()
      },
      pool: () => null,
      async close() {
        await reader.destroy()
        await writer.destroy()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw unusableError(error, `The store ${path} cannot be opened`)
  }
}

/**
 * The time, in ms, for which a replica isn't used after a failure. Without this pause, every read could wait for a
 * connection to the replica.
 */
const REPLICA_PAUSE_MS = 30_000

/** Runs reads on a replica, or on the primary if there is no replica or the replica failed recently. */
function createReplicaReads(replica: Db | null, primary: Db): Store['behind'] {
  let failedAt = Number.NEGATIVE_INFINITY
  return async read => {
    if (replica === null || performance.now() - failedAt < REPLICA_PAUSE_MS) return read(primary)
    return read(replica).catch(() => {
      failedAt = performance.now()
      return read(primary)
    })
  }
}

const OUTDATED_REASON = 'a later version has changed the store so that this one can’t use it'
/** The maximum number of connections to a replica. */
const MAX_REPLICA_CONNECTIONS = 4
/** The interval in ms at which a process checks whether it is outdated. */
const OUTDATED_CHECK_INTERVAL_MS = 30_000

async function openPostgres(
  url: string,
  {
    pool: max = 16,
    prepared: isPrepared = true,
    timeout = TIMEOUTS_MS.statement,
    replica = null,
    tables = {},
    setting = 'DATABASE_URL',
  }: StoreOptions,
): Promise<Store> {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.NUMERIC, Number)
  const open = (overrides: pg.PoolConfig, isNaming: boolean, at = url) => {
    const pool = createPool(at, types, overrides)
    return { pool, db: new Kysely<Tables>({ dialect: openPool(pool, isNaming) }) }
  }
  const { options, query_timeout } = connectionLimits(timeout)
  let { pool, db } = open({ max, options, query_timeout }, isPrepared)
  let clock: Awaited<ReturnType<typeof createClock>>
  try {
    if (tables) {
      const unlimited = open({ max: 2 }, false).db
      await migrate(unlimited, 'postgres', tables).finally(() => unlimited.destroy())
    }
    if (await rejectsOptions(db)) {
      await db.destroy()
      ;({ pool, db } = open({ max, query_timeout }, isPrepared))
    }
    await checkLimits(db)
    clock = await createClock(db)
  } catch (error) {
    await db.destroy()
    throw unusableError(error, `The PostgreSQL database in ${setting} cannot be used`)
  }
  // Checks whether a later version has removed something that this process needs. Without this check, the process would
  // fail each time it used the missing part, and its jobs would run out of attempts.
  let isOutdated = false
  const checkOutdated = () => readSchema(db, 'postgres').then(state => (isOutdated = (state?.min_build ?? 0) > BUILD))
  const outdatedTimer = setInterval(() => void checkOutdated().catch(() => {}), OUTDATED_CHECK_INTERVAL_MS).unref()
  const { write, probe } = watchWrites(async work => {
    for (let attempt = 1; ; attempt++) {
      try {
        if (isOutdated) throw new StoreFault('OUTDATED', new Error(OUTDATED_REASON))
        return await db.transaction().execute(work)
      } catch (error) {
        if (attempt >= 10 || !isContended(error)) throw error
        // Waits a random time, to avoid another conflict with the same transaction.
        await wait(Math.random() * 20 * attempt)
      }
    }
  })
  // Doesn't send server-side limits, which a pooler could reject. Queries on a replica never wait for the service's
  // locks.
  const replicaDb =
    replica === null
      ? null
      : open({ max: MAX_REPLICA_CONNECTIONS, query_timeout, verify: undefined }, false, replica).db
  return {
    engine: 'postgres',
    width: max,
    reader: db,
    behind: createReplicaReads(replicaDb, db),
    replica: replicaDb,
    write,
    clock: clock.now,
    async probe() {
      const { rows } = await sql<{ standby: boolean; min_build: number }>`
        select pg_is_in_recovery() as standby, (select min_build from schema_state) as min_build`.execute(db)
      const { standby, min_build } = rows[0]!
      if (standby) return STANDBY_REASON
      return min_build > BUILD ? OUTDATED_REASON : probe()
    },
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      clearInterval(outdatedTimer)
      clock.stop()
      await Promise.all([db.destroy(), replicaDb?.destroy()])
    },
  }
}
