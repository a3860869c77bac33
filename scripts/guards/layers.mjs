/**
 * Inside the service the foundations know no feature, the rules know no framework, and no feature knows the sandbox:
 * so that a payment rule can be tested without a server, a foundation changed without reading fifteen features, and
 * production run without a line of pretence.
 */
import { importsOf, isSandbox, isScript, isTest, target } from './repository.mjs'

export const sentence = 'Layers of the service point inwards'

const SRC = 'apps/api/src/'
const foundations = ['http', 'db', 'jobs']
/** Folders that are no feature: foundations, ports and what stands at the edge. */
const infrastructure = new Set([
  ...foundations,
  'versions',
  'crypto',
  'network',
  'identity',
  'rail',
  'outbound',
  'frame',
  'sandbox',
  'testing',
])

/** `payments` of `apps/api/src/payments/store`; null for a file directly in `src`. */
const folderOf = path => /^apps\/api\/src\/([^/]+)\//.exec(path)?.[1] ?? null
const isFeature = folder => folder !== null && !infrastructure.has(folder)

/** The names that the rules file of a folder may have: `payment` or `payments` of `payments`, `rules`, `*-rules`. */
function isRules(path) {
  const folder = folderOf(path)
  if (!isFeature(folder) || isTest(path)) return false
  const name = path.slice(`${SRC}${folder}/`.length).replace(/\.ts$/, '')
  const singular = folder.replace(/ies$/, 'y').replace(/s$/, '')
  return [folder, singular, 'rules'].includes(name) || /^[^/]+-rules$/.test(name)
}

const isRoutes = path => /\/routes(?:\/|$|[.-])/.test(path)

function importProblem(path, { from, type }) {
  const to = target(path, from)
  const here = folderOf(path)
  if (isRules(path) && !type) {
    const pure = to === null ? from.startsWith('@causeway/contract/') : isRules(`${to}.ts`)
    if (!pure) return `holds rules, which import the contract and other rules alone, not ${from}`
  }
  if (to === null) return null
  const there = folderOf(`${to}.ts`)
  if (foundations.includes(here) && isFeature(there)) return `${here} knows no feature, but imports ${from}`
  if (isFeature(here) && isFeature(there) && here !== there && isRoutes(to))
    return `meets ${there} through its routes (${from}): use its rules or its store`
  if (here !== null && !isSandbox(path) && isSandbox(to))
    return `only the wiring in src/ may import the sandbox (${from})`
  return null
}

const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandom(?:UUID|Bytes)\(/

export function check(files) {
  const found = []
  for (const { path, text } of files) {
    if (!path.startsWith(SRC) || !isScript(path) || isTest(path)) continue
    for (const each of importsOf(text)) {
      const said = importProblem(path, each)
      if (said) found.push(`${path}:${each.line} ${said}`)
    }
    if (isRules(path) && impure.test(text)) found.push(`${path} holds rules, which take time and chance as arguments`)
  }
  return found
}
