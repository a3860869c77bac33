/**
 * Fails any test in which the product runs a statement that doesn't specify the team whose rows it reads or changes.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { DefaultQueryCompiler, type RootOperationNode } from 'kysely'
import { afterAll, afterEach, expect, inject } from 'vitest'
import { acrossTeams } from './query-exceptions.js'
import { findUnscopedTables, type SeenStatement, shapeOf } from './query-scope.js'

/** Tables whose rows don't belong to a team, and the tables that a request uses to find its team. */
const withoutTeam = new Set([
  ...['api_keys', 'counters', 'directory', 'schema_state', 'service_keys', 'settings', 'teams'],
  ...['payees', 'provider_hooks', 'provider_states', 'provider_usage'],
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
    if (!path || path === 'platform/db/compiled-query.ts' || path === 'testing/queries/query-guard-setup.ts') continue
    return path.startsWith('testing/') || path.endsWith('.test.ts') ? null : `${path}:${number}`
  }
  return null
}

/** All test files in a worker share the guard. */
interface Guard {
  /** Problems found since the last test. */
  problems: string[]
  /** Statements that the product ran for the first time since the last test file finished. */
  fresh: SeenStatement[]
  /** All statements that have ever been in `fresh`. */
  noted: Set<string>
}
const prototype = DefaultQueryCompiler.prototype as DefaultQueryCompiler & { [installed]?: Guard }
if (!prototype[installed]) prototype[installed] = install()
const { problems, fresh } = prototype[installed]

function install(): Guard {
  const problems: string[] = []
  const fresh: SeenStatement[] = []
  const noted = new Set<string>()
  /** Results by statement text, cached because most statements are repeated. */
  const tablesByStatement = new Map<string, string[]>()
  const compile = prototype.compileQuery
  prototype.compileQuery = function (this: DefaultQueryCompiler, node: RootOperationNode, ...rest: never[]) {
    const compiled = Reflect.apply(compile, this, [node, ...rest])
    let tables = tablesByStatement.get(compiled.sql)
    if (!tables) {
      tables = findUnscopedTables(node, table => !withoutTeam.has(table))
      tablesByStatement.set(compiled.sql, tables)
    }
    const isNoted = noted.has(compiled.sql)
    const location = isNoted && tables.length === 0 ? null : caller()
    if (location === null) return compiled
    const file = location.split(':')[0]!
    if (!isNoted) {
      noted.add(compiled.sql)
      fresh.push({ shape: shapeOf(compiled.sql), exempt: tables.length > 0 ? file : null })
    }
    if (tables.length > 0 && !acrossTeams.has(file))
      problems.push(`${location} does not specify a team for ${tables.join(' and ')}: ${compiled.sql}`)
    return compiled
  }
  return { problems, fresh, noted }
}

// Reports problems only after the test. The statement still runs, so the test also shows its effect.
function report() {
  expect(problems.splice(0)).toEqual([])
}
afterEach(report)
afterAll(report)
afterAll(() => {
  const lines = fresh.splice(0).map(each => `${JSON.stringify(each)}\n`)
  appendFileSync(join(inject('statements'), `${process.pid}.jsonl`), lines.join(''))
})
