import type { SelectQueryBuilder } from 'kysely'
import { PoolAdapter } from './postgres/driver.js'
import type { Db } from './types.js'

/**
 * Locks the rows that a query reads until the transaction ends. SQLite doesn't need row locks, because it allows one
 * writer at a time.
 * @param tables the tables whose rows to lock, instead of all of the query's tables
 */
export function lockRows<Schema, Table extends keyof Schema, Row>(
  db: Db,
  query: SelectQueryBuilder<Schema, Table, Row>,
  tables?: readonly (Table & string)[],
): SelectQueryBuilder<Schema, Table, Row> {
  return isLocking(db) ? query.forUpdate(tables) : query
}

/**
 * Keeps the rows that a query reads from changing until the transaction ends. Unlike {@link lockRows}, lets other
 * transactions read the rows in the same way.
 */
export function shareRows<Schema, Table extends keyof Schema, Row>(
  db: Db,
  query: SelectQueryBuilder<Schema, Table, Row>,
  tables: readonly (Table & string)[],
): SelectQueryBuilder<Schema, Table, Row> {
  return isLocking(db) ? query.forShare(tables) : query
}

/** Locks the rows that a query reads, as {@link lockRows} does, and omits rows that another transaction has locked. */
export function lockFreeRows<Schema, Table extends keyof Schema, Row>(
  db: Db,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return isLocking(db) ? query.forUpdate().skipLocked() : query
}

const isLocking = (db: Db) => db.getExecutor().adapter instanceof PoolAdapter
