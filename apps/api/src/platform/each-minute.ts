/** Results of a store by name. */
type Known = Map<string, { until: number; result: Promise<unknown> }>

const FRESH = 60_000
const MANY = 1_000

/** Each app has a store of its own. */
const known = new WeakMap<object, Known>()

/**
 * Computes a result at most once a minute; simultaneous requests share it. A failure is not kept.
 * @param store what the result was computed from
 * @param now real time, epoch ms
 */
export function eachMinute<T>(store: object, name: string, now: number, compute: () => Promise<T>): Promise<T> {
  const results: Known = known.get(store) ?? new Map()
  known.set(store, results)
  const found = results.get(name)
  if (found && found.until > now) return found.result as Promise<T>
  if (results.size >= MANY) results.clear()
  const result = compute()
  results.set(name, { until: now + FRESH, result })
  result.catch(() => results.delete(name))
  return result
}
