/**
 * The kit loads on customers' pages, and the frame loads on phones. Each import increases their size, so this guard
 * enforces size limits. Each build writes the gzip sizes of its bundles to `dist/sizes.json`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { root } from './repository.mjs'

export const sentence = 'Bundles stay within their size budgets'

/** The size budgets, in bytes after gzip compression. */
const budgets = [
  { folder: 'packages/elements', file: 'kit', limit: 10_400 },
  { folder: 'packages/elements', file: 'loader', limit: 1_536 },
  { folder: 'packages/elements', file: 'init', limit: 12_800 },
  { folder: 'packages/react', file: 'react', limit: 1_024 },
  { folder: 'packages/opal-react', file: 'opal_react', limit: 1_536 },
  { folder: 'packages/opal-react', file: 'opal_react_page', limit: 14_336 },
  { folder: 'apps/flow', file: 'first_screen', limit: 29_440 },
  { folder: 'apps/flow', file: 'hosted', limit: 31_040 },
  { folder: 'apps/console', file: 'first_load', limit: 61_440 },
  { folder: 'apps/console', file: 'page', limit: 15_360 },
]

const fromDisk = {
  buildable: folder => existsSync(`${root}${folder}/build.mjs`),
  sizes(folder) {
    const path = `${root}${folder}/dist/sizes.json`
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
  },
}

/** With `noBuild`, does not report missing bundles. */
export function check(_files, { noBuild = false, disk = fromDisk } = {}) {
  const found = []
  for (const { folder, file, limit } of budgets) {
    if (!disk.buildable(folder)) continue
    const sizes = disk.sizes(folder)
    if (!sizes) {
      if (!noBuild) found.push(`${folder} is not built: run pnpm build`)
      continue
    }
    const size = sizes[file]
    if (!Number.isInteger(size)) found.push(`${folder}/dist/sizes.json has no size for ${file}`)
    else if (size > limit)
      found.push(`${folder}: ${file} is ${size} bytes after gzip, ${size - limit} over its ${limit}`)
  }
  return [...new Set(found)]
}
