/**
 * Writes docs/conformance.md from the titles of the tests. The page lists the tests that verify each row of the
 * interface specification.
 *   node scripts/docs/conformance.mjs            writes the page
 *   node scripts/docs/conformance.mjs --check    compares the page, and lists rows without a test and tags without a row
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rows } from './conformance-rows.mjs'

/**
 * True if `--check` fails for a row without a test or for an outdated page. If false, `--check` only reports these
 * problems.
 */
const STRICT = true

const PAGE = 'docs/conformance.md'
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Normalizes text so that `8 Idempotency-Key` equals `8 idempotency key`. */
const plain = text => text.toLowerCase().replaceAll('-', ' ')

/** Returns every string in a test file that could be a title, as `{ title, call }`. Excludes skipped tests. */
function titles(source) {
  const found = []
  for (const match of source.matchAll(
    /(?:\b([\w.]+)(?:\([^()]*\))?\(\s*)?(['"`])((?:4\.|[78] )(?:\\.|(?!\2)[^\\\n])*)\2/g,
  )) {
    const [, call = '', , title] = match
    if (!/\.(?:skip|todo|fails)\b/.test(call)) found.push({ title, call })
  }
  return found
}

/** Returns the tests by row id, and the titles whose tag does not match any row. `files` is `[{ path, text }]`. */
export function readTests(files) {
  const proofs = new Map(rows.map(({ id }) => [id, []]))
  const longestFirst = [...proofs.keys()].sort((a, b) => b.length - a.length)
  const strays = []
  for (const { path, text } of files) {
    for (const { title, call } of titles(text)) {
      const id = longestFirst.find(row => plain(title) === plain(row) || plain(title).startsWith(`${plain(row)} `))
      if (id) proofs.get(id).push({ path, title: title.replaceAll('\\', '') })
      else if (/^(?:it|test)\b/.test(call))
        strays.push(`${path}: "${title}" does not match any row of scripts/docs/conformance-rows.mjs`)
    }
  }
  return { proofs, strays }
}

const cell = text => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export function page(proofs) {
  const sections = new Map()
  for (const row of rows) {
    const name = row.id.startsWith('4') ? row.id.split('.').slice(0, 2).join('.') : row.id[0]
    sections.set(name, [...(sections.get(name) ?? []), row])
  }
  const lines = [
    '# Conformance',
    '',
    'For each row of sections 4, 7 and 8 of the interface specification, this page lists the tests that verify it.',
    '`node scripts/docs/conformance.mjs` generates the page from the test titles. Do not edit it.',
  ]
  for (const [name, list] of sections) {
    lines.push('', `## Section ${name}`, '', '| Row | Promise | Tests |', '| --- | --- | --- |')
    for (const { id, promise } of list) {
      const tests = proofs
        .get(id)
        .map(({ path, title }) => `${cell(title.slice(id.length).trim() || title)} (\`${path}\`)`)
      lines.push(`| ${id} | ${cell(promise)} | ${tests.join('<br>') || 'none yet'} |`)
    }
  }
  return `${lines.join('\n')}\n`
}

function main() {
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '*.test.ts', '*.test.mjs', 'e2e/*.spec.ts'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const files = [...new Set(listed.split('\n'))]
    .filter(path => path && !path.startsWith('scripts/') && existsSync(root + path))
    .sort()
    .map(path => ({ path, text: readFileSync(root + path, 'utf8') }))
  const { proofs, strays } = readTests(files)
  const text = page(proofs)
  if (!process.argv.includes('--check')) {
    mkdirSync(`${root}docs`, { recursive: true })
    writeFileSync(root + PAGE, text)
    return 0
  }
  const missing = rows.filter(({ id }) => proofs.get(id).length === 0)
  const stale = !existsSync(root + PAGE) || readFileSync(root + PAGE, 'utf8') !== text
  console.log(`${rows.length - missing.length} of ${rows.length} rows of the specification have a test.`)
  for (const { id, promise } of missing) console.log(`  no test: ${id}  ${promise}`)
  for (const stray of strays) console.log(`  ${stray}`)
  if (stale) console.log(`  ${PAGE} is not up to date: run node scripts/docs/conformance.mjs`)
  return STRICT && (missing.length > 0 || strays.length > 0 || stale) ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = main()
