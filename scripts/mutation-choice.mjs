/** Selects the mutations for a run, based on the arguments of `pnpm mutate`. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { baseOf, changedFiles, filesAt, textAt } from './changed.mjs'

const repository = fileURLToPath(new URL('..', import.meta.url))
const usage = 'usage: pnpm mutate [--all | --changed [BASE] | TEXT]'

/** Returns `{ all }`, `{ changed, base }` or `{ text }`. Throws for any other arguments. */
export function readArguments(args) {
  const [first, ...rest] = args
  if (first === undefined || (first === '--all' && rest.length === 0)) return { all: true }
  if (first === '--changed' && rest.length <= 1) return { changed: true, base: rest[0] }
  if (args.some(each => each.startsWith('--'))) throw new Error(`${usage}, not: ${args.join(' ')}`)
  return { text: args.join(' ') }
}

/** Identifies a mutant. Two entries that differ only in their promises have the same identity. */
const identity = ({ file, find, replace, test, name, engine }) =>
  JSON.stringify([file, find, replace, test, name, engine])

/** Returns the mutations at a commit, or an empty list if `scripts/mutations.mjs` did not exist there. */
async function mutationsAt(commit, root) {
  const files = filesAt(commit, 'scripts', root).filter(path => /^scripts\/mutations[^/]*\.mjs$/.test(path))
  if (!files.includes('scripts/mutations.mjs')) return []
  const folder = mkdtempSync(join(tmpdir(), 'causeway-mutations-'))
  try {
    for (const path of files) writeFileSync(join(folder, basename(path)), textAt(commit, path, root))
    return (await import(pathToFileURL(join(folder, 'mutations.mjs')).href)).mutations
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns new and changed mutations, and mutations whose file or test changed since `base` or no longer exists. */
export async function changedMutations(mutations, { base, root = repository } = {}) {
  const commit = baseOf({ base, root })
  const changed = new Set(changedFiles({ since: commit, root }))
  const entriesChanged = [...changed].some(path => /^scripts\/mutations[^/]*\.mjs$/.test(path))
  const before = entriesChanged ? new Set((await mutationsAt(commit, root)).map(identity)) : null
  const touched = path => changed.has(path) || !existsSync(join(root, path))
  return mutations.filter(each => touched(each.file) || touched(each.test) || before?.has(identity(each)) === false)
}

/** Returns the mutations that the arguments select. */
export async function chooseMutations(mutations, { all, changed, base, text }) {
  if (all) return mutations
  if (changed) return changedMutations(mutations, { base })
  return mutations.filter(({ promise, file }) => `${promise} ${file}`.toLowerCase().includes(text.toLowerCase()))
}
