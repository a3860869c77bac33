/** Simulates the service with faults, seed by seed. See `usage` in options.mjs and docs/reliability.md. */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleProduct } from './bundle.mjs'
import { commandOf, readOptions, usage } from './options.mjs'
import { textsWithout } from './removals.mjs'
import { runSeed } from './run-seed.mjs'
import { shrink } from './shrink.mjs'

/** The number of timeline lines before a violation that are printed. */
const PRINTED_LINES = 60
/** The number of failing seeds that are shrunk. */
const MAX_SHRUNK = 2

let options
let texts
try {
  options = readOptions(process.argv.slice(2), cpus().length)
  if (options.without !== null) texts = textsWithout(options.without)
} catch (error) {
  console.error(`${error.message}\n\n${usage}`)
  process.exit(2)
}
if (options.help) {
  console.log(usage)
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'causeway-bundle-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const bundle = await bundleProduct(folder, texts)
const startedAt = performance.now()
const totals = {}
const failed = []
let next = options.from
let passed = 0

function addUp(result) {
  for (const name of ['kills', 'faults', 'payments', 'keys', 'statements', 'requests', 'virtualSeconds'])
    totals[name] = (totals[name] ?? 0) + (result[name] ?? 0)
}

function report(result, only) {
  const { seed, violations, hash, setup, roles, payments, faults, kills, timeline, seconds } = result
  const outcome = violations.length > 0 ? 'FAILED' : 'ok'
  console.log(
    `seed ${seed}: ${outcome}, ${hash}, ${setup} (${roles}), ${payments} payments, ${faults} faults, ${kills} kills, ${seconds?.toFixed(1)} s`,
  )
  if (options.timeline) console.log(timeline.join('\n'))
  if (violations.length === 0) return
  if (!options.timeline) console.log(timeline.slice(-PRINTED_LINES).join('\n'))
  for (const violation of violations) console.log(`  ${violation}`)
  console.log(`  ${commandOf(seed, only, options.without)}`)
}

async function work() {
  for (;;) {
    const isLate = options.minutes !== null && performance.now() - startedAt > options.minutes * 60_000
    if (next > options.to || isLate) return
    const seed = next++
    const result = await runSeed(bundle, seed, options.only, options)
    addUp(result)
    report(result, options.only)
    if (result.violations.length === 0) {
      passed += 1
      continue
    }
    failed.push(seed)
    // A process that ended without a result, such as one that took too long, has no faults to leave out.
    if (!options.shrinks || failed.length > MAX_SHRUNK || result.clients === undefined) continue
    const smallest = await shrink(bundle, seed, options.only, result)
    if (smallest.only === options.only) continue
    console.log(`\nseed ${seed}, shrunk in ${smallest.runs} runs:`)
    report(smallest.result, smallest.only)
  }
}

await Promise.all(Array.from({ length: options.atOnce }, work))
console.log(
  `\n${Math.round(totals.virtualSeconds / 60)} virtual minutes, ${totals.requests} requests, ${totals.payments} payments, ${totals.statements} statements, ${totals.faults} faults, ${totals.kills} kills, ${Math.round((performance.now() - startedAt) / 1_000)} s`,
)
console.log(`\n${passed} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
