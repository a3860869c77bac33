/** PostgreSQL's error code for a lock that was not granted in time. */
export const LOCK_TIMEOUT_CODE = '55P03'
/** PostgreSQL's error code for a key that already exists. */
export const DUPLICATE_KEY_CODE = '23505'
/** PostgreSQL's error code for "cached plan must not change result type". */
export const STALE_PLAN_CODE = '0A000'
/** Error codes for conflicts with another transaction or a schema change. The statement itself is valid. */
const CONFLICT_CODES = new Set(['40P01', '40001', LOCK_TIMEOUT_CODE, STALE_PLAN_CODE])

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/**
 * Returns true if every attempt failed because of a conflict with another transaction. Nothing was changed, so the
 * caller may retry.
 */
export const isContended = (error: unknown) => CONFLICT_CODES.has(errorCode(error) ?? '')

/**
 * A failure of the store rather than of the statement. The statement had no effect, or its outcome is unknown. The
 * caller may retry the same work.
 */
export class StoreFault extends Error {
  override readonly name = 'StoreFault'
  /**
   * The error code from the database engine or the operating system, such as `57P01`, `ECONNRESET` or `SQLITE_FULL`.
   */
  readonly code: string
  constructor(code: string, cause: unknown) {
    super(`The store failed (${code}).`, { cause })
    this.code = code
  }
}

/**
 * Matches PostgreSQL's error codes for store failures: connection, resources, system, shutdown, cancellation, read-only
 * mode, idle timeout.
 */
const POSTGRES_FAULTS = /^(08|53|58|57P0|57014$|25006$|25P0[34]$|40003$)/
const SYSTEM_FAULTS = /^(ECONN|EPIPE$|ETIMEDOUT$|EHOST|ENET|ENOTFOUND$|EAI_AGAIN$|EMFILE$|ENFILE$)/
/** Messages from `pg` and Kysely errors that have no code. */
const TIMEOUT_MESSAGES =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated due to connection timeout)/
const LOST_CONNECTION_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Cannot use a pool after|Client was closed|driver has already been destroyed)/
/**
 * SQLite's primary result codes for store failures: busy, locked, out of memory, read-only, I/O error, full, cannot
 * open.
 */
const SQLITE_FAULT_CODES = new Set([5, 6, 7, 8, 10, 13, 14])
/** SQLite's messages for the same failures. The driver reports no result code if a failure occurs while it reads rows. */
const SQLITE_MESSAGES: readonly (readonly [string, string])[] = [
  ['database is locked', 'SQLITE_BUSY'],
  ['database table is locked', 'SQLITE_LOCKED'],
  ['database schema is locked', 'SQLITE_LOCKED'],
  ['out of memory', 'SQLITE_NOMEM'],
  ['attempt to write a readonly database', 'SQLITE_READONLY'],
  ['disk I/O error', 'SQLITE_IOERR'],
  ['database or disk is full', 'SQLITE_FULL'],
  ['unable to open database file', 'SQLITE_CANTOPEN'],
]

/**
 * Returns the fault for a transaction that the engine ended before its commit, as SQLite does when the disk is full. The
 * error itself only says that a savepoint or a transaction doesn't exist, so the store would not be recognized as the
 * cause.
 */
export const toTransactionFault = (error: unknown): StoreFault =>
  error instanceof StoreFault ? error : new StoreFault('TRANSACTION_LOST', error)

/** Returns true if the connection broke. The statement can be sent on another connection immediately. */
export const isConnectionLost = (error: unknown) =>
  error instanceof StoreFault && /^(CONNECTION_LOST|ECONNRESET|EPIPE|57P0[1-3])$/.test(error.code)

/** Converts a driver error to a StoreFault if the store failed; otherwise, returns the error unchanged. */
export function toStoreFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreFault) return error
  const { errcode, sqliteCodeName } = error as { errcode?: unknown; sqliteCodeName?: unknown }
  if (typeof errcode === 'number')
    return SQLITE_FAULT_CODES.has(errcode & 0xff)
      ? new StoreFault(String(sqliteCodeName ?? `SQLITE_${errcode}`), error)
      : error
  const code = errorCode(error)
  if (code === 'ERR_SQLITE_ERROR') {
    const match = SQLITE_MESSAGES.find(([message]) => error.message.startsWith(message))
    return match ? new StoreFault(match[1], error) : error
  }
  if (code !== undefined)
    return POSTGRES_FAULTS.test(code) || SYSTEM_FAULTS.test(code) ? new StoreFault(code, error) : error
  if (TIMEOUT_MESSAGES.test(error.message)) return new StoreFault('TIMEOUT', error)
  return LOST_CONNECTION_MESSAGES.test(error.message) ? new StoreFault('CONNECTION_LOST', error) : error
}

/** Returns true for a failure unrelated to the work itself: a conflicting transaction or a store failure. */
export const isTemporaryFault = (error: unknown) => error instanceof StoreFault || isContended(error)

/** Returns the level at which to log a failure. A temporary failure is a warning, because the work will be retried. */
export const levelOf = (error: unknown) => (isTemporaryFault(error) ? 'warn' : 'error')
