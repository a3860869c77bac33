/**
 * Runs the simulation of one seed in this process, and writes its result as one line of JSON:
 *   node scripts/simulate/seed.mjs BUNDLE SEED [OPTIONS AS JSON]
 */
import { mkdirSync, rmSync } from 'node:fs'
import { folderOf } from './folder.mjs'
import { replaceGlobals } from './globals.mjs'
import { createRandom } from './random.mjs'
import { createWorld } from './world.mjs'

const [, seed, options = '{}'] = process.argv.slice(2)
const realNow = performance.now.bind(performance)
const startedAt = realNow()
const world = createWorld()
replaceGlobals(world, createRandom(`${seed} process`))
const { simulate } = await import('./run.mjs')
const folder = folderOf(process.pid)
mkdirSync(folder)
let result
try {
  result = await simulate({ world, seed, folder, only: JSON.parse(options) })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const { timeline, ...summary } = result
process.stdout.write(
  `${JSON.stringify({ ...summary, seconds: (realNow() - startedAt) / 1_000, cpuSeconds: process.cpuUsage().user / 1e6, timeline: summary.violations.length > 0 || process.env.TIMELINE ? timeline : [] })}\n`,
  () => process.exit(0),
)
