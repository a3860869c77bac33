/** The cached results of a store, keyed by name. */
type CachedResults = Map<string, { until: number; result: Promise<unknown> }>

const MAX_REUSE_MS = 60_000
const MIN_REUSE_MS = 1_000
/**
 * The ratio of a result's reuse time to its computation time. With this ratio, results from a small store stay fresh,
 * and a large store is rarely queried.
 */
const REUSE_FACTOR = 200
const MAX_RESULTS = 1_000

/** The cached results of each store. Each app has its own store. */
const resultsByStore = new WeakMap<object, CachedResults>()

/**
 * Caches a result for one second to one minute, depending on how long the computation took. Simultaneous requests share
 * one computation. Failures are not cached.
 * @param store the source of the result
 * @param now real time, epoch ms
 */
export function cacheResult<T>(store: object, name: string, now: number, compute: () => Promise<T>): Promise<T> {
  const results: CachedResults = resultsByStore.get(store) ?? new Map()
  resultsByStore.set(store, results)
  const cached = results.get(name)
  if (cached && cached.until > now) return cached.result as Promise<T>
  if (results.size >= MAX_RESULTS) results.clear()
  const startedAt = performance.now()
  const result = compute()
  const entry = { until: now + MAX_REUSE_MS, result }
  results.set(name, entry)
  result.then(
    () => {
      const elapsed = performance.now() - startedAt
      entry.until = now + Math.min(Math.max(elapsed * REUSE_FACTOR, MIN_REUSE_MS), MAX_REUSE_MS)
    },
    () => results.delete(name),
  )
  return result
}
