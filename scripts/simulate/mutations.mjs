/**
 * Removes one protection at a time from the service, and counts the seeds that the simulation needs to find the fault:
 *   node scripts/simulate/mutations.mjs [NAME …] [--seeds A-B] [--at-once N]
 * Without names, tries every removal of `removal-list.mjs`. The exit code is 1 if one of them was not found.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleProduct } from './bundle.mjs'
import { readRange } from './options.mjs'
import { removals } from './removal-list.mjs'
import { textsWithout } from './removals.mjs'
import { runSeed } from './run-seed.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1-500' },
    'at-once': { type: 'string', default: String(cpus().length) },
  },
})
const { from, to } = readRange('seeds', values.seeds)

/** Runs seeds until one fails. @returns `{ runs, seed, violation }` of the lowest seed that fails, or `{ runs }` */
async function findFault(bundle) {
  const running = new Map()
  let next = from
  let last = to
  let runs = 0
  let found
  async function work() {
    while (next <= last) {
      const seed = next++
      const controller = new AbortController()
      running.set(seed, controller)
      const { violations } = await runSeed(bundle, seed, {}, { signal: controller.signal })
      running.delete(seed)
      if (controller.signal.aborted) continue
      runs += 1
      if (violations.length === 0) continue
      found = { seed, violation: violations[0] }
      last = seed
      for (const [other, each] of running) if (other > seed) each.abort()
    }
  }
  await Promise.all(Array.from({ length: Number(values['at-once']) }, work))
  return { runs, ...found }
}

let missed = 0
for (const name of positionals.length > 0 ? positionals : Object.keys(removals)) {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-bundle-'))
  try {
    const startedAt = performance.now()
    const { runs, seed, violation } = await findFault(await bundleProduct(folder, textsWithout(name)))
    if (seed === undefined) missed += 1
    const outcome = seed === undefined ? `NOT FOUND in ${runs} seeds` : `seed ${seed}, ${seed - from + 1} seeds`
    console.log(`${name}: ${outcome}, ${Math.round((performance.now() - startedAt) / 1_000)} s`)
    if (violation) console.log(`  ${violation.slice(0, 300)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
process.exitCode = missed > 0 ? 1 : 0
