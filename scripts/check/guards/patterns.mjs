/**
 * A regular expression can take time that grows with the square of its input, so that one request stops the whole
 * process. recheck finds such expressions: it analyzes each one, and confirms an attack by counting the steps of a
 * matcher. Its results are kept in `node_modules/.cache`, because some expressions take seconds.
 *
 * The guard reads regular expressions, the text of `RegExp(…)`, and the `pattern` of schemas. In text that is put
 * together, each inserted value counts as one letter.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { check as analyze } from 'recheck'
import { parseSync, Visitor } from 'vite'
import { isScript, isTest, root } from './repository.mjs'

export const sentence = 'Every regular expression takes time proportional to its input'

const { version } = createRequire(import.meta.url)('recheck/package.json')
const cacheFile = `${root}node_modules/.cache/causeway/patterns-${version}.json`

/** The number of expressions that are analyzed at the same time. */
const WORKERS = 2
/** The time limit for one expression, in ms. */
const TIMEOUT = 60_000
/** A fixed seed, so that the part of the analysis that generates input gives the same result each time. */
const settings = { timeout: TIMEOUT, attackTimeout: null, incubationTimeout: null, randomSeed: 1 }

const isProduct = path => /^(?:apps|packages)\/[^/]+\/(?:src|public)\//.test(path) && isScript(path) && !isTest(path)

/** Returns the text that an expression of the program evaluates to, with `x` for each inserted value. */
function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('x')
  return undefined
}

/** Returns every pattern in a script, as `{ source, flags, line }`. */
export function patternsOf(path, text) {
  if (!/[/]|RegExp|pattern/.test(text)) return []
  const patterns = []
  const add = ({ start }, source, flags = '') => {
    if (source !== undefined) patterns.push({ source, flags, line: text.slice(0, start).split('\n').length })
  }
  const construct = node => {
    const [source, flags] = node.arguments
    if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp') add(node, textOf(source), textOf(flags))
  }
  const { program } = parseSync(path, text)
  new Visitor({
    Literal(node) {
      if (node.regex) add(node, node.regex.pattern, node.regex.flags)
    },
    NewExpression: construct,
    CallExpression: construct,
    Property({ key, value }) {
      if ((key.name ?? key.value) === 'pattern') add(value, textOf(value))
    },
  }).visit(program)
  return patterns
}

/**
 * Returns true if an expression is linear by its form: it has no repetition without a maximum, or a single one after the
 * beginning of the text, so that there is one place to start and one choice to take back.
 */
export function isSimple({ source, flags }) {
  const form = source.replace(/\\./gs, 'e').replace(/\[[^\]]*\]/g, 'c')
  const endless = form.match(/[*+]|\{\d+,\}/g)?.length ?? 0
  if (endless === 0) return !form.includes('){')
  return endless === 1 && /^\^[^|]*$/.test(form) && !form.includes('){') && !flags.includes('m')
}

function readCache() {
  try {
    return JSON.parse(readFileSync(cacheFile, 'utf8'))
  } catch {
    return {}
  }
}

const unknown = 'could not be analyzed'

/** Returns the problem of an expression, or an empty string. On a busy machine, an analysis can exceed its time limit. */
async function problemOf({ source, flags }) {
  const { status, complexity, attack, error } = await analyze(source, flags, settings)
  if (status === 'safe') return ''
  if (status === 'unknown') return `${unknown} (${error?.kind}): use a simpler one`
  return `takes ${complexity.summary} time, for example on ${attack.pattern.slice(0, 80)}`
}

export async function check(files) {
  const places = new Map()
  for (const { path, text } of files.filter(({ path }) => isProduct(path)))
    for (const pattern of patternsOf(path, text)) {
      const name = `/${pattern.source}/${pattern.flags}`
      if (isSimple(pattern)) continue
      if (!places.has(name)) places.set(name, { pattern, at: [] })
      places.get(name).at.push(`${path}:${pattern.line}`)
    }
  const cache = readCache()
  const known = new Map(Object.entries(cache).filter(([name]) => places.has(name)))
  const waiting = [...places].filter(([name]) => !known.has(name))
  const isChanged = waiting.length > 0
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) known.set(next[0], await problemOf(next[1].pattern))
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
  if (isChanged) {
    mkdirSync(dirname(cacheFile), { recursive: true })
    // An expression that could not be analyzed is analyzed again next time.
    const analyzed = [...known].filter(([, problem]) => !problem.startsWith(unknown))
    writeFileSync(cacheFile, JSON.stringify({ ...cache, ...Object.fromEntries(analyzed) }))
  }
  return [...places].flatMap(([name, { at }]) => {
    const problem = known.get(name)
    return problem ? at.map(place => `${place}: ${name} ${problem}`) : []
  })
}
