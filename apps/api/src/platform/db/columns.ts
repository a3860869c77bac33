import type { Tables } from './tables.js'

type Column<T extends keyof Tables> = keyof Tables[T] & string

/** Selects the columns of a table as `table.column`, so that one joined row can hold the columns of several tables. */
export const columnsOf = <T extends keyof Tables & string, C extends Column<T>>(table: T, columns: readonly C[]) =>
  columns.map(column => `${table}.${column} as ${table}.${column}` as const)

/** Extracts one table's row from a joined row whose columns were named by {@link columnsOf}. */
export function rowOf<T extends keyof Tables & string, C extends Column<T>>(
  table: T,
  columns: readonly C[],
  joined: Readonly<Record<`${T}.${C}`, unknown>>,
): Pick<Tables[T], C> {
  return Object.fromEntries(columns.map(column => [column, joined[`${table}.${column}`]])) as Pick<Tables[T], C>
}

/** Extracts the row of a left-joined table. Returns undefined if the join found no match. */
export const joinedRow = <T extends keyof Tables & string, C extends Column<T>>(
  table: T,
  columns: readonly C[],
  joined: Readonly<Record<`${T}.${C}`, unknown>>,
): Pick<Tables[T], C> | undefined =>
  // A primary key column, such as `id`, is null only if the join found no match.
  (joined as Readonly<Record<string, unknown>>)[`${table}.id`] === null ? undefined : rowOf(table, columns, joined)

/** Lists all columns of a table. The compiler rejects an incomplete list. */
export const allColumns = <T extends keyof Tables>(columns: Readonly<Record<Column<T>, true>>) =>
  Object.keys(columns) as Column<T>[]
