/**
 * Runs the steps in `scripts/steps.mjs`. Every step runs, even after a failure. The last line counts the tests; a step
 * without tests counts as one test. The exit code is 0 if nothing failed.
 *   node scripts/verify.mjs                     everything that must pass before a change is merged (`pnpm verify`)
 *   node scripts/verify.mjs verify:all          everything that must pass before a release (`pnpm verify:all`)
 *   node scripts/verify.mjs simulate            the long simulation, with seeds that no earlier day has used
 *   node scripts/verify.mjs test [--all]        the tests that require only Node.js, or all that this machine can run
 *   node scripts/verify.mjs [PLAN] --list       prints the table of steps and runs nothing
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { steps } from './steps.mjs'
import { ensureBrowser } from './test/browsers/ensure-browser.mjs'
import { readReport, tally } from './test/tally.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const plans = [...new Set(steps.flatMap(step => step.plans))]
const args = process.argv.slice(2)
const named = args.find(arg => !arg.startsWith('--')) ?? 'verify'
const plan = named === 'test' && args.includes('--all') ? 'test:all' : named
const unknown = args.filter(arg => arg.startsWith('--') && !['--all', '--list'].includes(arg))
if (!plans.includes(plan) || unknown.length > 0) {
  console.error(
    `Unknown: ${[...unknown, ...(plans.includes(plan) ? [] : [plan])].join(' ')}. Plans: ${plans.join(', ')}`,
  )
  process.exit(2)
}

/** Formats a table in which each column is as wide as its widest cell. */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => String(row[column]).length)))
  return rows
    .map(row =>
      row
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

if (args.includes('--list')) {
  const commandOf = ({ command }) =>
    [command[0] === process.execPath ? 'node' : command[0], ...command.slice(1)].join(' ')
  const listed = args.length > 1 ? steps.filter(step => step.plans.includes(plan)) : steps
  const rows = listed.map(step => [
    step.title,
    commandOf(step),
    step.plans.join(' '),
    step.budget,
    step.measured ?? '-',
  ])
  console.log(table([['step', 'command', 'plans', 'budget s', 'measured s'], ...rows]))
  process.exit(0)
}

/**
 * Returns the reason that this machine can't run a step, or null if it can. `verify` must run every step, so it treats
 * a missing browser as a failure.
 */
function missing({ browser }) {
  if (!browser || plan !== 'test:all') return null
  try {
    ensureBrowser(browser)
    return null
  } catch (error) {
    return error.message
  }
}

if (plan === 'test:all') process.env.INSTALL_BROWSERS = 'no'
const reports = mkdtempSync(join(tmpdir(), 'causeway-reports-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))
// The mutation tests use these reports to determine which tests pass before a mutation is applied.
process.env.UNIT_REPORT_DIR = reports
const rows = [['', 'step', 'seconds', 'budget', 'passed', 'failed', 'skipped']]
const failures = []
const sum = { passed: 0, failed: 0, seconds: 0 }

for (const [index, step] of steps.filter(({ plans }) => plans.includes(plan)).entries()) {
  const { title, command, budget } = step
  console.log(`\n== ${title}`)
  const why = missing(step)
  if (why !== null) {
    console.log(`Skipped: ${why}`)
    rows.push(['skipped', title, '-', budget, 0, 0, 1])
    continue
  }
  const folder = join(reports, String(index))
  mkdirSync(folder)
  const started = performance.now()
  const { status } = spawnSync(command[0], command.slice(1), {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...step.env, REPORT_DIR: folder },
  })
  const seconds = Math.round((performance.now() - started) / 1000)
  const read = readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => readReport(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  const counts = tally(read, status ?? 1)
  const verdict = counts.failed > 0 ? 'FAILED' : seconds > budget ? 'slow' : 'ok'
  rows.push([verdict, title, seconds, budget, counts.passed, counts.failed, counts.skipped])
  failures.push(...read.flatMap(each => each.failures))
  sum.passed += counts.passed
  sum.failed += counts.failed
  sum.seconds += seconds
  console.log(`== ${verdict}: ${title}, ${seconds} s of ${budget} s`)
}

console.log(
  `\n${table(rows)}\n\n${sum.seconds} s in all. "slow" means over the budget, which is measured on two idle cores.`,
)
// Repeats the failures at the end, because people read the end of a long log first.
if (failures.length > 0) console.log(`\n${failures.slice(0, 8).join('\n')}`)
console.log(`\n${sum.passed} passed, ${sum.failed} failed`)
process.exitCode = sum.failed > 0 ? 1 : 0
