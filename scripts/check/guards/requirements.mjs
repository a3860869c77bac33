/**
 * Readers rely on the requirement tables. The rows refer to tests, which can be renamed or deleted. The counts are
 * updated manually. This guard reads the security and accessibility pages and checks that every test exists, that every
 * row is complete, and that the counts match.
 */
export const sentence = 'The requirement pages name tests that exist, and their counts match'

const isTest = name => /\.(?:test|spec)\.(?:ts|mjs)$/.test(name)
const isCommand = name => /^(?:pnpm|node|curl) /.test(name)

/** Checks that a row names its evidence. Each check returns a message if the evidence is missing. */
const aTest = ({ tests }) => (tests.length === 0 ? 'is tested but names no test file' : null)
const aCommand = ({ names }) => (names.some(isCommand) ? null : 'is checked by a command but names none')
const aTestOrCheck = ({ tests, checks }) =>
  tests.length + checks.length === 0 ? 'names neither a test nor a manual check' : null

/**
 * Lists each page with its states, the evidence that each state requires, and the number of published requirements per
 * level.
 */
export const pages = [
  {
    path: 'docs/security/asvs.md',
    standard: 'ASVS',
    states: { tested: aTest, command: aCommand, design: null, 'not applicable': null, open: null },
    // ASVS 5.0.0. Level 2 includes level 1.
    published: { 1: 70, 2: 183 },
  },
  {
    path: 'docs/accessibility.md',
    standard: 'WCAG',
    states: {
      supports: aTestOrCheck,
      'partially supports': aTestOrCheck,
      'does not support': null,
      'not applicable': null,
    },
    // WCAG 2.2, without criterion 4.1.1, which was removed. Level AA includes level A.
    published: { A: 31, AA: 24 },
  },
]

const row = /^\| (\d+)\.(\d+)\.(\d+) \| (\w+) \| (\S.*?) \| ([a-z ]+) \| (\S.*) \|$/
const count = /^\| (\w[\w ]*) \| (\d+) \| (\d+) \| (\d+) \|$/
const code = /`([^`]+)`/g
/** A test file, followed by titles of its tests. */
const titled = /`([^`]+)`((?:,? "[^"]+")+)/g
/** A manual check with its own heading below the table. */
const byHand = /\bM\d+\b/g

/** Returns the table's rows and its malformed lines. */
function read({ states, published }, text) {
  const rows = []
  const broken = []
  for (const [index, line] of text.split('\n').entries()) {
    if (!/^\| \d+\./.test(line)) continue
    const [, chapter, section, number, level, words, state, evidence] = row.exec(line) ?? []
    if (words === undefined || !(state in states) || !(level in published)) broken.push(index + 1)
    else {
      const order = [chapter, section, number].map(Number)
      rows.push({ id: order.join('.'), order, level, state, evidence, line: index + 1 })
    }
  }
  return { rows, broken }
}

const compare = (a, b) => a.map((part, index) => part - b[index]).find(Boolean) ?? 0

function checkRow({ path, states }, { id, state, evidence, line }, { find, text }) {
  const names = [...evidence.matchAll(code)].map(([, name]) => name)
  const tests = names.filter(isTest)
  const checks = evidence.match(byHand) ?? []
  const titles = [...evidence.matchAll(titled)].flatMap(([, name, quoted]) =>
    [...quoted.matchAll(/"([^"]+)"/g)].map(([, title]) => ({ name, title })),
  )
  const found = [
    ...tests.filter(name => !find(name)).map(name => `names ${name}, which does not exist`),
    ...titles
      .filter(({ name, title }) => find(name)?.text.includes(title) === false)
      .map(({ name, title }) => `names "${title}", which is not in ${name}`),
    ...checks.filter(each => !text.includes(`\n### ${each}: `)).map(each => `names ${each}, which is not described`),
    states[state]?.({ names, tests, checks }) ?? [],
  ]
  return found.flat().map(message => `${path}:${line} ${id} ${message}`)
}

/** Compares the counts on the page with its rows. */
function checkCounts({ path, states, published }, text, rows) {
  const written = new Map(
    text.split('\n').flatMap(line => {
      const [, state, ...numbers] = count.exec(line) ?? []
      return state === undefined ? [] : [[state, numbers.map(Number)]]
    }),
  )
  const of = wanted =>
    Object.keys(published).map(level => rows.filter(each => each.level === level && wanted(each)).length)
  const lines = [
    ...Object.keys(states).map(state => [state, of(each => each.state === state)]),
    ['all', of(() => true)],
  ]
  return lines.flatMap(([state, [first, second]]) => {
    const right = [first, second, first + second]
    return String(written.get(state)) === String(right)
      ? []
      : [`${path}: the counts of "${state}" must be ${right.join(', ')}, not ${written.get(state) ?? 'missing'}`]
  })
}

function checkPage(page, files) {
  const { path, standard, states, published } = page
  const text = files.find(each => each.path === path)?.text
  if (text === undefined) return [`${path} does not exist`]
  const known = new Map(files.map(each => [each.path, each]))
  const find = name => known.get(name) ?? known.get(`apps/api/src/${name}`)
  const { rows, broken } = read(page, text)
  const missing = Object.entries(published).flatMap(([level, wanted]) => {
    const found = rows.filter(each => each.level === level).length
    return found === wanted ? [] : [`${path} has ${found} rows of level ${level}; ${standard} has ${wanted}`]
  })
  return [
    ...broken.map(
      line => `${path}:${line} must be: id, level, words, one of ${Object.keys(states).join(', ')}, evidence`,
    ),
    ...rows.flatMap((each, index) =>
      index > 0 && compare(rows[index - 1].order, each.order) >= 0
        ? [`${path}:${each.line} ${each.id} is out of order or duplicated`]
        : [],
    ),
    ...rows.flatMap(each => checkRow(page, each, { find, text })),
    ...missing,
    ...checkCounts(page, text, rows),
  ]
}

export const check = (files, { requirements = pages } = {}) => requirements.flatMap(page => checkPage(page, files))
