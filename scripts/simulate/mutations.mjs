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

/** Runs seeds until one fails. @returns `{ runs, seed, violation }`, or `{ runs }` if none fails */
async function findFault(bundle) {
  let next = from
  let runs = 0
  let found
  async function work() {
    while (!found && next <= to) {
      const result = await runSeed(bundle, next++, {})
      runs += 1
      const [violation] = result.violations
      if (violation && !(found?.seed < Number(result.seed))) found = { seed: Number(result.seed), violation }
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
