/** Matches the beginning of an index in brackets, which may be percent-encoded. */
const INDEX = /(?:\[|%5B)\d/i

/**
 * Parses a query string. Lists may be sent as `name[]=a` or with an index, as in `name[0]=a&name[1]=b`, which is the
 * default of several HTTP libraries. Both are read as `name[]`.
 */
export function readQuery(search: string): URLSearchParams {
  const query = new URLSearchParams(search)
  if (!INDEX.test(search)) return query
  const lists = new URLSearchParams()
  for (const [name, value] of query) lists.append(name.replace(/\[\d{1,4}\]$/, '[]'), value)
  return lists
}
