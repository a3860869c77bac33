/**
 * Fails any test in which the product runs a statement that does not specify the team whose rows it reads or changes.
 */
import { DefaultQueryCompiler, type RootOperationNode } from 'kysely'
import { afterAll, afterEach, expect } from 'vitest'
import { unscoped } from './query-scope.js'

/** Tables whose rows do not belong to a team, and the tables through which a request finds its team. */
const withoutTeam = new Set(['api_keys', 'counters', 'directory', 'schema_state', 'service_keys', 'settings', 'teams'])

/**
 * Files whose statements apply to all teams: they claim due work, delete old rows, check the ledger or serve the
 * operator.
 */
const acrossTeams = new Map([
  ['console/operator-store.ts', 'the operator looks at all teams'],
  ['main/caused.ts', 'the operator asks for a request of any team'],
  ['main/doctor-checks.ts', 'the operator asks about the whole store'],
  ['main/drill.ts', 'the operator looks at a restored store'],
  ['main/operator.ts', 'the operator names a person by id alone'],
  ['main/reconcile.ts', 'the operator compares the payments of the rail'],
  ['main/rotate.ts', 'the operator turns the key of the service'],
  ['money/ledger/check.ts', 'the teams that payments and postings name are listed'],
  ['platform/audit/store.ts', 'the operator reads the audit log'],
  ['platform/db/migrate.ts', 'migrations'],
  ['platform/jobs/count.ts', 'gauges of all jobs'],
  ['platform/jobs/claims.ts', 'due jobs of all teams are taken in turns'],
  ['platform/jobs/jobs.ts', 'leases of this process are renewed, and ended at a start'],
  ['platform/jobs/sweep.ts', 'old rows of all teams are deleted'],
])
const installed = Symbol.for('causeway.query-guard')

/** Returns the line of product code that runs a statement, or null if a test runs the statement itself. */
function caller(): string | null {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 60
  const lines = new Error().stack!.split('\n')
  Error.stackTraceLimit = stackTraceLimit
  for (const line of lines) {
    const [, path, number] = /\/apps\/api\/src\/([^:?]+)[^:]*:(\d+)/.exec(line) ?? []
    if (!path || path === 'platform/db/compiled.ts' || path === 'testing/query-guard-setup.ts') continue
    return path.startsWith('testing/') || path.endsWith('.test.ts') ? null : `${path}:${number}`
  }
  return null
}

/** Problems that this worker's guard has found since the last test. All test files in a worker share the guard. */
const prototype = DefaultQueryCompiler.prototype as DefaultQueryCompiler & { [installed]?: string[] }
if (!prototype[installed]) prototype[installed] = install()
const problems = prototype[installed]

function install(): string[] {
  const problems: string[] = []
  /** Results by statement text. They are cached because most statements are repeated. */
  const known = new Map<string, string[]>()
  const compile = prototype.compileQuery
  prototype.compileQuery = function (this: DefaultQueryCompiler, node: RootOperationNode, ...rest: never[]) {
    const compiled = Reflect.apply(compile, this, [node, ...rest])
    let tables = known.get(compiled.sql)
    if (!tables) {
      tables = unscoped(node, table => !withoutTeam.has(table))
      known.set(compiled.sql, tables)
    }
    const place = tables.length > 0 ? caller() : null
    if (place !== null && !acrossTeams.has(place.split(':')[0]!))
      problems.push(`${place} names no team for ${tables.join(' and ')}: ${compiled.sql}`)
    return compiled
  }
  return problems
}

// The statement still runs, so that the test also shows the statement's effect.
function report() {
  expect(problems.splice(0)).toEqual([])
}
afterEach(report)
afterAll(report)
