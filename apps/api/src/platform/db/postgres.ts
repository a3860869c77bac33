import { type Kysely, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { errorCode, isLost, readFault, STALE_PLAN, StoreFault } from './fault.js'
import type { Tables } from './tables.js'

/**
 * Commits without a time limit on the server. If a standby must confirm a commit but doesn't, a server-side limit would
 * end the wait and report success, even though the transaction would be lost if that standby took over. The client-side
 * limit reports a failure instead.
 */
const COMMIT = 'set local statement_timeout = 0; commit'

/** The maximum number of named statements. The service uses far fewer. */
const PREPARED = 500

/**
 * Names the statements that have parameters, so that each connection parses each statement only once. If another
 * process has since changed a table, PostgreSQL rejects the old plan, and the statement runs again under a new name. A
 * transaction can't continue after that error, so `write` retries the transaction.
 */
export function prepared(pool: pg.Pool, isNaming: boolean): PostgresPool {
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
      /** Undefined while a broken connection is being replaced. */
      let client: pg.PoolClient | undefined = await acquire()
      let isFirst = true
      /**
       * True after the connection has failed. A failed connection isn't reused, because late responses may still arrive
       * on it.
       */
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
          // The connection may have broken while it was idle, without the pool detecting it.
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

/** Returns true if a pooler rejects the limits that the service sends with each connection. */
export const refusesOptions = (db: Kysely<Tables>): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => false,
    error => {
      if (/startup parameter/.test(String((error as Error).message))) return true
      throw error
    },
  )

/** The limits that each connection must have, with the values in ms that the error message suggests. */
const required = () => ({
  lock_timeout: LIMITS.lock,
  statement_timeout: LIMITS.statement,
  idle_in_transaction_session_timeout: LIMITS.idle,
})

/**
 * Throws if a pooler discarded the limits that the service sent with the connection. Without them, a statement could
 * wait indefinitely for a lock, and a process that stopped responding could hold its locks indefinitely.
 */
export async function checkLimits(db: Kysely<Tables>): Promise<void> {
  const limits = Object.entries(required())
  const { rows } = await sql<Record<string, string>>`
    select current_database() as name, current_user as role,
      ${sql.join(limits.map(([limit]) => sql`current_setting(${sql.lit(limit)}) as ${sql.id(limit)}`))}`.execute(db)
  const found = rows[0]!
  const lacking = limits.filter(([limit]) => found[limit] === '0')
  if (lacking.length === 0) return
  const commands = lacking.map(
    ([limit, ms]) => `alter role "${found['role']}" in database "${found['name']}" set ${limit} = ${ms};`,
  )
  throw new Error(
    `these limits are 0: ${lacking.map(([limit]) => limit).join(', ')}. A pooler such as PgBouncer dropped the limits that the service sent. Set them once for the role: ${commands.join(' ')}`,
  )
}

export const STANDBY = 'PostgreSQL is a standby, which accepts no writes'

/** Limits in ms. */
export const LIMITS = { lock: 5_000, statement: 15_000, idle: 60_000, connect: 5_000 }

/**
 * Returns the connection options for a statement limit in ms. The server enforces its limits, and the client's own,
 * longer limit applies only if no response arrives. Don't use these options for migrations, which may take a long time.
 */
export const limited = (statement: number) => ({
  options: `-c lock_timeout=${LIMITS.lock} -c statement_timeout=${statement} -c idle_in_transaction_session_timeout=${LIMITS.idle}`,
  query_timeout: statement + 2_000,
})

/**
 * Rejects new connections to a server that doesn't accept writes. After a failover, the previous primary may still
 * return changes that no other server has.
 */
function refuseStandby(client: pg.PoolClient, done: (error?: Error) => void): void {
  client
    .query("select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_standby")
    .then(
      ({ rows }) => done(rows[0].is_standby ? Object.assign(new Error(STANDBY), { code: '25006' }) : undefined),
      done,
    )
}

export function createPool(url: string, types: pg.TypeOverrides, more: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    keepAlive: true,
    connectionTimeoutMillis: LIMITS.connect,
    verify: refuseStandby,
    ...more,
  })
  // When a connection breaks, its current query fails, and the connection is replaced the next time it is used. Without
  // error listeners for both idle and active connections, Node.js would end the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}
