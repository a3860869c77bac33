/**
 * Proves that the tests would notice: makes each mistake of `mutations.mjs` in turn, while the tests load the module,
 * and demands that its test goes red. No file is changed. A test that is red without the mistake proves nothing, so
 * that is looked at first.
 *   node scripts/mutate.mjs [text]    only mistakes whose promise or file contains the text
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutated } from './mutation.mjs'
import { mutations } from './mutations.mjs'
import { usePostgres } from './postgres.mjs'
import { reportFile } from './tally.mjs'
import { runVitest } from './vitest.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = process.argv.slice(2).join(' ').toLowerCase()
const chosen = mutations.filter(({ promise, file }) => `${promise} ${file}`.toLowerCase().includes(wanted))
const reports = mkdtempSync(join(tmpdir(), 'causeway-mutate-'))
const postgres = chosen.some(({ engine }) => engine === 'postgres') ? await usePostgres() : {}
let runs = 0

/** What the tests say: `green`, `red` (a test failed), or `broken` (no test ran, or a file did not load). */
async function ask({ test, name, engine }, mutation) {
  runs += 1
  const report = join(reports, `${runs}.json`)
  const env = mutation ? { MUTATION: JSON.stringify(mutation) } : {}
  if (engine === 'postgres') env.TEST_DATABASE_URL = postgres.url
  await runVitest('mutation', [test, ...(name ? ['-t', name] : [])], env, { quiet: true, report })
  if (!existsSync(report)) return 'broken'
  const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(report, 'utf8'))
  if (numFailedTests > 0) return 'red'
  return numPassedTests > 0 ? 'green' : 'broken'
}

const baselines = new Map()
const baselineOf = entry => {
  const key = JSON.stringify([entry.test, entry.name, entry.engine])
  if (!baselines.has(key)) baselines.set(key, ask(entry, null))
  return baselines.get(key)
}

/** Null where the mistake was noticed, else why it was not. */
async function judge(entry) {
  const { file, find, replace, engine } = entry
  if (engine === 'postgres' && postgres.missing) return `not tried: ${postgres.missing}`
  try {
    mutated(readFileSync(join(root, file), 'utf8'), entry)
  } catch (error) {
    return error.message
  }
  const before = await baselineOf(entry)
  if (before !== 'green') return `its test is ${before} without the mistake`
  const after = await ask(entry, { file, find, replace })
  if (after === 'red') return null
  return after === 'green' ? 'SURVIVED: the test stayed green' : 'the module did not load, so no test judged it'
}

const rows = []
const queue = [...chosen]
async function work() {
  for (let entry = queue.shift(); entry; entry = queue.shift()) {
    const why = await judge(entry)
    rows.push({ ...entry, why })
    console.log(
      `${why === null ? 'noticed ' : 'MISSED  '} ${entry.promise} (${entry.file})${why ? `\n         ${why}` : ''}`,
    )
  }
}
await Promise.all([work(), work()])

postgres.stop?.()
rmSync(reports, { recursive: true, force: true })
const failures = rows.filter(({ why }) => why !== null).map(({ promise, file, why }) => `${promise} (${file}): ${why}`)
const failed = failures.length
console.log(`${rows.length - failed} of ${rows.length} deliberate mistakes were noticed`)
const counted = reportFile('mutate')
if (counted) writeFileSync(counted, JSON.stringify({ passed: rows.length - failed, failed, skipped: 0, failures }))
process.exitCode = failed === 0 && rows.length > 0 ? 0 : 1
