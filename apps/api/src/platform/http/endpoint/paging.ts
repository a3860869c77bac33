import { MAX_COUNT } from '@causeway/contract/declaration/endpoint'
import { ServiceError } from '@causeway/contract/errors'
import { type Prefix, prefixes } from '@causeway/contract/ids'
import { timeText } from '@causeway/contract/text'
import { DAY_MS, HOUR_MS } from '@causeway/contract/time'
import { type SelectQueryBuilder, sql } from 'kysely'
import { lowestId } from '../../crypto/random.js'
import { PLAN_FOR_VALUES } from '../../db/postgres/driver.js'
import type { Tables } from '../../db/tables.js'
import type { Ctx } from '../../scope.js'

/** The tables with an `id` column. Lists are sorted by that column. */
type Listable = { [Table in keyof Tables]: Tables[Table] extends { id: string } ? Table : never }[keyof Tables]
/** A query on one table. The compiler rejects columns of other tables. */
type Listed<Table extends Listable> = SelectQueryBuilder<Tables, Table, object>
type Narrow<Table extends Listable> = (query: Listed<Table>) => Listed<Table>
/** A type that represents any list's query. Paging uses only the id, which every listed table has. */
type AnyList = Listed<'payments'>

const MAX = 100

/** Reads a calendar day from a query parameter. Returns the start of the day in UTC, in epoch milliseconds. */
export function readDay(query: URLSearchParams, name: string): number | null {
  const text = query.get(name)
  if (text === null || text === '') return null
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text)
    throw new ServiceError('INVALID_REQUEST', `${name} must be a date in the format YYYY-MM-DD.`)
  return at
}

const exactTime = timeText({ offset: true })

/**
 * Reads the limits of a period, each of which is a calendar day in UTC or a time.
 * @returns the first ms of the period and the first ms after it
 */
function readPeriod(query: URLSearchParams, { from, to }: TimeOrder): { first: number | null; end: number | null } {
  const read = (name: string, end: 0 | typeof DAY_MS): number | null => {
    const text = query.get(name)
    if (!text?.includes('T')) return plus(readDay(query, name), end)
    if (exactTime.safeParse(text).success) return Date.parse(text)
    throw new ServiceError(
      'INVALID_REQUEST',
      `${name} must be a date in the format YYYY-MM-DD, or a time with a time zone, such as 2026-03-02T15:00:00Z.`,
    )
  }
  return { first: read(from, 0), end: read(to, DAY_MS) }
}

const plus = (at: number | null, ms: number): number | null => (at === null ? null : at + ms)

/** The longest period, in days, for which most statistics can be requested. */
const MAX_DAYS = 31

const tooLongError = (max: number) =>
  new ServiceError('INVALID_REQUEST', `from_date must be from 0 to ${max - 1} days before to_date.`)

/**
 * Returns the first ms of each day from `from_date` to `to_date`.
 * @param usual the default number of days
 * @param now the current time in epoch ms, plus the time zone's offset from UTC
 * @param max the maximum number of days
 */
export function readDays(query: URLSearchParams, usual: number, now: number, max = MAX_DAYS): number[] {
  const last = readDay(query, 'to_date') ?? Math.floor(now / DAY_MS) * DAY_MS
  const first = readDay(query, 'from_date') ?? last - (usual - 1) * DAY_MS
  if (last < first || last - first >= max * DAY_MS) throw tooLongError(max)
  return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, index) => first + index * DAY_MS)
}

/**
 * Reads the period of a statistic: whole days or, by default, the current hour and the 24 hours before it.
 * @param bucket null means `hour`
 * @returns the period, in epoch ms, and a name for {@link cacheResult} that stays the same for an hour
 */
export function readSpan(query: URLSearchParams, bucket: 'hour' | 'day' | null, now: number) {
  const first = readDay(query, 'from_date')
  const last = readDay(query, 'to_date')
  const to = last === null ? now + 1 : last + DAY_MS
  const from = first ?? hourOf(to - DAY_MS)
  if (to <= from || to - from > MAX_DAYS * DAY_MS) throw tooLongError(MAX_DAYS)
  const size = bucket === 'day' ? DAY_MS : HOUR_MS
  return { bucket: bucket ?? 'hour', size, from, to, name: `${from} ${last ?? 'now'} ${size}` }
}

const hourOf = (at: number) => at - (at % HOUR_MS)

/**
 * Divides a period into parts, so that each statement blocks other work only briefly.
 * @param size the length of each part, in ms
 */
export const partsOf = (from: number, to: number, size: number): [number, number][] =>
  Array.from({ length: Math.ceil((to - from) / size) }, (_, index) => [
    from + index * size,
    Math.min(to, from + (index + 1) * size),
  ])

/** Reads a whole number of at least 1. Returns null if the parameter is absent. */
export function readCount(query: URLSearchParams, name: string): number | null {
  const text = query.get(name)
  if (text === null || text === '') return null
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw new ServiceError('INVALID_REQUEST', `${name} must be a whole number of at least 1.`)
  return Number(text)
}

const cursorError = (kind: Prefix) =>
  new ServiceError(
    'INVALID_SEARCH_PARAMETERS',
    `page_cursor must be a value from Pagination-Page-Cursor-Next or -Prev of this list: an id that begins with ${prefixes[kind]}`,
  )

function readCursor(query: URLSearchParams, kind: Prefix): string | null {
  const cursor = query.get('page_cursor') || null
  if (cursor !== null && !(cursor.startsWith(prefixes[kind]) && /^\w{1,40}$/.test(cursor.slice(prefixes[kind].length))))
    throw cursorError(kind)
  return cursor
}

/** Sorts a list by the time in a column, and then by id. Only rows that have this time are listed. */
export interface TimeOrder {
  column: 'finished_at'
  /** The names of the query parameters that limit the time. */
  from: string
  to: string
}

/** Reads a cursor of a list that is sorted by a time: the id and the time of the first row on its page. */
function readTimeCursor(cursor: string, kind: Prefix): { id: string; at: number } {
  const [, id, at] = /^([A-Za-z]+_[0-9A-Za-z]+)_(\d{1,16})$/.exec(cursor) ?? []
  if (!id || !at) throw cursorError(kind)
  return { id, at: Number(at) }
}

/**
 * Reads the parameters for a list that is stored in another service. Such lists support only cursors. Days are
 * `YYYY-MM-DD`.
 */
export function readCursorPage(query: URLSearchParams, kind: Prefix) {
  if (query.get('page'))
    throw new ServiceError(
      'INVALID_SEARCH_PARAMETERS',
      'This list does not support the page parameter. Use page_cursor instead.',
    )
  const day = (name: string) => (readDay(query, name) === null ? null : query.get(name))
  return {
    limit: Math.min(readCount(query, 'page_limit') ?? MAX, MAX),
    start: readCursor(query, kind),
    from: day('from_date'),
    to: day('to_date'),
  }
}

/** Returns the paging headers for a list that is stored in another service. */
export const cursorHeaders = (limit: number, next: string | null, previous: string | null): Record<string, string> => ({
  'Pagination-Page-Limit': String(limit),
  ...(next === null ? {} : { 'Pagination-Page-Cursor-Next': next }),
  ...(previous === null ? {} : { 'Pagination-Page-Cursor-Prev': previous }),
})

/**
 * Returns one page of a list, newest first unless the request has `sort=created_at`, with its headers. Counts the list's rows only for requests with `page` or, up
 * to {@link MAX_COUNT}, with `count`, not with `page_cursor`, so that reading the millionth row costs the same as reading
 * the first. A cursor is the id of the first row on its page, followed by the row's time if the list is sorted by one.
 * @param any conditions, of which a row must meet at least one. Each condition has its own index, so the function reads
 *   one page per condition and merges the pages. A query with `or` would read the whole list if few rows matched.
 * @param columns the columns to read, which include `id`; by default, all columns
 * @param by the time that sorts the list; by default, the time of creation, which is part of the id
 */
export async function page<Table extends Listable, Column extends string = keyof Tables[Table] & string>(
  ctx: Ctx,
  kind: Prefix,
  from: (query: <Named extends Listable>(table: Named) => Listed<Named>) => Listed<Table>,
  any: readonly Narrow<NoInfer<Table>>[] = [],
  columns?: readonly Column[],
  by?: TimeOrder,
): Promise<{ rows: Pick<Tables[Table], Column & keyof Tables[Table]>[]; headers: Record<string, string> }> {
  const limit = Math.min(readCount(ctx.query, 'page_limit') ?? MAX, MAX)
  const number = readCount(ctx.query, 'page')
  const cursor = readCursor(ctx.query, kind)
  const isCounted = ctx.query.get('count') === 'capped'
  if (number !== null && (cursor !== null || isCounted)) throw new ServiceError('INVALID_SEARCH_PARAMETERS')
  const { first, end } = by
    ? readPeriod(ctx.query, by)
    : { first: readDay(ctx.query, 'from_date'), end: plus(readDay(ctx.query, 'to_date'), DAY_MS) }
  // The compiler can't infer a query's type from a table name that isn't known yet.
  const anyTable = <Named extends Listable>(table: Named) =>
    ctx.db.selectFrom(table as 'payments') as unknown as Listed<Named>
  const select = (query: AnyList) =>
    columns ? query.select(columns as unknown as readonly (keyof Tables['payments'])[]) : query.selectAll()
  // No type names a column that only some tables have.
  const column = (by?.column ?? 'id') as 'id'
  const base = () => {
    let query = from(anyTable) as unknown as AnyList
    const bound = (at: number) => (by ? at : lowestId(kind, at)) as string
    if (by) query = query.where(column, 'is not', null)
    if (first !== null) query = query.where(column, '>=', bound(first))
    if (end !== null) query = query.where(column, '<', bound(end))
    return query
  }
  /**
   * Builds the list's query: the whole list or, if there are conditions, the union of each condition's rows.
   * @param part limits each condition's rows to those that can be on the page
   */
  const listed = (part: Narrow<'payments'>) => {
    // SQLite rejects `order by` and `limit` in a part of a union unless the part is a subquery.
    const [one, ...others] = any.map(condition =>
      ctx.db.selectFrom(select(part((condition as unknown as Narrow<'payments'>)(base()))).as('part')).selectAll(),
    )
    if (!one) return base()
    return ctx.db.selectFrom(others.reduce((all, other) => all.union(other), one).as('payments')) as unknown as AnyList
  }
  const skipped = ((number ?? 1) - 1) * limit
  const isOldestFirst = ctx.query.get('sort') === (by?.column ?? 'created_at')
  const [following, before, direction, reverse] = isOldestFirst
    ? (['>=', '<', 'asc', 'desc'] as const)
    : (['<=', '>', 'desc', 'asc'] as const)
  type Order = typeof direction
  const inOrder = (query: AnyList, order: Order) =>
    by ? query.orderBy(column, order).orderBy('id', order) : query.orderBy('id', order)
  /** Limits a query to the rows on one side of the first row of a page. */
  const beside = (query: AnyList, operator: '<=' | '>=' | '<' | '>', start: string) => {
    if (!by) return query.where('id', operator, start)
    const { id, at } = readTimeCursor(start, kind)
    return query.where(sql<boolean>`(${sql.ref(column)}, id) ${sql.raw(operator)} (${at}, ${id})`)
  }
  const cursorOf = (row: { id: string }) =>
    by ? `${row.id}_${(row as unknown as Record<TimeOrder['column'], number>)[by.column]}` : row.id
  const sorted: Narrow<'payments'> = query =>
    inOrder(cursor === null ? query : beside(query, following, cursor), direction).limit(skipped + limit + 1)
  const wanted = select(sorted(listed(sorted))).offset(skipped)
  const found = (await wanted.execute()) as unknown as (Pick<Tables[Table], Column & keyof Tables[Table]> & {
    id: string
  })[]
  const rows = found.slice(0, limit)
  const headers: Record<string, string> = { 'Pagination-Page-Limit': String(limit) }
  const next = found[limit]
  if (next) headers['Pagination-Page-Cursor-Next'] = cursorOf(next)
  const start = rows[0] ? cursorOf(rows[0]) : cursor
  if (start !== null && (cursor !== null || (number ?? 1) > 1)) {
    const preceding: Narrow<'payments'> = query => inOrder(beside(query, before, start), reverse).limit(limit)
    const earlierRows = await preceding(listed(preceding)).select(['id', column]).execute()
    const previous = earlierRows.at(-1)
    if (previous) headers['Pagination-Page-Cursor-Prev'] = cursorOf(previous)
  }
  if (cursor === null) headers['Pagination-Page'] = String(number ?? 1)
  if (number !== null) {
    const { total } = (await listed(query => query)
      .select(query => query.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()) as { total: number }
    headers['Pagination-Total-Count'] = String(total)
    headers['Pagination-Page-Count'] = String(Math.max(1, Math.ceil(Number(total) / limit)))
  }
  if (isCounted) {
    const capped: Narrow<'payments'> = query => inOrder(query, 'desc').limit(MAX_COUNT + 1)
    const { total } = await ctx.db
      .selectFrom(capped(listed(capped)).select('id').as('payments'))
      .select(query => query.fn.countAll<number>().as('total'))
      .modifyEnd(sql.raw(PLAN_FOR_VALUES))
      .executeTakeFirstOrThrow()
    headers['Pagination-Total-Count'] = String(Math.min(Number(total), MAX_COUNT))
    if (Number(total) > MAX_COUNT) headers['Pagination-Total-Count-Capped'] = 'true'
  }
  return { rows, headers }
}

/**
 * Returns one page of a list that is held entirely in memory. Keeps the list's order, and uses the same parameters and
 * headers as other lists.
 */
export function pageOf<Row extends { id: string }>(
  query: URLSearchParams,
  all: readonly Row[],
): { rows: Row[]; headers: Record<string, string> } {
  const limit = Math.min(readCount(query, 'page_limit') ?? MAX, MAX)
  const number = readCount(query, 'page')
  const cursor = query.get('page_cursor') || null
  if (number !== null && cursor !== null) throw new ServiceError('INVALID_SEARCH_PARAMETERS')
  const found = cursor === null ? ((number ?? 1) - 1) * limit : all.findIndex(row => row.id === cursor)
  const start = found < 0 ? all.length : found
  const headers: Record<string, string> = { 'Pagination-Page-Limit': String(limit) }
  const next = all[start + limit]
  const previous = start > 0 ? all[Math.max(0, Math.min(start, all.length) - limit)] : undefined
  if (next) headers['Pagination-Page-Cursor-Next'] = next.id
  if (previous) headers['Pagination-Page-Cursor-Prev'] = previous.id
  if (cursor === null) headers['Pagination-Page'] = String(number ?? 1)
  if (number !== null) {
    headers['Pagination-Total-Count'] = String(all.length)
    headers['Pagination-Page-Count'] = String(Math.max(1, Math.ceil(all.length / limit)))
  }
  return { rows: all.slice(start, start + limit), headers }
}
