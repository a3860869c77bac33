/** PostgreSQL's code for a lock that was not granted in time. */
export const LOCK_TIMEOUT = '55P03'
/** PostgreSQL's code for "cached plan must not change result type". */
export const STALE_PLAN = '0A000'
/** A conflict of the statement with another transaction or a schema change. The statement is correct. */
const AGAIN = new Set(['40P01', '40001', LOCK_TIMEOUT, STALE_PLAN])

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/**
 * Returns true if conflicts with other transactions prevented every attempt. Nothing was changed, so the caller may
 * retry.
 */
export const isContended = (error: unknown) => AGAIN.has(errorCode(error) ?? '')

/**
 * A failure of the store, not of the statement: nothing was done, or the outcome is unknown. The same work may be sent
 * again.
 */
export class StoreFault extends Error {
  override readonly name = 'StoreFault'
  /** The code of the engine or of the system, such as `57P01`, `ECONNRESET` or `SQLITE_FULL`. */
  readonly code: string
  constructor(code: string, cause: unknown) {
    super(`The store failed (${code}).`, { cause })
    this.code = code
  }
}

/**
 * PostgreSQL's failures by the start of their code: connection, resources, system, shutdown, canceled, read-only, idle
 * timeout.
 */
const POSTGRES = /^(08|53|58|57P0|57014$|25006$|25P0[34]$|40003$)/
const SYSTEM = /^(ECONN|EPIPE$|ETIMEDOUT$|EHOST|ENET|ENOTFOUND$|EAI_AGAIN$|EMFILE$|ENFILE$)/
/** Messages of `pg` and Kysely errors that have no code. */
const TIMEOUT =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated due to connection timeout)/
const LOST =
  /^(Connection terminated|Client has encountered a connection error|Cannot use a pool after|Client was closed|driver has already been destroyed)/
/** SQLite's primary codes: busy, locked, out of memory, read-only, I/O error, full, cannot open. */
const SQLITE = new Set([5, 6, 7, 8, 10, 13, 14])

/** Returns true if the connection broke. The statement can be sent on another connection immediately. */
export const isLost = (error: unknown) =>
  error instanceof StoreFault && /^(CONNECTION_LOST|ECONNRESET|EPIPE|57P0[1-3])$/.test(error.code)

/** Returns a driver's error as StoreFault if it means that the store failed; otherwise the error itself. */
export function readFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreFault) return error
  const { errcode, sqliteCodeName } = error as { errcode?: unknown; sqliteCodeName?: unknown }
  if (typeof errcode === 'number')
    return SQLITE.has(errcode & 0xff) ? new StoreFault(String(sqliteCodeName ?? `SQLITE_${errcode}`), error) : error
  const code = errorCode(error)
  if (code !== undefined) return POSTGRES.test(code) || SYSTEM.test(code) ? new StoreFault(code, error) : error
  if (TIMEOUT.test(error.message)) return new StoreFault('TIMEOUT', error)
  return LOST.test(error.message) ? new StoreFault('CONNECTION_LOST', error) : error
}

/** Returns true for a failure that is unrelated to the work: conflicting transactions, or a store that failed. */
export const isPassingFault = (error: unknown) => error instanceof StoreFault || isContended(error)

/** The level at which a failure is logged. A temporary one is a warning: the work is done later or sent again. */
export const levelOf = (error: unknown) => (isPassingFault(error) ? 'warn' : 'error')
