/**
 * Runs every API test with the example connector in a separate process that misbehaves: it is slow, repeats responses,
 * sends them out of order or malformed, and sometimes sends none. Uses only SQLite: a connector does not depend on the
 * store, and the Node tests cover the connectors' own storage code (`connectors/`) on both engines. Each kind of fault
 * counts as a test, which fails if the run never produced that fault.
 *   node scripts/test/connector.mjs [file]    a single file may run without any fault
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportFile } from './tally.mjs'
import { runVitest } from './vitest.mjs'

/** The time limit for a run, in minutes. Keeps a stalled run from blocking the pipeline. */
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
