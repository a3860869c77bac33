/**
 * Every export path of every package must lead to a file, and every import of our packages must use an existing path.
 * Otherwise, a customer would be the first to discover a broken path that no code in this repository imports.
 */
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { importsOf, isScript, root } from './repository.mjs'

export const sentence = 'Every export path leads to a file'

/**
 * Returns the file for a subpath such as `./errors` under one condition, or undefined if the package does not export
 * the subpath.
 */
function resolve(exports, subpath, condition) {
  const exact = exports[subpath]
  if (exact) return typeof exact === 'string' ? exact : exact[condition]
  for (const [pattern, to] of Object.entries(exports)) {
    const [before, after] = pattern.split('*')
    if (after === undefined || !subpath.startsWith(before) || !subpath.endsWith(after)) continue
    const star = subpath.slice(before.length, subpath.length - after.length)
    return (typeof to === 'string' ? to : to[condition])?.replaceAll('*', star)
  }
  return undefined
}

export function check(files, { exists = path => existsSync(root + path) } = {}) {
  const paths = new Set(files.map(({ path }) => path))
  const there = path => paths.has(path) || exists(path)
  const packages = files
    .filter(({ path }) => /^(?:packages|apps)\/[^/]+\/package\.json$/.test(path))
    .map(({ path, text }) => ({ folder: posix.dirname(path), ...JSON.parse(text) }))
  const found = []
  for (const { folder, name, exports = {} } of packages) {
    const built = there(`${folder}/dist`)
    for (const [subpath, to] of Object.entries(exports)) {
      const conditions = typeof to === 'string' ? { default: to } : to
      for (const [condition, file] of Object.entries(conditions)) {
        if (file.startsWith('./dist/') && !built) continue
        const path = posix.join(folder, file)
        const start = path.split('*')[0]
        const leads = path.includes('*') ? [...paths].some(each => each.startsWith(start)) || there(start) : there(path)
        if (!leads) found.push(`${name}: ${subpath} (${condition}) leads to ${file}, which does not exist`)
      }
    }
  }
  for (const { path, text } of files.filter(file => isScript(file.path))) {
    for (const { from, line } of importsOf(text)) {
      const [, name, rest] = /^(@causeway\/[^/]+)(.*)$/.exec(from) ?? []
      if (!name) continue
      const owner = packages.find(each => each.name === name)
      const file = owner && resolve(owner.exports ?? {}, `.${rest}`, 'source')
      if (!file || !there(posix.join(owner.folder, file))) found.push(`${path}:${line} ${from} does not lead to a file`)
    }
  }
  return found
}
