/** Results of a store by name. */
type Known = Map<string, { until: number; result: Promise<unknown> }>

const LONGEST = 60_000
const SHORTEST = 1_000
/** A result is kept for this many times as long as it took: of a small store it is fresh, and of a large one rare. */
const TIMES = 200
const MANY = 1_000

/** Each app has a store of its own. */
const known = new WeakMap<object, Known>()

/**
 * Computes a result again after a second to a minute, the later the longer it took; simultaneous requests share it. A
 * failure is not kept.
 * @param store what the result was computed from
 * @param now real time, epoch ms
 */
export function eachMinute<T>(store: object, name: string, now: number, compute: () => Promise<T>): Promise<T> {
  const results: Known = known.get(store) ?? new Map()
  known.set(store, results)
  const found = results.get(name)
  if (found && found.until > now) return found.result as Promise<T>
  if (results.size >= MANY) results.clear()
  const started = performance.now()
  const result = compute()
  const kept = { until: now + LONGEST, result }
  results.set(name, kept)
  result.then(
    () => {
      const took = performance.now() - started
      kept.until = now + Math.min(Math.max(took * TIMES, SHORTEST), LONGEST)
    },
    () => results.delete(name),
  )
  return result
}
