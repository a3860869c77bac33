/**
 * Finds the mutants. Each is two comments, which move with their code: `mutant: NAME (OPERATION)` in the source marks
 * the place and says how it is changed (see `operations.mjs`), and `kills: NAME` before a test, or before the imports
 * of a test file, names the tests that must then fail. `kills on PostgreSQL: NAME` runs them on that engine.
 */
import { codeAfter, lineOf, markersOf, mutated, parse, walk } from './operations.mjs'

const KILLS = /^\s*kills(?<postgres> on PostgreSQL)?: (?<names>[a-z0-9-]+(?:, [a-z0-9-]+)*)\s*$/
const isScript = path => /\.(?:ts|mts|mjs|js)$/.test(path) && !path.startsWith('scripts/test/mutations/')
const isTest = path => /\.test\.(?:ts|mjs)$/.test(path)

const escaped = text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Returns a pattern for a test's title, which may contain values that are known only when it runs. */
function patternOf(title) {
  const texts =
    title?.type === 'TemplateLiteral'
      ? title.quasis.map(({ value }) => value.cooked)
      : [typeof title?.value === 'string' ? title.value : '', ...(title?.type === 'Literal' ? [] : [''])]
  return texts.map(text => escaped(text).replace(/%[sdifjo]|\\\$[\w.]+/g, '.*')).join('.*')
}

/** Returns the arguments of `describe`, `it` or `test`, or of a form of these such as `it.each(…)(…)`. */
function argumentsOfTest(node) {
  if (node.type !== 'CallExpression') return undefined
  let callee = node.callee
  while (callee.type === 'MemberExpression' || callee.type === 'CallExpression')
    callee = callee.type === 'MemberExpression' ? callee.object : callee.callee
  return ['describe', 'it', 'test'].includes(callee.name) ? node.arguments : undefined
}

/** Returns a test file's `kills` comments as `{ name, engine, title, line }`. `title` is a pattern, or undefined. */
export function killsOf(path, text) {
  if (!/\bkills(?: on PostgreSQL)?:/.test(text)) return []
  const { program, comments } = parse(path, text)
  const found = []
  for (const comment of comments) {
    if (!/^\s*kills(?: on PostgreSQL)?:/.test(comment.value)) continue
    const line = lineOf(text, comment.start)
    const { names, postgres } = KILLS.exec(comment.value)?.groups ?? {}
    if (!names) throw new Error(`${path}:${line}: the form is "kills: name" or "kills on PostgreSQL: name"`)
    const at = codeAfter(comment, { text, comments })
    let title
    walk(program, (node, ancestors) => {
      if (node.start !== at || title !== undefined || !argumentsOfTest(node)) return
      const outer = ancestors.map(argumentsOfTest).filter(Boolean)
      title = [...outer, argumentsOfTest(node)].map(([first]) => patternOf(first)).join(' ')
    })
    if (title === undefined && program.body[0]?.start !== at)
      throw new Error(`${path}:${line}: "kills" must be before a test or before the imports`)
    const engine = postgres ? 'postgres' : undefined
    for (const name of names.split(', ')) found.push({ name, engine, title, line })
  }
  return found
}

/**
 * Returns `{ mutants, problems }` for files, each `{ path, text }`. A mutant is `{ name, operation, file, line, test,
 * title, engine }`. Each problem is a line of text.
 */
export function findMutants(files) {
  const problems = []
  const collect = (paths, read) =>
    paths.flatMap(({ path, text }) => {
      try {
        return read(path, text).map(each => ({ ...each, path, text }))
      } catch (error) {
        problems.push(error.message)
        return []
      }
    })
  const scripts = files.filter(({ path }) => isScript(path))
  const markers = collect(
    scripts.filter(({ path }) => !isTest(path)),
    markersOf,
  )
  const kills = collect(
    scripts.filter(({ path }) => isTest(path)),
    killsOf,
  )
  const at = ({ path, line }) => `${path}:${line}`
  for (const [all, what] of [
    [markers, 'mutant'],
    [kills, 'kills'],
  ])
    for (const [index, each] of all.entries()) {
      const first = all.findIndex(({ name }) => name === each.name)
      if (first < index) problems.push(`${at(each)}: "${what}: ${each.name}" is also at ${at(all[first])}`)
    }
  const mutants = []
  for (const marker of markers) {
    const { name, operation, line, path: file, text } = marker
    const killer = kills.find(each => each.name === name)
    try {
      if (mutated(file, text, name) === text) problems.push(`${at(marker)}: the mutant ${name} changes nothing`)
    } catch (error) {
      problems.push(error.message)
    }
    if (!killer) problems.push(`${at(marker)}: no test has the comment "kills: ${name}"`)
    else mutants.push({ name, operation, file, line, test: killer.path, title: killer.title, engine: killer.engine })
  }
  for (const each of kills)
    if (!markers.some(({ name }) => name === each.name))
      problems.push(`${at(each)}: no source has the comment "mutant: ${each.name} (…)"`)
  return { mutants, problems }
}
