/**
 * Every test of the api with the example connector in a process of its own that is slow, answers twice, out of order,
 * brokenly and sometimes not at all. On SQLite alone: a connector does not know where the service keeps things, and what
 * the service keeps of it (`connectors/`) is tried on both engines by the Node tests.
 * Each trouble counts as a test, which fails where it never happened: a run without trouble has tried nothing.
 *   node scripts/connector.mjs [file]    a single file may well meet no trouble
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportFile } from './tally.mjs'
import { runVitest } from './vitest.mjs'

/** Whatever happens, the pipeline continues after that many minutes. */
const WITHIN = 15

const folder = mkdtempSync(join(tmpdir(), 'causeway-connector-'))
const told = join(folder, 'met.json')
const args = ['--project', 'api', ...process.argv.slice(2)]
const env = { TEST_CONNECTOR: '1', CONNECTOR_MET: told }
const passed = await runVitest('unit-connector', args, env, { within: WITHIN * 60_000 })

const met = existsSync(told) ? JSON.parse(readFileSync(told, 'utf8')) : { calls: 0 }
rmSync(folder, { recursive: true, force: true })
const never = Object.keys(met).filter(trouble => met[trouble] === 0)
console.log(
  `The connector: ${Object.entries(met)
    .map(([trouble, times]) => `${trouble} ${times}`)
    .join(', ')}`,
)
if (never.length > 0) console.log(`Never happened: ${never.join(', ')}`)
const counted = reportFile('connector')
const counts = {
  passed: Object.keys(met).length - never.length,
  failed: never.length,
  skipped: 0,
  failures: never.map(trouble => `Never happened: ${trouble}`),
}
if (counted) writeFileSync(counted, JSON.stringify(counts))
process.exitCode = passed && never.length === 0 ? 0 : 1
