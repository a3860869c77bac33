/**
 * Writes the table of differences in docs/guides/migrate.md.
 *   tsx --conditions=source scripts/docs/docs-migrate.ts            writes the table
 *   tsx --conditions=source scripts/docs/docs-migrate.ts --check    fails if the table is out of date
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { flowDifferences } from '../../packages/contract/src/differences.js'

const page = fileURLToPath(new URL('../../docs/guides/migrate.md', import.meta.url))

const rows = flowDifferences.map(({ what, elsewhere, here }) => `| ${what} | ${elsewhere} | ${here} |`)
const table = ['| | before | with Causeway |', '|---|---|---|', ...rows].join('\n')
const before = readFileSync(page, 'utf8')
const start = before.indexOf('\n| ', before.indexOf('<!-- differences:')) + 1
const text = before.slice(0, start) + table + before.slice(before.indexOf('\n\n', start))
if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (before !== text) {
  console.error('The table in docs/guides/migrate.md is out of date: run scripts/docs/docs-migrate.ts')
  process.exitCode = 1
}
