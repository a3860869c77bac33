/** Selects the mutations for a run, based on the arguments of `pnpm mutate`. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { baseOf, changedFiles, filesAt, headOf, textAt } from '../changed.mjs'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const usage = 'usage: pnpm mutate [--all | --changed [BASE] [--most N] | TEXT]'

/** Returns `{ all }`, `{ changed, base, most }` or `{ text }`. Throws for any other arguments. */
export function readArguments(args) {
  const [first, ...rest] = args
  if (first === undefined || (first === '--all' && rest.length === 0)) return { all: true }
  const at = rest.indexOf('--most')
  const [, most] = at < 0 ? [] : rest.splice(at, 2)
  const isCount = at < 0 || /^[1-9]\d*$/.test(most)
  if (first === '--changed' && rest.length <= 1 && isCount)
    return { changed: true, base: rest[0], most: at < 0 ? undefined : Number(most) }
  if (args.some(each => each.startsWith('--'))) throw new Error(`${usage}, not: ${args.join(' ')}`)
  return { text: args.join(' ') }
}

/** Identifies a mutant. Two entries that differ only in `promise`, the description, have the same identity. */
const identity = ({ file, find, replace, test, name, engine }) =>
  JSON.stringify([file, find, replace, test, name, engine])

/** Returns the mutations at a commit, or an empty list if `scripts/test/mutations/mutations.mjs` did not exist there. */
async function mutationsAt(commit, root) {
  const files = filesAt(commit, 'scripts', root).filter(path =>
    /^scripts\/(?:test\/mutations\/)?mutations[^/]*\.mjs$/.test(path),
  )
  if (!files.includes('scripts/test/mutations/mutations.mjs')) return []
  const folder = mkdtempSync(join(tmpdir(), 'causeway-mutations-'))
  try {
    for (const path of files) writeFileSync(join(folder, basename(path)), textAt(commit, path, root))
    return (await import(pathToFileURL(join(folder, 'mutations.mjs')).href)).mutations
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Returns the mutations that are new or changed since `base`, and those whose file or test has changed since then or no
 * longer exists. If there are more than `most`, prefers new and changed ones, then those whose file changed. The choice
 * among mutations of equal rank depends on the commit, so that runs for successive commits cover different mutations.
 */
export async function changedMutations(mutations, { base, most = Infinity, root = repository } = {}) {
  const commit = baseOf({ base, root })
  const changed = new Set(changedFiles({ since: commit, root }))
  const entriesChanged = [...changed].some(path => /^scripts\/test\/mutations\/mutations[^/]*\.mjs$/.test(path))
  const before = entriesChanged ? new Set((await mutationsAt(commit, root)).map(identity)) : null
  const touched = path => changed.has(path) || !existsSync(join(root, path))
  const isNew = each => before?.has(identity(each)) === false
  const affected = mutations.filter(each => touched(each.file) || touched(each.test) || isNew(each))
  if (affected.length <= most) return affected
  const head = headOf(root)
  const rank = each => {
    const first = isNew(each) ? 0 : touched(each.file) ? 1 : 2
    return `${first} ${createHash('sha256')
      .update(`${head} ${identity(each)}`)
      .digest('hex')}`
  }
  const ranked = affected.map(each => [rank(each), each]).sort(([one], [other]) => (one < other ? -1 : 1))
  const chosen = ranked.slice(0, most).map(([, each]) => each)
  console.log(
    `The change affects ${affected.length} mutations. Running ${most}; \`pnpm mutate --all\` runs every mutation.`,
  )
  return chosen
}

/** Returns the mutations that the arguments select. */
export async function chooseMutations(mutations, { all, changed, base, most, text }) {
  if (all) return mutations
  if (changed) return changedMutations(mutations, { base, most })
  return mutations.filter(({ promise, file }) => `${promise} ${file}`.toLowerCase().includes(text.toLowerCase()))
}
