import type { Tables } from './tables.js'

type Column<T extends keyof Tables> = keyof Tables[T] & string

/** Names columns of a table `table.column`, so that one joined row can hold the columns of several tables. */
export const columnsOf = <T extends keyof Tables & string, C extends Column<T>>(table: T, columns: readonly C[]) =>
  columns.map(column => `${table}.${column} as ${table}.${column}` as const)

/** Takes the row of one table out of a joined row that {@link columnsOf} named. */
export function rowOf<T extends keyof Tables & string, C extends Column<T>>(
  table: T,
  columns: readonly C[],
  joined: Readonly<Record<`${T}.${C}`, unknown>>,
): Pick<Tables[T], C> {
  return Object.fromEntries(columns.map(column => [column, joined[`${table}.${column}`]])) as Pick<Tables[T], C>
}

/** Lists all columns of a table; the compiler misses none. */
export const allColumns = <T extends keyof Tables>(columns: Readonly<Record<Column<T>, true>>) =>
  Object.keys(columns) as Column<T>[]
