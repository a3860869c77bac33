/** The cached results of a store, keyed by name. */
type Known = Map<string, { until: number; result: Promise<unknown> }>

const MAX_REUSE_MS = 60_000
const MIN_REUSE_MS = 1_000
/**
 * The ratio of a result's reuse time to its computation time. With this ratio, results from a small store stay fresh,
 * and a large store is rarely queried.
 */
const REUSE_FACTOR = 200
const MAX_RESULTS = 1_000

/** The cached results of each store. Each app has its own store. */
const known = new WeakMap<object, Known>()

/**
 * Caches a result for one second to one minute, depending on how long the computation took. Simultaneous requests share
 * one computation. Failures are not cached.
 * @param store the source of the result
 * @param now real time, epoch ms
 */
export function eachMinute<T>(store: object, name: string, now: number, compute: () => Promise<T>): Promise<T> {
  const results: Known = known.get(store) ?? new Map()
  known.set(store, results)
  const found = results.get(name)
  if (found && found.until > now) return found.result as Promise<T>
  if (results.size >= MAX_RESULTS) results.clear()
  const started = performance.now()
  const result = compute()
  const kept = { until: now + MAX_REUSE_MS, result }
  results.set(name, kept)
  result.then(
    () => {
      const took = performance.now() - started
      kept.until = now + Math.min(Math.max(took * REUSE_FACTOR, MIN_REUSE_MS), MAX_REUSE_MS)
    },
    () => results.delete(name),
  )
  return result
}
