import type { Kysely } from 'kysely'
import type { Tables } from './tables.js'

export type Engine = 'sqlite' | 'postgres'
/** A connection that can be queried: the reader, or an open transaction. */
export type Db = Kysely<Tables>

export interface Store {
  readonly engine: Engine
  /**
   * The number of transactions that can run efficiently at the same time: on SQLite, the number that share a commit; on
   * PostgreSQL, the number of connections.
   */
  readonly width: number
  /** Used for reads outside a transaction. */
  readonly reader: Db
  /**
   * Runs a large read whose data may be a few seconds out of date. Uses the replica, or the primary if there is no
   * working replica.
   */
  behind<T>(read: (db: Db) => Promise<T>): Promise<T>
  /** The replica; null if there is none. */
  readonly replica: Db | null
  /**
   * Runs `work` in a transaction. An error rolls back all changes. After a conflict with another transaction, `work`
   * runs again.
   */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /**
   * Real time, in epoch milliseconds. With PostgreSQL, the time comes from the server's clock, so that processes with
   * different clocks agree on when a lease ends. With SQLite, the time comes from this machine's clock.
   */
  clock(): number
  /**
   * Returns the reason that the store cannot be written to, or null if it can. May throw or block like any statement,
   * so the caller must set its own time limit.
   */
  probe(): Promise<string | null>
  /** Returns the pool's current connection counts, or null for SQLite, which has no pool. */
  pool(): { open: number; idle: number; waiting: number } | null
  close(): Promise<void>
}
