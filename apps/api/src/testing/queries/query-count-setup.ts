/** Prints the number of distinct statements that the query guard has checked in a test run. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { acrossTeams } from './query-exceptions.js'
import type { SeenStatement } from './query-scope.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder in which each worker writes the statements that it has seen, one per line. */
    statements: string
  }
}

export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-statements-'))
  provide('statements', folder)
  return () => {
    const statements = readdirSync(folder)
      .flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n'))
      .filter(Boolean)
      .map(line => JSON.parse(line) as SeenStatement)
    rmSync(folder, { recursive: true, force: true })
    const exempt = statements.filter(each => each.exempt !== null)
    const shapes = (list: readonly SeenStatement[]) => new Set(list.map(({ shape }) => shape)).size
    const files = new Set(exempt.map(each => each.exempt)).size
    console.log(
      `Query guard: ${shapes(statements)} distinct statements; ${shapes(exempt)} of them apply to all teams, in ${files} of the ${acrossTeams.size} exempt files`,
    )
  }
}
