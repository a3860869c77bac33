/** Which pages there are, with forward slashes from the root of the repository, and the blocks of those that are tried. */
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

/** Everything that a reader finds. */
export const pages = [
  'README.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['docs', 'docs/contributing', 'docs/decisions', 'docs/guides', 'docs/security'].flatMap(markdownIn),
  ...readmes,
]

/** The pages whose every block is tried. */
const tried = ['README.md', ...markdownIn('docs/guides'), ...readmes]

export const blocks = tried.flatMap(page => readBlocks(join(root, page)).map(block => ({ page, ...block })))
