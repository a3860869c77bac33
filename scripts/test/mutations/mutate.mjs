/**
 * Runs the mutation tests: applies each mutation in `mutations.mjs` while its test loads the module. The test must
 * fail, which kills the mutant. No file is changed. A test that fails even without the mutation proves nothing, so the
 * test must first pass without it.
 *   node scripts/test/mutations/mutate.mjs                     every mutation; the same as --all
 *   node scripts/test/mutations/mutate.mjs --changed [BASE] [--most N]
 *       mutations whose file, test or entry changed since BASE (default: see `changed.mjs`), at most N of them
 *   node scripts/test/mutations/mutate.mjs TEXT                mutations whose promise or file contains the text
 * If UNIT_REPORT_DIR names a folder with Node test reports, the runs without mutations are skipped.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { usePostgres } from '../postgres.mjs'
import { reportFile } from '../tally.mjs'
import { mutated } from './mutation.mjs'
import { readBaselines, verdict } from './mutation-baselines.mjs'
import { chooseMutations, readArguments } from './mutation-choice.mjs'
import { runGroups } from './mutation-pool.mjs'
import { mutations } from './mutations.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const started = Date.now()
const wanted = readArguments(process.argv.slice(2))
const chosen = await chooseMutations(mutations, wanted)
const baselines = readBaselines(process.env.UNIT_REPORT_DIR)
const postgres = chosen.some(({ engine }) => engine === 'postgres') ? await usePostgres() : {}

/**
 * Resolves to null if the mutant was killed, or to the reason that it survived. `baseline` resolves to the verdict
 * without the mutation.
 */
async function judge(entry, baseline, run) {
  const { test, name, engine, file, find, replace } = entry
  if (engine === 'postgres' && postgres.missing) return `not run: ${postgres.missing}`
  try {
    mutated(readFileSync(join(root, file), 'utf8'), entry)
    const before = await baseline()
    if (before === 'none')
      return 'no test ran without the mutation: no title matches its name, or a hook in the file fails'
    if (before === 'failed') return 'its test fails without the mutation'
    const after = await run({ test, name, engine, mutation: { file, find, replace } })
    if (!after.applied) return 'its test does not load the module'
    if (verdict(after) === 'none') return 'the module did not load with the mutation, so no test ran'
    return verdict(after) === 'failed' ? null : 'SURVIVED: the test still passes'
  } catch (error) {
    return error.message
  }
}

/**
 * Groups the mutations that share a baseline, which is a run without mutations. The slowest groups run first: large
 * groups and those that run an entire file.
 */
const byTest = new Map()
for (const entry of chosen) {
  const key = JSON.stringify([entry.test, entry.name, entry.engine])
  byTest.set(key, [...(byTest.get(key) ?? []), entry])
}
const groups = [...byTest.values()]
groups.sort((a, b) => Number(b[0].name === undefined) - Number(a[0].name === undefined) || b.length - a.length)

const rows = []
async function judgeGroup(group, run) {
  const { test, name, engine } = group[0]
  let before
  const baseline = () => {
    before ??= baselines(group[0]) ?? run({ test, name, engine }).then(verdict)
    return before
  }
  for (const entry of group) {
    const since = Date.now()
    const why = await judge(entry, baseline, run)
    rows.push({ ...entry, why })
    const seconds = ((Date.now() - since) / 1000).toFixed(1)
    console.log(`${why === null ? 'killed    ' : 'NOT KILLED'} ${entry.promise} (${entry.file}, ${seconds} s)`)
    if (why !== null) console.log(`           ${why}`)
  }
}
await runGroups(groups, judgeGroup, { postgresUrl: postgres.url })
postgres.stop?.()

const failures = rows.filter(({ why }) => why !== null).map(({ promise, file, why }) => `${promise} (${file}): ${why}`)
const failed = failures.length
const none = wanted.changed
  ? "No mutation's file, test or entry changed"
  : `No mutation's promise or file contains the text: ${wanted.text}`
if (rows.length === 0) console.log(none)
else
  console.log(
    `${rows.length - failed} of ${rows.length} mutants were killed, in ${Math.round((Date.now() - started) / 1000)} s`,
  )
const counted = reportFile('mutate')
if (counted) writeFileSync(counted, JSON.stringify({ passed: rows.length - failed, failed, skipped: 0, failures }))
process.exitCode = failed === 0 && (rows.length > 0 || wanted.changed) ? 0 : 1
