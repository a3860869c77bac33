/**
 * Runs the Node tests: first all of them with the API on SQLite, then the API tests again on PostgreSQL. Without
 * PostgreSQL, the second run is skipped and reported as skipped. In CI, a skipped run is a failure.
 *   node scripts/test/unit.mjs [sqlite|postgres] [arguments of vitest]    `pnpm test:unit payments` runs those files on both
 */
import { usePostgres } from './postgres.mjs'
import { runVitest } from './vitest.mjs'

const [first, ...others] = process.argv.slice(2)
const engines = first === 'sqlite' || first === 'postgres' ? [first] : ['sqlite', 'postgres']
const filters = engines.length === 1 || first === undefined ? others : [first, ...others]
const projects = names => names.flatMap(name => ['--project', name])
let failed = false

if (engines.includes('sqlite')) {
  console.log('Node tests, the api on SQLite')
  const args = [...projects(['api', 'rest', 'isolated']), '--passWithNoTests', ...filters]
  if (!(await runVitest('unit-sqlite', args))) failed = true
}

if (engines.includes('postgres')) {
  const postgres = await usePostgres()
  if (postgres.missing) {
    console.log(`\nThe PostgreSQL run was skipped: ${postgres.missing}.`)
    if (process.env.CI) failed = true
  } else {
    console.log('\nNode tests of the api, on PostgreSQL')
    const env = { TEST_DATABASE_URL: postgres.url }
    if (!(await runVitest('unit-postgres', [...projects(['api']), '--passWithNoTests', ...filters], env))) failed = true
    postgres.stop()
  }
}
process.exitCode = failed ? 1 : 0
