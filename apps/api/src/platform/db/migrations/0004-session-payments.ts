import type { AddedIndex } from '../added-index.js'
import type { Engine } from '../store.js'
import { rated } from './0001-tenants.js'

/**
 * An index on the payments of sessions only. Most payments have no session. Because `payments_session` includes them,
 * PostgreSQL uses it to find payments by destination or idempotency key until the table is analyzed, and reads all of
 * the team's payments.
 */
export const sessionIndexes = (): Record<string, AddedIndex> => ({
  payments_of_session: {
    table: 'payments',
    columns: 'team_id, session_id, destination',
    where: 'session_id is not null',
    replaces: 'payments_session',
  },
})

/** Returns the statements that follow the indexes: SQLite's statistics about them. */
export const sessionStatistics = (engine: Engine): string[] =>
  engine === 'sqlite'
    ? rated(Object.entries(sessionIndexes()).map(([name, { table, columns }]) => [name, table, columns, 100] as const))
    : []
