import { closeSync, openSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { groupCommits } from './group.js'
import { lockFile } from './lock.js'
import { migrate } from './migrate.js'
import { openSqlite } from './sqlite.js'
import type { Tables } from './tables.js'

export type Engine = 'sqlite' | 'postgres'
/** A connection that can be queried: the reader, or an open transaction. */
export type Db = Kysely<Tables>

export interface Store {
  readonly engine: Engine
  /** For reads outside a transaction. */
  readonly reader: Db
  /** Runs `work` in one transaction; what it throws rolls everything back. It may run again where another one was in its way. */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** `for update` where the engine has row locks; the other engine has one writer at a time. */
  lock<Q extends { forUpdate(): Q }>(query: Q): Q
  close(): Promise<void>
}

/** PostgreSQL's code for a lock that was not granted in time. */
export const LOCK_TIMEOUT = '55P03'
/** What another transaction was in the way of: nothing is wrong with this one. */
const AGAIN = new Set(['40P01', '40001', LOCK_TIMEOUT])

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** Whether other transactions were in the way of this one, however often it ran. It did nothing, and may be sent again. */
export const isContended = (error: unknown) => AGAIN.has(errorCode(error) ?? '')

/**
 * Runs `work` behind a savepoint: what it throws undoes what it did, and nothing else. One may stand inside another, but
 * not beside it: of savepoints with one name, both engines mean the innermost.
 */
export async function savepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint attempt`.execute(tx)
  try {
    const result = await work()
    await sql`release savepoint attempt`.execute(tx)
    return result
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(tx)
    await sql`release savepoint attempt`.execute(tx)
    throw error
  }
}

/**
 * Opens the store that `url` names and brings its tables up to date.
 * @param url `file:PATH` (SQLite, owned by one process) or `postgres://...` (any number of processes)
 * @param options.durable `false` in tests only: SQLite commits without waiting for the disk
 */
export async function openStore(url: string, { durable = true } = {}): Promise<Store> {
  return url.startsWith('file:') ? openFile(url.slice('file:'.length), durable) : openPostgres(url)
}

/** Why a store did not open, for the one who starts it. The driver's error holds the address with its password: left out. */
function unusable(error: unknown, sentence: string): Error {
  const reason = (error instanceof Error && error.message) || errorCode(error) || 'no reason was given'
  return new Error(`${sentence}: ${reason}`)
}

/**
 * Opens a store for a short look or a small change while a service may use it: without the claim on a SQLite file, and
 * without bringing its tables up to date.
 */
export async function openBeside(url: string): Promise<Store> {
  if (!url.startsWith('file:')) return openPostgres(url)
  const db = new Kysely<Tables>({ dialect: openSqlite(url.slice('file:'.length)) })
  return {
    engine: 'sqlite',
    reader: db,
    write: work => db.transaction().execute(work),
    lock: query => query,
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
    const reader = new Kysely<Tables>({ dialect: openSqlite(path) })
    return {
      engine: 'sqlite',
      reader,
      write: groupCommits(writer),
      lock: query => query,
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

/** The code of PostgreSQL for "cached plan must not change result type". */
const STALE_PLAN = '0A000'

/** Statements that are given a name; far more than there are. */
const PREPARED = 500

/**
 * Names the statements with parameters, so that each connection reads the text of one once. Where another process has
 * changed a table since, PostgreSQL rejects the old plan of a name; the statement then gets a new name and runs again.
 * A transaction can't continue after that, so `write` repeats it.
 */
function prepared(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()
  let given = 0
  const nameOf = (text: string) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= PREPARED) return known
    names.set(text, `s${given++}`)
    return names.get(text)
  }
  return {
    async connect() {
      const client = await pool.connect()
      const query = async (text: string, values: unknown[]) => {
        const name = values.length > 0 ? nameOf(text) : undefined
        if (name === undefined) return client.query({ text, values })
        try {
          return await client.query({ name, text, values })
        } catch (error) {
          if (errorCode(error) !== STALE_PLAN) throw error
          if (names.get(text) === name) names.delete(text)
          return client.query({ name: nameOf(text), text, values }).catch(() => {
            throw error
          })
        }
      }
      return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() }
    },
    end: () => pool.end(),
  }
}

async function openPostgres(url: string): Promise<Store> {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.NUMERIC, Number)
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    types,
    options: '-c lock_timeout=5000 -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000',
  })
  // A connection that breaks is replaced at its next use, and the query on it fails. Without listeners, one for idle
  // connections and one for those in use, Node.js would end the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: prepared(pool) }) })
  try {
    await migrate(db, 'postgres')
  } catch (error) {
    await db.destroy()
    throw unusable(error, 'The PostgreSQL of DATABASE_URL cannot be used')
  }
  return {
    engine: 'postgres',
    reader: db,
    async write(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await db.transaction().execute(work)
        } catch (error) {
          if (attempt >= 10 || !(isContended(error) || errorCode(error) === STALE_PLAN)) throw error
          // Not at the same moment as the one that was in the way, which may have to run again too.
          await wait(Math.random() * 20 * attempt)
        }
      }
    },
    lock: query => query.forUpdate(),
    close: () => db.destroy(),
  }
}
