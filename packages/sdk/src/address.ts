import { describeValue } from './checks.js'

/** A query value. An array is sent as `name[]=a&name[]=b`. Undefined values are omitted. */
type QueryValue = string | number | boolean | readonly string[] | undefined

/**
 * Returns an endpoint's path with its ids filled in. An id must consist of word characters, because an empty id or `..`
 * could lead to another endpoint. Throws a TypeError for any other id.
 */
export function fillPath(path: string, ids: readonly string[]): string {
  let index = 0
  return path.replace(/:(\w+)/g, (_, name) => {
    const id: unknown = ids[index++]
    if (typeof id !== 'string' || !/^\w+$/.test(id))
      throw new TypeError(`${name} of ${path} must be an id of letters, digits and underscores`)
    return id
  })
}

/** Returns a query value as text. Throws a TypeError for a value that has no clear text, such as a Date. */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  const advice =
    value instanceof Date
      ? 'a Date. Pass text such as 2026-03-02: the day depends on the time zone that you choose'
      : typeof value === 'number'
        ? `${value}. Pass a finite number`
        : `${describeValue(value)}. Pass text, a number, true or false, or a list of them`
  throw new TypeError(`${name} must not be ${advice}.`)
}

/** Returns the query string with its leading question mark, or an empty string. */
export function queryString(values: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values) as [string, QueryValue | null][]) {
    if (value === undefined || value === null) continue
    if (Array.isArray(value)) for (const item of value) search.append(`${name}[]`, textOf(name, item))
    else search.append(name, textOf(name, value))
  }
  return search.size === 0 ? '' : `?${search}`
}
