/**
 * Lists all pages, and the code blocks of the pages whose blocks are tested. Paths are relative to the repository root
 * and use forward slashes.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readBlocks } from './blocks.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const markdownIn = folder =>
  readdirSync(join(root, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => `${folder}/${name}`)

const readmes = readdirSync(join(root, 'packages'))
  .map(name => `packages/${name}/README.md`)
  .filter(path => markdownIn(path.slice(0, -'/README.md'.length)).includes(path))

/** All pages that readers can find. */
export const pages = [
  'README.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['docs', 'docs/contributing', 'docs/decisions', 'docs/guides', 'docs/guides/providers', 'docs/security'].flatMap(
    markdownIn,
  ),
  ...readmes,
]

/** The pages whose code blocks are all tested. */
const tried = ['README.md', ...markdownIn('docs/guides'), ...markdownIn('docs/guides/providers'), ...readmes]

export const blocks = tried.flatMap(page => readBlocks(join(root, page)).map(block => ({ page, ...block })))
