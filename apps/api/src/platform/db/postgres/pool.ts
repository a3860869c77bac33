import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { StoreFault } from '../fault.js'
import type { Tables } from '../tables.js'

/** Returns true if a pooler rejects the limits that the service sends with each connection. */
export const rejectsOptions = (db: Kysely<Tables>): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => false,
    error => {
      // An error with PgBouncer's code becomes a store fault, whose cause contains the message.
      const { message } = error instanceof StoreFault ? (error.cause as Error) : (error as Error)
      if (/startup parameter/.test(message)) return true
      throw error
    },
  )

/** The limits that each connection must have, with the values (in ms) that the error message suggests. */
const requiredLimits = () => ({
  lock_timeout: TIMEOUTS_MS.lock,
  statement_timeout: TIMEOUTS_MS.statement,
  idle_in_transaction_session_timeout: TIMEOUTS_MS.idle,
})

/**
 * Throws if a pooler discarded the limits that the service sent with the connection. Without these limits, a statement
 * could wait indefinitely for a lock, and a process that stopped responding could hold its locks indefinitely.
 */
export async function checkLimits(db: Kysely<Tables>): Promise<void> {
  const limits = Object.entries(requiredLimits())
  const { rows } = await sql<Record<string, string>>`
    select current_database() as name, current_user as role,
      ${sql.join(limits.map(([limit]) => sql`current_setting(${sql.lit(limit)}) as ${sql.id(limit)}`))}`.execute(db)
  const settings = rows[0]!
  const lacking = limits.filter(([limit]) => settings[limit] === '0')
  if (lacking.length === 0) return
  const commands = lacking.map(
    ([limit, ms]) => `alter role "${settings['role']}" in database "${settings['name']}" set ${limit} = ${ms};`,
  )
  throw new Error(
    `these limits are 0: ${lacking.map(([limit]) => limit).join(', ')}. A pooler such as PgBouncer dropped the limits that the service sent. Set them once for the role: ${commands.join(' ')}`,
  )
}

export const STANDBY_REASON = 'PostgreSQL is a standby, which accepts no writes'

/** Limits in ms. */
export const TIMEOUTS_MS = { lock: 5_000, statement: 15_000, idle: 60_000, connect: 5_000 }

/**
 * Returns the connection options for a statement limit in ms. The server enforces the limits in `options`. The client's
 * limit, `query_timeout`, is longer and applies only if no response arrives. Don't use these options for migrations,
 * which may take a long time.
 */
export const connectionLimits = (statement: number) => ({
  options: `-c lock_timeout=${TIMEOUTS_MS.lock} -c statement_timeout=${statement} -c idle_in_transaction_session_timeout=${TIMEOUTS_MS.idle}`,
  query_timeout: statement + 2_000,
})

/**
 * Rejects new connections to a server that doesn't accept writes. After a failover, the previous primary may still
 * return changes that no other server has.
 */
function rejectStandby(client: pg.PoolClient, done: (error?: Error) => void): void {
  client
    .query("select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_standby")
    .then(
      ({ rows }) => done(rows[0].is_standby ? Object.assign(new Error(STANDBY_REASON), { code: '25006' }) : undefined),
      done,
    )
}

export function createPool(url: string, types: pg.TypeOverrides, overrides: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    keepAlive: true,
    // Sends a statement without waiting for the results of those before it.
    pipeline: true,
    connectionTimeoutMillis: TIMEOUTS_MS.connect,
    verify: rejectStandby,
    ...overrides,
  })
  // When a connection breaks, its current query fails, and the connection is replaced the next time it is used. Without
  // error listeners for both idle and active connections, Node.js would end the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}
