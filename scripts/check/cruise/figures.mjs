/**
 * Prints how the source files depend on one another, with type imports and without tests:
 *   node scripts/check/cruise/figures.mjs
 * - Circles: groups of files that all import one another, directly or through others.
 * - Folder pairs: two folders that import each other. A folder and a folder inside it do not count, because a registry
 *   and its entries are read together. Folders of `apps/api/src/flow` count with everything inside them.
 * - Arrows back up: if the parts of the contract are put into the order that fits best, the imports against it.
 */
import { fileURLToPath } from 'node:url'
import { readImports } from './cruise.mjs'
import { arrowsOf, folderOf, folderPairsOf, importsOf, isSource, pairsOf } from './graph.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const FLOW = 'apps/api/src/flow/'
const CONTRACT = 'packages/contract/src/'

const { modules } = await readImports({ root, folders: ['packages', 'apps'] })
const imports = importsOf(modules)

/** Returns the strongly connected components with at least two members, by Tarjan's algorithm. */
function circlesOf(arrows) {
  const numbers = new Map()
  const lowest = new Map()
  const stack = []
  const circles = []
  function visit(name) {
    numbers.set(name, numbers.size)
    lowest.set(name, numbers.get(name))
    stack.push(name)
    for (const next of arrows.get(name)) {
      if (!numbers.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(name, Math.min(lowest.get(name), lowest.get(next)))
    }
    if (lowest.get(name) !== numbers.get(name)) return
    const circle = stack.splice(stack.indexOf(name))
    if (circle.length > 1) circles.push(circle)
  }
  for (const name of arrows.keys()) if (!numbers.has(name)) visit(name)
  return circles.sort((a, b) => b.length - a.length)
}

/** Returns the arrows against the order of the names that has the fewest of them. Only circles have any. */
const arrowsBack = arrows => circlesOf(arrows).flatMap(names => arrowsBackIn(names, arrows))

function arrowsBackIn(names, arrows) {
  const index = new Map(names.map((name, at) => [name, at]))
  const targets = names.map(name =>
    [...arrows.get(name)].reduce((set, to) => (index.has(to) ? set | (1 << index.get(to)) : set), 0),
  )
  const bits = set => names.filter((_, at) => set & (1 << at)).length
  /** For each set of names, which are the last of the order: the fewest arrows back, and the first name of the set. */
  const best = [{ count: 0 }]
  for (let set = 1; set < 1 << names.length; set += 1) {
    best[set] = { count: Number.POSITIVE_INFINITY }
    for (let at = 0; at < names.length; at += 1) {
      if (!(set & (1 << at))) continue
      const rest = set & ~(1 << at)
      const outside = ((1 << names.length) - 1) & ~set
      const count = best[rest].count + bits(targets[at] & outside)
      if (count < best[set].count) best[set] = { count, at }
    }
  }
  const order = []
  for (let set = (1 << names.length) - 1; set > 0; set &= ~(1 << best[set].at)) order.push(names[best[set].at])
  return order.flatMap((name, at) =>
    order
      .slice(0, at)
      .filter(to => arrows.get(name).has(to))
      .map(to => [name, to]),
  )
}

const roomOf = (path, inside) => path.slice(inside.length).split('/')[0].replace(/\.ts$/, '')
const within = inside =>
  arrowsOf(
    imports
      .filter(pair => pair.every(path => path.startsWith(inside)))
      .map(pair => pair.map(path => roomOf(path, inside))),
  )

function print(title, lines) {
  console.log(`${title}: ${lines.length}`)
  for (const line of lines) console.log(`   ${line}`)
}

console.log(`Files: ${modules.filter(({ source }) => isSource(source)).length}, imports: ${imports.length}`)
print(
  'Circles of files',
  circlesOf(arrowsOf(imports)).map(
    circle => `${circle.length}: ${[...new Set(circle.map(folderOf))].sort().join(', ')}`,
  ),
)
print(
  `Folder pairs of ${FLOW}`,
  pairsOf(within(FLOW)).map(pair => pair.join(' <-> ')),
)
print(
  `Arrows back up in ${CONTRACT}`,
  arrowsBack(within(CONTRACT)).map(pair => pair.join(' -> ')),
)
print(
  'Folder pairs that are not a registry with its children',
  folderPairsOf(imports).map(pair => pair.join(' <-> ')),
)
