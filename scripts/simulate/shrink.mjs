/** Makes a failing run smaller: fewer kinds of faults, fewer faults and fewer clients that still lead to the failure. */
import { runSeed } from './run-seed.mjs'

/** The maximum number of runs, and the time after which no further run starts, in ms. */
const MAX_RUNS = 40
const MAX_MS = 300_000

/** Returns a violation without the ids, numbers and bodies that differ between runs. */
const kindOf = violation =>
  violation
    .split(/[{[:]/)[0]
    .replace(/\b[a-z]+_[0-9A-Za-z]{10,}/g, 'ID')
    .replace(/\bkey \w+/g, 'key')
    .replace(/\d+/g, 'N')

/**
 * @param bundle the path of the bundled service
 * @param result the failing run
 * @param only the clients and faults of that run
 * @returns the smallest failing run that was found, as `{ result, only, runs }`
 */
export async function shrink(bundle, seed, only, result) {
  const wanted = kindOf(result.violations[0])
  const until = performance.now() + MAX_MS
  let best = { result, only }
  let runs = 0

  /** True if the failure still happens with these clients and faults, which then become the best ones. */
  async function fails(changes) {
    if (runs >= MAX_RUNS || performance.now() > until) return false
    runs += 1
    const candidate = { ...best.only, ...changes }
    const next = await runSeed(bundle, seed, candidate)
    if (!next.violations.some(violation => kindOf(violation) === wanted)) return false
    best = { result: next, only: candidate }
    return true
  }

  /** Leaves out halves of a list, then quarters, and so on, as long as the failure stays. */
  async function reduce(name, list) {
    let kept = list
    for (let size = Math.ceil(kept.length / 2); kept.length > 0; size = Math.ceil(size / 2)) {
      for (let start = 0; start < kept.length; ) {
        const rest = [...kept.slice(0, start), ...kept.slice(start + size)]
        if (await fails({ [name]: rest })) kept = rest
        else start += size
      }
      if (size === 1) return
    }
  }

  /** Halves the range of faults from its end, then from its beginning. */
  async function reduceRange() {
    let from = best.only.from ?? 1
    let to = Math.min(best.only.to ?? Number.POSITIVE_INFINITY, best.result.faults)
    for (let step = Math.floor((to - from + 1) / 2); step >= 1; step = Math.floor(step / 2))
      if (await fails({ from, to: to - step })) to -= step
    for (let step = Math.floor((to - from + 1) / 2); step >= 1; step = Math.floor(step / 2))
      if (await fails({ from: from + step, to })) from += step
  }

  await reduce('kinds', Object.keys(result.faultCounts))
  await reduce('clients', result.clients ?? [])
  await reduceRange()
  return { ...best, runs }
}
