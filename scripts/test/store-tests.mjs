/**
 * Separates the API tests that open a store, which run on both database engines, from those that do not, which run
 * once. A test can open a store only through `testing/` or `db/`, so its own imports show whether it opens one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const opens =
  /\bfrom '(?:\.{1,2}\/)+(?:platform\/)?(?:testing|db)\/|\bfrom '(?:\.\/(?:migrate|store)|\.{1,2}\/service)\.js'/

/** Returns the paths, relative to the root, of the API test files that do not open a store. */
export function storelessTests(root) {
  const folder = 'apps/api/src'
  return readdirSync(join(root, folder), { recursive: true })
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(path => path.endsWith('.test.ts') && !opens.test(readFileSync(join(root, path), 'utf8')))
    .sort()
}
