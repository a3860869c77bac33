/** Reads the graph of imports between source files, with type imports and without tests. */

export const isSource = path =>
  /^(?:packages|apps)\/[^/]+\/src\/.*\.ts$/.test(path) &&
  !/\.(?:test|gen)\.ts$/.test(path) &&
  !/\/src\/(?:.*\/)?testing\//.test(path)

/** Returns the imports of source files as pairs of paths. `modules` is the result of `readImports`. */
export const importsOf = modules =>
  modules
    .filter(({ source }) => isSource(source))
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => [source, resolved]))
    .filter(([, to]) => isSource(to))

/** Returns a map from each name to the set of names that it points to, without itself. */
export function arrowsOf(pairs) {
  const arrows = new Map()
  for (const [from, to] of pairs) {
    for (const each of [from, to]) if (!arrows.has(each)) arrows.set(each, new Set())
    if (from !== to) arrows.get(from).add(to)
  }
  return arrows
}

/** Returns the pairs of names that point to each other. */
export const pairsOf = arrows =>
  [...arrows].flatMap(([from, targets]) =>
    [...targets].filter(to => from < to && arrows.get(to).has(from)).map(to => [from, to]),
  )

export const folderOf = path => path.slice(0, path.lastIndexOf('/'))

/** Returns the pairs of folders that import each other, except a folder and a folder inside it. */
export const folderPairsOf = imports =>
  pairsOf(arrowsOf(imports.map(pair => pair.map(folderOf)))).filter(
    ([a, b]) => !a.startsWith(`${b}/`) && !b.startsWith(`${a}/`),
  )
