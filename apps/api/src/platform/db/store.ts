import { closeSync, openSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { createClock } from './clock.js'
import { command } from './compiled.js'
import { errorCode, isContended, isLost, readFault, STALE_PLAN, StoreFault } from './fault.js'
import { groupCommits, TOGETHER } from './group.js'
import { lockFile } from './lock.js'
import { migrate } from './migrate.js'
import { openSqlite } from './sqlite.js'
import type { Tables } from './tables.js'

export type Engine = 'sqlite' | 'postgres'
/** A connection that can be queried: the reader, or an open transaction. */
export type Db = Kysely<Tables>

export interface Store {
  readonly engine: Engine
  /** Transactions that run well at the same time: those that share a commit on SQLite, the connections on PostgreSQL. */
  readonly width: number
  /** For reads outside a transaction. */
  readonly reader: Db
  /** Runs `work` in one transaction; what it throws rolls everything back. It may run again where another one was in its way. */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** `for update` where the engine has row locks; the other engine has one writer at a time. */
  lock<Q extends { forUpdate(): Q }>(query: Q): Q
  /**
   * Real time, epoch milliseconds. With PostgreSQL its clock, so that processes whose own clocks differ agree on when a
   * lease ends; with SQLite the clock of this machine.
   */
  clock(): number
  /** Why the store cannot be written to now, or null. Throws or waits like any statement: a caller sets its own limit. */
  probe(): Promise<string | null>
  /** Connections of the pool now; null for SQLite, which has none. */
  pool(): { open: number; idle: number; waiting: number } | null
  close(): Promise<void>
}

const mark = command('savepoint attempt')
const release = command('release savepoint attempt')
const undo = command('rollback to savepoint attempt')

/**
 * Runs `work` behind a savepoint: what it throws undoes what it did, and nothing else. One may stand inside another, but
 * not beside it: of savepoints with one name, both engines mean the innermost.
 */
export async function savepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await mark(tx)
  try {
    const result = await work()
    await release(tx)
    return result
  } catch (error) {
    await undo(tx)
    await release(tx)
    throw error
  }
}

export interface StoreOptions {
  /** `false` in tests only: SQLite commits without waiting for the disk. */
  durable?: boolean
  /** Connections to PostgreSQL, 16 by default. */
  pool?: number
  /** Whether statements are prepared on PostgreSQL, `true` by default. */
  prepared?: boolean
  /** Whether the tables of PostgreSQL are brought up to date, `true` by default. */
  migrates?: boolean
}

/**
 * Opens the store that `url` names and brings its tables up to date.
 * @param url `file:PATH` (SQLite, owned by one process) or `postgres://...` (any number of processes)
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  return url.startsWith('file:')
    ? openFile(url.slice('file:'.length), options.durable ?? true)
    : openPostgres(url, options)
}

/** Remembers whether the last write failed, so that a probe tries one again; a store that only reads looks healthy. */
function watchWrites(write: Store['write']) {
  let fault: string | null = null
  const watched: Store['write'] = work =>
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
    write: watched,
    async probe(): Promise<string | null> {
      if (fault === null) return null
      // Larger than a page, so that it needs room on the disk.
      const value = 'x'.repeat(8_192)
      await watched(tx =>
        tx
          .insertInto('settings')
          .values({ name: 'probe', value })
          .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
          .execute(),
      )
        .then(() => watched(tx => tx.deleteFrom('settings').where('name', '=', 'probe').execute()))
        .catch(() => {})
      return fault
    },
  }
}

/** Why a store did not open, for the one who starts it. The driver's error holds the address with its password: left out. */
function unusable(error: unknown, sentence: string): Error {
  const cause = error instanceof StoreFault ? error.cause : error
  const reason = (cause instanceof Error && cause.message) || errorCode(error) || 'no reason was given'
  return new Error(`${sentence}: ${reason}`)
}

/**
 * Opens a store for a short look or a small change while a service may use it: without the claim on a SQLite file, and
 * without bringing the tables of one up to date.
 */
export async function openBeside(url: string, options: StoreOptions = {}): Promise<Store> {
  if (!url.startsWith('file:')) return openPostgres(url, options)
  const db = new Kysely<Tables>({ dialect: openSqlite(url.slice('file:'.length)) })
  return {
    engine: 'sqlite',
    width: 1,
    reader: db,
    write: work => db.transaction().execute(work),
    lock: query => query,
    clock: () => Date.now(),
    probe: async () => null,
    pool: () => null,
    close: () => db.destroy(),
  }
}

async function openFile(path: string, durable: boolean): Promise<Store> {
  const unlock = lockFile(path)
  try {
    // Before the engine makes it, so that the files beside it take its mode too.
    closeSync(openSync(path, 'a', 0o600))
    const writer = new Kysely<Tables>({ dialect: openSqlite(path, durable) })
    await migrate(writer, 'sqlite')
    // Nothing else runs in this process while a statement waits for another one: `groupCommits` asks again instead.
    await sql`pragma busy_timeout = 50`.execute(writer)
    const reader = new Kysely<Tables>({ dialect: openSqlite(path) })
    const { write, probe } = watchWrites(groupCommits(writer))
    const { ino } = statSync(path)
    return {
      engine: 'sqlite',
      width: TOGETHER,
      reader,
      write,
      lock: query => query,
      clock: () => Date.now(),
      async probe() {
        if (statSync(path, { throwIfNoEntry: false })?.ino !== ino)
          return 'the file of the store was deleted or replaced'
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
    throw unusable(error, `The store ${path} cannot be opened`)
  }
}

/**
 * A commit has no time limit on the server. Where a standby has to confirm it and does not, a limit would end the wait and
 * report success, and the transaction would be gone once that standby takes over. The client's limit reports a failure.
 */
const COMMIT = 'set local statement_timeout = 0; commit'

/** Statements that are given a name; far more than there are. */
const PREPARED = 500

/**
 * Names the statements with parameters, so that each connection reads the text of one once. Where another process has
 * changed a table since, PostgreSQL rejects the old plan of a name; the statement then gets a new name and runs again.
 * A transaction can't continue after that, so `write` repeats it.
 */
function prepared(pool: pg.Pool, isNaming: boolean): PostgresPool {
  const names = new Map<string, string>()
  let given = 0
  const nameOf = (text: string) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= PREPARED) return known
    names.set(text, `s${given++}`)
    return names.get(text)
  }
  const acquire = () =>
    pool.connect().catch(error => {
      throw readFault(error)
    })
  async function run(client: pg.PoolClient, text: string, values: unknown[]) {
    const name = isNaming && values.length > 0 ? nameOf(text) : undefined
    try {
      if (name === undefined) return await client.query({ text, values })
      return await client.query({ name, text, values })
    } catch (error) {
      if (errorCode(error) !== STALE_PLAN || name === undefined) throw readFault(error)
      if (names.get(text) === name) names.delete(text)
      return client.query({ name: nameOf(text), text, values }).catch(() => {
        throw error
      })
    }
  }
  return {
    async connect() {
      /** None while nothing takes the place of one that broke. */
      let client: pg.PoolClient | undefined = await acquire()
      let isFirst = true
      /** What a connection that failed still answers belongs to nobody, so it is not used again. */
      let failed = false
      const query = async (asked: string, values: unknown[]) => {
        const text = asked === 'commit' ? COMMIT : asked
        const isRepeatable = isFirst && /^(begin|select)\b/.test(text)
        isFirst = false
        if (!client) throw new StoreFault('CONNECTION_LOST', undefined)
        try {
          return await run(client, text, values)
        } catch (error) {
          failed ||= error instanceof StoreFault
          // The connection broke while nobody used it, and the pool has not heard of it yet.
          if (!isRepeatable || !isLost(error)) throw error
          client.release(true)
          client = undefined
          client = await acquire()
          failed = false
          return run(client, text, values)
        }
      }
      return { query: query as unknown as PostgresPoolClient['query'], release: () => client?.release(failed) }
    },
    end: () => pool.end(),
  }
}

/** Returns true where a pooler rejects the limits that the service sends with each connection. */
const refusesOptions = (db: Kysely<Tables>): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => false,
    error => {
      if (/startup parameter/.test(String((error as Error).message))) return true
      throw error
    },
  )

/** Throws where something between the service and PostgreSQL dropped the limits. Without them, a wait for a lock has no end. */
async function checkLimits(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ lock: string; name: string; role: string }>`
    select current_setting('lock_timeout') as lock, current_database() as name, current_user as role`.execute(db)
  const [{ lock, name, role } = { lock: '0', name: '', role: '' }] = rows
  if (lock !== '0') return
  throw new Error(
    `lock_timeout is 0: a pooler such as PgBouncer dropped the limits that the service sent. Set them once for the role: alter role "${role}" in database "${name}" set lock_timeout = ${LIMITS.lock}; the same for statement_timeout = ${LIMITS.statement} and idle_in_transaction_session_timeout = ${LIMITS.idle}`,
  )
}

/** Limits in ms. That of the client is longer than the server's: it counts only where nothing arrives any more. */
const STANDBY = 'PostgreSQL is a standby, which takes no writes'

const LIMITS = { lock: 5_000, statement: 15_000, query: 17_000, idle: 60_000, connect: 5_000 }

/** Limits that the server keeps for each connection. Not for migrations, which may take long. */
const serverLimits = `-c lock_timeout=${LIMITS.lock} -c statement_timeout=${LIMITS.statement} -c idle_in_transaction_session_timeout=${LIMITS.idle}`

/**
 * Refuses a new connection to a server that takes no writes. After a failover, the one that led before can still show
 * commits that nobody else has.
 */
function refuseStandby(client: pg.PoolClient, done: (error?: Error) => void): void {
  client
    .query("select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_standby")
    .then(
      ({ rows }) => done(rows[0].is_standby ? Object.assign(new Error(STANDBY), { code: '25006' }) : undefined),
      done,
    )
}

function createPool(url: string, types: pg.TypeOverrides, more: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    keepAlive: true,
    connectionTimeoutMillis: LIMITS.connect,
    verify: refuseStandby,
    ...more,
  })
  // A connection that breaks is replaced at its next use, and the query on it fails. Without listeners, one for idle
  // connections and one for those in use, Node.js would end the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

async function openPostgres(
  url: string,
  { pool: max = 16, prepared: isPrepared = true, migrates = true }: StoreOptions = {},
): Promise<Store> {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.NUMERIC, Number)
  let pool: pg.Pool | undefined
  const open = (more: pg.PoolConfig, named: boolean) => {
    pool = createPool(url, types, more)
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: prepared(pool, named) }) })
  }
  let db = open({ max, options: serverLimits, query_timeout: LIMITS.query }, isPrepared)
  let clock: Awaited<ReturnType<typeof createClock>>
  try {
    if (migrates) {
      const unlimited = open({ max: 2 }, false)
      await migrate(unlimited, 'postgres').finally(() => unlimited.destroy())
    }
    if (await refusesOptions(db)) {
      await db.destroy()
      db = open({ max, query_timeout: LIMITS.query }, isPrepared)
    }
    await checkLimits(db)
    clock = await createClock(db)
  } catch (error) {
    await db.destroy()
    throw unusable(error, 'The PostgreSQL of DATABASE_URL cannot be used')
  }
  const { write, probe } = watchWrites(async work => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await db.transaction().execute(work)
      } catch (error) {
        if (attempt >= 10 || !isContended(error)) throw error
        // Not at the same moment as the one that was in the way, which may have to run again too.
        await wait(Math.random() * 20 * attempt)
      }
    }
  })
  return {
    engine: 'postgres',
    width: max,
    reader: db,
    write,
    lock: query => query.forUpdate(),
    clock: clock.now,
    async probe() {
      const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(db)
      return rows[0]!.standby ? STANDBY : probe()
    },
    pool: () => (pool ? { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount } : null),
    async close() {
      clock.stop()
      await db.destroy()
    },
  }
}
