/**
 * Runs the mutation tests: applies each mutation that a marker in the source describes while a test loads the module.
 * The test must fail, which kills the mutant. No file is changed. A test that fails even without the mutation proves
 * nothing, so the test must first pass without it. See `mutants.mjs` for the markers.
 *   node scripts/test/mutations/mutate.mjs                     every mutant; the same as --all
 *   node scripts/test/mutations/mutate.mjs --changed [BASE] [--most N]
 *       mutants whose file or test changed since BASE (default: see `changed.mjs`), at most N of them
 *   node scripts/test/mutations/mutate.mjs TEXT                mutants whose name, file or test contains the text
 * If UNIT_REPORT_DIR names a folder with Node test reports, the runs without mutations are skipped.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRepository, root } from '../../check/guards/repository.mjs'
import { usePostgres } from '../postgres.mjs'
import { reportFile } from '../tally.mjs'
import { findMutants } from './mutants.mjs'
import { readBaselines, verdict } from './mutation-baselines.mjs'
import { chooseMutants, readArguments } from './mutation-choice.mjs'
import { runGroups } from './mutation-pool.mjs'
import { mutated } from './operations.mjs'

const started = Date.now()
const wanted = readArguments(process.argv.slice(2))
const { mutants, problems } = findMutants(readRepository())
if (problems.length > 0) throw new Error(problems.join('\n'))
const chosen = chooseMutants(mutants, wanted)
const baselines = readBaselines(process.env.UNIT_REPORT_DIR)
const postgres = chosen.some(({ engine }) => engine === 'postgres') ? await usePostgres() : {}

/**
 * Resolves to null if the mutant was killed, or to the reason that it survived. `baseline` resolves to the verdict
 * without the mutation.
 */
async function judge({ name, test, title, engine, file }, baseline, run) {
  if (engine === 'postgres' && postgres.missing) return `not run: ${postgres.missing}`
  try {
    const text = mutated(file, readFileSync(join(root, file), 'utf8'), name)
    const before = await baseline()
    if (before === 'none') return 'no test ran without the mutation: the test is skipped, or a hook in the file fails'
    if (before === 'failed') return 'its test fails without the mutation'
    const after = await run({ test, title, engine, mutation: { file, text } })
    if (!after.applied) return 'its test does not load the module'
    if (verdict(after) === 'none') return 'the module did not load with the mutation, so no test ran'
    return verdict(after) === 'failed' ? null : 'SURVIVED: the test still passes'
  } catch (error) {
    return error.message
  }
}

/**
 * Groups the mutants that share a baseline, which is a run without mutations. The slowest groups run first: large
 * groups and those that run an entire file.
 */
const byTest = new Map()
for (const mutant of chosen) {
  const key = JSON.stringify([mutant.test, mutant.title, mutant.engine])
  byTest.set(key, [...(byTest.get(key) ?? []), mutant])
}
const groups = [...byTest.values()]
groups.sort((a, b) => Number(b[0].title === undefined) - Number(a[0].title === undefined) || b.length - a.length)

const rows = []
async function judgeGroup(group, run) {
  const { test, title, engine } = group[0]
  let before
  const baseline = () => {
    before ??= baselines(group[0]) ?? run({ test, title, engine }).then(verdict)
    return before
  }
  for (const mutant of group) {
    const since = Date.now()
    const why = await judge(mutant, baseline, run)
    rows.push({ ...mutant, why })
    const seconds = ((Date.now() - since) / 1000).toFixed(1)
    console.log(
      `${why === null ? 'killed    ' : 'NOT KILLED'} ${mutant.name} (${mutant.file}:${mutant.line}, ${seconds} s)`,
    )
    if (why !== null) console.log(`           ${mutant.operation}, ${test}: ${why}`)
  }
}
await runGroups(groups, judgeGroup, { postgresUrl: postgres.url })
postgres.stop?.()

const failures = rows.filter(({ why }) => why !== null).map(({ name, file, why }) => `${name} (${file}): ${why}`)
const failed = failures.length
const none = wanted.changed
  ? "No mutant's file or test changed"
  : `No mutant's name, file or test contains the text: ${wanted.text}`
if (rows.length === 0) console.log(none)
else
  console.log(
    `${rows.length - failed} of ${rows.length} mutants were killed, in ${Math.round((Date.now() - started) / 1000)} s`,
  )
const counted = reportFile('mutate')
if (counted) writeFileSync(counted, JSON.stringify({ passed: rows.length - failed, failed, skipped: 0, failures }))
process.exitCode = failed === 0 && (rows.length > 0 || wanted.changed) ? 0 : 1
