/**
 * The service's modules form a directed acyclic graph. Each module imports only modules that precede it in the list,
 * even for types, so it can be read, tested and changed without reading the later modules. Within a module, only type
 * imports may form cycles. In a cycle of run-time imports, the behavior depends on which file is loaded first.
 */
import { readImports } from '../cruise/cruise.mjs'
import { root as here, isTest } from './repository.mjs'

export const sentence = 'Modules of the service import only earlier modules, without cycles'

const SRC = 'apps/api/src'
/** The modules in order. Each module may import the modules before it. */
const order = [
  'platform',
  'versions',
  'network',
  'team',
  'notify',
  'people',
  'money',
  'flow',
  'forwarding',
  'privacy',
  'timeline',
  'console',
  'sandbox',
  'main',
]
/** Tests and test-only code may import anything. */
const forTests = 'testing'

const inside = modules => `^${SRC}/(?:${modules.join('|')})/`
const forbidden = order.map((name, index) => ({
  name,
  severity: 'error',
  from: { path: inside([name]) },
  to: { path: inside([...order.slice(index + 1), forTests]) },
}))

const moduleOf = path => path.split('/')[3]

/** Returns the cycles of run-time imports, each as a list of files. */
function circlesOf(modules) {
  const imports = new Map(
    modules.map(({ source, dependencies }) => [
      source,
      dependencies.filter(each => !each.dependencyTypes.includes('type-only')).map(each => each.resolved),
    ]),
  )
  const circles = []
  const done = new Set()
  const way = []
  const visit = path => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path])
    if (way.includes(path) || done.has(path)) return
    way.push(path)
    for (const next of imports.get(path) ?? []) visit(next)
    way.pop()
    done.add(path)
  }
  for (const path of imports.keys()) visit(path)
  return circles
}

export async function check(files, { root = here } = {}) {
  const sources = files.map(({ path }) => path).filter(path => path.startsWith(`${SRC}/`) && /\.ts$/.test(path))
  const wanted = sources.filter(path => !/\.test\.ts$/.test(path))
  if (wanted.length === 0) return []
  const { modules, violations } = await readImports({ root, folder: SRC, forbidden })
  const read = new Set(modules.map(({ source }) => source))
  return [
    ...wanted
      .filter(path => !isTest(path) && !order.includes(moduleOf(path)))
      .map(path => `${path} is not in any module: add it to one of ${order.join(', ')}`),
    ...wanted.filter(path => !read.has(path)).map(path => `${path} was not read, so its imports are unknown`),
    ...violations.map(
      ({ from, to }) =>
        `${from} imports ${to}: ${moduleOf(from)} may not import ${moduleOf(to)}, which comes after it. ` +
        'Move the shared part to an earlier module, or declare an interface that main/app.ts provides',
    ),
    ...circlesOf(modules).map(circle => `imports form a cycle: ${circle.join(' -> ')}`),
  ]
}
