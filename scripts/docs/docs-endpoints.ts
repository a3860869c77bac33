/**
 * Writes docs/endpoints.md: every endpoint in endpoints-rows.mjs, with the route that serves it and the tests that call
 * it.
 *   tsx --conditions=source scripts/docs/docs-endpoints.ts            writes the page with the tests that it already lists
 *   tsx --conditions=source scripts/docs/docs-endpoints.ts --run      first runs the API tests and records the endpoints that they call
 *   tsx --conditions=source scripts/docs/docs-endpoints.ts --check    fails if the page is out of date
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endpoints } from '../../packages/contract/src/endpoints/table.js'
import { runVitest } from '../test/vitest.mjs'
import { leftOut, rows } from './endpoints-rows.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = `${root}docs/endpoints.md`
const isCheck = process.argv.includes('--check')

type Row = { method: string; path: string }
/** Tests by endpoint, such as `GET /entities/:ent_id`. */
type Hits = Map<string, readonly string[]>

const nameOf = ({ method, path }: Row) => `${method} ${path}`
/** The maximum number of tests listed per table row. */
const NAMED = 3
/** Returns the same text for paths that differ only in their parameter names. */
const shapeOf = (row: Row) => nameOf(row).replace(/\{\w+\}|:\w+/g, '{}')

async function record(): Promise<Hits> {
  const folder = mkdtempSync(join(tmpdir(), 'hits-'))
  await runVitest('hits', ['--project', 'api'], { HITS_DIR: folder })
  const found = new Map<string, Set<string>>()
  for (const file of readdirSync(folder))
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const [endpoint, test] = line.split('\t')
      if (endpoint && test) found.set(endpoint, (found.get(endpoint) ?? new Set()).add(test))
    }
  rmSync(folder, { recursive: true })
  // Tests that call few other endpoints come first, because those tests focus on this endpoint.
  const reach = (test: string) => [...found.values()].filter(tests => tests.has(test)).length
  const closest = (a: string, b: string) => reach(a) - reach(b) || a.localeCompare(b)
  return new Map([...found].map(([endpoint, tests]) => [endpoint, [...tests].sort(closest).slice(0, NAMED)]))
}

/** Reads the test column of the current page, omitting tests that no longer exist. */
function remembered(): Hits {
  const hits: Hits = new Map()
  const served = new Map(endpoints.map(endpoint => [shapeOf(endpoint), nameOf(endpoint)]))
  for (const line of existsSync(page) ? readFileSync(page, 'utf8').split('\n') : []) {
    const [, method, path] = /^\| (\w+) `([^`]+)` \|/.exec(line) ?? []
    const name = method && path && served.get(shapeOf({ method, path }))
    const tests = [...line.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, test]) => test!)
    if (name)
      hits.set(
        name,
        tests.filter(test => existsSync(`${root}apps/api/src/${test}`)),
      )
  }
  return hits
}

function write(hits: Hits): { text: string; untested: string[]; missing: string[] } {
  const byShape = new Map(endpoints.map(endpoint => [shapeOf(endpoint), endpoint]))
  const untested: string[] = []
  const missing: string[] = []
  const line = (row: Row) => {
    const endpoint = byShape.get(shapeOf(row))
    const reason = (leftOut as Record<string, string>)[nameOf(row)]
    if (!endpoint) {
      if (!reason) missing.push(nameOf(row))
      return `| ${row.method} \`${row.path}\` | ${reason ? `not implemented: ${reason}` : 'not implemented yet'} | |`
    }
    const tests = hits.get(nameOf(endpoint)) ?? []
    if (tests.length === 0) untested.push(nameOf(endpoint))
    return `| ${row.method} \`${row.path}\` | ${endpoint.summary} | ${tests.map(test => `\`${test}\``).join(' ') || 'none'} |`
  }
  const listed = new Set(rows.map(shapeOf))
  const ours = endpoints
    .filter(endpoint => !listed.has(shapeOf(endpoint)))
    .map(({ method, path }) => ({ method, path: path.replace(/:(\w+)/g, '{$1}') }))
  const head = ['| Endpoint | What it does | Tests, in apps/api/src |', '| --- | --- | --- |']
  const body = rows.map(line)
  const served = rows.filter(row => byShape.has(shapeOf(row))).length
  const text = [
    '# Endpoints',
    '',
    'This page lists every endpoint of the API and, for each one, the tests that receive a successful response from it.',
    '`tsx --conditions=source scripts/docs/docs-endpoints.ts` generates this page, so do not edit it. A running service describes the requests and responses at `/docs`.',
    '',
    `The service implements ${served} of ${rows.length} endpoints.`,
    '',
    ...head,
    ...body,
    '',
    '## Additional endpoints',
    '',
    ...head,
    ...ours.map(line),
    '',
  ].join('\n')
  return { text, untested, missing }
}

const { text, untested, missing } = write(process.argv.includes('--run') ? await record() : remembered())
console.log(
  `Of ${rows.length} endpoints, ${missing.length} are not implemented yet. ${untested.length} of the others have no test.`,
)
if (!isCheck) {
  for (const name of missing) console.log(`  ${name} is not implemented yet`)
  for (const name of untested) console.log(`  ${name} has no test that receives its response`)
  writeFileSync(page, text)
}
if (isCheck && (!existsSync(page) || readFileSync(page, 'utf8') !== text)) {
  console.error('docs/endpoints.md is out of date: run scripts/docs/docs-endpoints.ts')
  process.exitCode = 1
}
