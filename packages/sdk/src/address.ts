/** A value of a query: arrays travel as `name[]=a&name[]=b`, undefined is left out. */
export type QueryValue = string | number | boolean | readonly string[] | undefined

/**
 * A path with ids in it. An id is word characters only, so that neither an empty one nor `..` reaches another endpoint.
 * Throws TypeError, before anything is sent.
 */
export function at(parts: TemplateStringsArray, ...ids: string[]): string {
  return parts.reduce((path, part, index) => {
    const id = ids[index - 1]
    if (typeof id !== 'string' || !/^\w+$/.test(id))
      throw new TypeError(`An id is missing or malformed after "${path}"`)
    return path + id + part
  })
}

/** The query with its question mark, or an empty string. */
export function query(values: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values) as [string, QueryValue][]) {
    if (value === undefined || value === null) continue
    if (typeof value === 'object') for (const item of value) search.append(`${name}[]`, item)
    else search.append(name, String(value))
  }
  return search.size === 0 ? '' : `?${search}`
}
