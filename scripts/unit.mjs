/**
 * The Node tests: everything with the api on SQLite, then the api again on PostgreSQL.
 * Arguments go to vitest as they are, so `pnpm test:unit payments` runs those files on both engines.
 * Without a PostgreSQL the second leg is skipped and said so; under CI that is a failure.
 */
import { usePostgres } from './postgres.mjs'
import { runVitest } from './vitest.mjs'

const filters = process.argv.slice(2)
let failed = false

console.log('Node tests, the api on SQLite')
if (!(await runVitest('unit-sqlite', filters))) failed = true

const postgres = await usePostgres()
if (postgres.missing) {
  console.log(`\nThe PostgreSQL leg was skipped: ${postgres.missing}.`)
  if (process.env.CI) failed = true
} else {
  console.log('\nNode tests of the api, on PostgreSQL')
  const env = { TEST_DATABASE_URL: postgres.url }
  if (!(await runVitest('unit-postgres', ['--project', 'api', '--passWithNoTests', ...filters], env))) failed = true
  postgres.stop()
}
process.exitCode = failed ? 1 : 0
