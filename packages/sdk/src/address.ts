/** A query value. An array is sent as `name[]=a&name[]=b`. Undefined values are omitted. */
type QueryValue = string | number | boolean | readonly string[] | undefined

/**
 * Returns an endpoint's path with its ids filled in. An id must consist of word characters, because an empty id or `..`
 * could lead to another endpoint. Throws a TypeError for any other id.
 */
export function fill(path: string, ids: readonly string[]): string {
  let index = 0
  return path.replace(/:(\w+)/g, (_, name) => {
    const id: unknown = ids[index++]
    if (typeof id !== 'string' || !/^\w+$/.test(id))
      throw new TypeError(`${name} of ${path} must be an id of letters, digits and underscores`)
    return id
  })
}

/** Returns the query string with its leading question mark, or an empty string. */
export function query(values: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values) as [string, QueryValue][]) {
    if (value === undefined || value === null) continue
    if (typeof value === 'object') for (const item of value) search.append(`${name}[]`, item)
    else search.append(name, String(value))
  }
  return search.size === 0 ? '' : `?${search}`
}
