/**
 * Within a module, a feature's rules use no framework, store or clock, so they can be tested without starting a server.
 * A feature may use another feature's rules or store, but never its endpoints. `modules.mjs` checks the imports between
 * modules.
 */
import { importsOf, isScript, isTest, target } from './repository.mjs'

export const sentence = 'Rules of the service are pure, and no feature uses the routes of another'

const SRC = 'apps/api/src/'
/** Modules without features. */
const without = new Set(['platform', 'versions', 'network', 'sandbox', 'main', 'testing'])

/**
 * Returns `{ feature: 'money/payments', name: 'store' }` for `apps/api/src/money/payments/store.ts`, or null if the
 * file does not belong to a feature.
 */
function placeOf(path) {
  const parts = path.slice(SRC.length).replace(/\.ts$/, '').split('/')
  if (!path.startsWith(SRC) || parts.length < 2 || without.has(parts[0])) return null
  const depth = parts.length === 2 ? 1 : 2
  return { feature: parts.slice(0, depth).join('/'), name: parts.slice(depth).join('/') }
}

/**
 * Pure modules that all features share: the business-day calendar, durations, the declaration of JSON columns, and
 * words of names.
 */
const shared = new Set(
  ['calendar/calendar.ts', 'db/json-column.ts', 'name-words.ts', 'time.ts'].map(path => `${SRC}platform/${path}`),
)

/** True for a rules file: `payment` or `payments` in the `payments` feature, `rules`, `*-rules`, and the shared files. */
function isRules(path) {
  if (shared.has(path)) return true
  const place = placeOf(path)
  if (place === null || isTest(path)) return false
  const folder = place.feature.split('/').at(-1)
  const singular = folder.replace(/ies$/, 'y').replace(/s$/, '')
  return [folder, singular, 'rules'].includes(place.name) || /^[^/]+-rules$/.test(place.name)
}

const isRoutes = path => /[/-]routes(?:\/|$|[.-])/.test(path)

function importProblem(path, { from, type }) {
  const to = target(path, from)
  if (isRules(path) && !type) {
    const pure = to === null ? from.startsWith('@causeway/contract/') : isRules(`${to}.ts`)
    if (!pure) return `contains rules, which may import only the contract and other rules, not ${from}`
  }
  const here = placeOf(path)
  const there = to && placeOf(`${to}.ts`)
  if (here && there && here.feature !== there.feature && isRoutes(to))
    return `uses the routes of ${there.feature} (${from}): use its rules or its store`
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
    if (isRules(path) && impure.test(text))
      found.push(`${path} contains rules, which must take the time and random values as arguments`)
  }
  return found
}
