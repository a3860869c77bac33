/**
 * A table of security requirements is believed. Its rows name tests, which are renamed and deleted, and its counts are
 * written by hand. This guard reads `docs/security/asvs.md`: every test exists, every row is complete, the counts agree.
 */
export const sentence = 'The security requirements name tests that exist, and their counts agree'

const page = 'docs/security/asvs.md'
const states = ['tested', 'command', 'design', 'not applicable', 'open']
/** Requirements of ASVS 5.0.0 by level. Level 2 includes level 1. */
const published = { 1: 70, 2: 183 }

const row = /^\| (\d+)\.(\d+)\.(\d+) \| ([12]) \| (\S.*?) \| ([a-z ]+) \| (\S.*) \|$/
const count = /^\| (\w[\w ]*) \| (\d+) \| (\d+) \| (\d+) \|$/
const code = /`([^`]+)`/g

/** Reads the rows of the table, and the lines that should be rows and are not. */
function read(text) {
  const rows = []
  const broken = []
  for (const [index, line] of text.split('\n').entries()) {
    if (!/^\| \d/.test(line)) continue
    const [, chapter, section, number, level, words, state, evidence] = row.exec(line) ?? []
    if (words === undefined || !states.includes(state)) broken.push(index + 1)
    else {
      const order = [chapter, section, number].map(Number)
      rows.push({ id: order.join('.'), order, level: Number(level), state, evidence, line: index + 1 })
    }
  }
  return { rows, broken }
}

const isTest = name => /\.(?:test|spec)\.(?:ts|mjs)$/.test(name)
const codesOf = text => [...text.matchAll(code)].map(([, name]) => name)
const compare = (a, b) => a.map((part, index) => part - b[index]).find(Boolean) ?? 0

function checkRow({ id, state, evidence, line }, exists) {
  const names = codesOf(evidence)
  const tests = names.filter(isTest)
  const found = tests
    .filter(name => !exists(name))
    .map(name => `${page}:${line} ${id} names ${name}, which does not exist`)
  if (state === 'tested' && tests.length === 0) found.push(`${page}:${line} ${id} is tested and names no test file`)
  if (state === 'command' && !names.some(name => /^(?:pnpm|node|curl) /.test(name)))
    found.push(`${page}:${line} ${id} is by command and names none`)
  return found
}

/** Compares the counts of the page with its rows. */
function checkCounts(text, rows) {
  const written = new Map(
    text.split('\n').flatMap(line => {
      const [, state, ...numbers] = count.exec(line) ?? []
      return state === undefined ? [] : [[state, numbers.map(Number)]]
    }),
  )
  const of = wanted => [1, 2].map(level => rows.filter(each => each.level === level && wanted(each)).length)
  const lines = [...states.map(state => [state, of(each => each.state === state)]), ['all', of(() => true)]]
  return lines.flatMap(([state, [first, second]]) => {
    const right = [first, second, first + second]
    return String(written.get(state)) === String(right)
      ? []
      : [`${page}: the counts of "${state}" must be ${right.join(', ')}, not ${written.get(state) ?? 'missing'}`]
  })
}

export function check(files, { totals = published } = {}) {
  const text = files.find(({ path }) => path === page)?.text
  if (text === undefined) return [`${page} does not exist`]
  const paths = new Set(files.map(({ path }) => path))
  const exists = name => paths.has(name) || paths.has(`apps/api/src/${name}`)
  const { rows, broken } = read(text)
  const missing = [1, 2].flatMap(level => {
    const found = rows.filter(each => each.level === level).length
    return found === totals[level] ? [] : [`${page} has ${found} rows of level ${level}; ASVS has ${totals[level]}`]
  })
  return [
    ...broken.map(line => `${page}:${line} must be: id, level, words, one of ${states.join(', ')}, evidence`),
    ...rows.flatMap((each, index) =>
      index > 0 && compare(rows[index - 1].order, each.order) >= 0
        ? [`${page}:${each.line} ${each.id} is out of order or twice`]
        : [],
    ),
    ...rows.flatMap(each => checkRow(each, exists)),
    ...missing,
    ...checkCounts(text, rows),
  ]
}
