/**
 * Checks repository rules that no compiler enforces. Each guard is a file in `guards/` that explains its purpose and
 * returns the problems that it finds, one per line. A guard that exports `warns` reports them without failing.
 *   node scripts/check/guard.mjs               after a build
 *   node scripts/check/guard.mjs --no-build    without a build; missing bundles are not reported
 */
import * as commands from './guards/commands.mjs'
import * as containers from './guards/containers.mjs'
import * as docs from './guards/docs.mjs'
import * as exportPaths from './guards/exports.mjs'
import * as fixtures from './guards/fixtures.mjs'
import * as imports from './guards/imports.mjs'
import * as machines from './guards/machines.mjs'
import * as mutants from './guards/mutants.mjs'
import * as patterns from './guards/patterns.mjs'
import * as prose from './guards/prose.mjs'
import { readRepository } from './guards/repository.mjs'
import * as requirements from './guards/requirements.mjs'
import * as sizes from './guards/sizes.mjs'
import * as unused from './guards/unused.mjs'
import * as workflows from './guards/workflows.mjs'

/** The first two run other processes, which continue while the next guards read the files. */
const guards = [
  docs,
  patterns,
  imports,
  exportPaths,
  unused,
  fixtures,
  mutants,
  machines,
  commands,
  sizes,
  requirements,
  prose,
  workflows,
  containers,
]
const files = readRepository()
const options = { noBuild: process.argv.includes('--no-build') }

let failed = 0
const started = guards.map(({ check }) => check(files, options))
for (const [index, { sentence, warns = false }] of guards.entries()) {
  const problems = await started[index]
  console.log(`${problems.length === 0 ? 'ok' : warns ? '? ' : 'NO'} ${sentence}`)
  for (const line of problems) console.log(`   ${line}`)
  if (problems.length > 0 && !warns) failed += 1
}
process.exitCode = failed === 0 ? 0 : 1
