/** Selects the mutants for a run, based on the arguments of `pnpm mutate`. */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { baseOf, changedFiles, headOf } from '../changed.mjs'

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

/**
 * Returns the mutants whose file or test has changed since `base`. If there are more than `most`, prefers those whose
 * file changed. The choice among mutants of equal rank depends on the commit, so that runs for successive commits cover
 * different mutants.
 */
export function changedMutants(mutants, { base, most = Infinity, root = repository } = {}) {
  const changed = new Set(changedFiles({ since: baseOf({ base, root }), root }))
  const affected = mutants.filter(({ file, test }) => changed.has(file) || changed.has(test))
  if (affected.length <= most) return affected
  const head = headOf(root)
  const rank = ({ name, file }) =>
    `${changed.has(file) ? 0 : 1} ${createHash('sha256').update(`${head} ${name}`).digest('hex')}`
  const ranked = affected.map(each => [rank(each), each]).sort(([one], [other]) => (one < other ? -1 : 1))
  console.log(
    `The change affects ${affected.length} mutants. Running ${most}; \`pnpm mutate --all\` runs every mutant.`,
  )
  return ranked.slice(0, most).map(([, each]) => each)
}

/** Returns the mutants that the arguments select. */
export function chooseMutants(mutants, { all, changed, base, most, text }) {
  if (all) return mutants
  if (changed) return changedMutants(mutants, { base, most })
  const contains = part => part.toLowerCase().includes(text.toLowerCase())
  return mutants.filter(({ name, file, test }) => [name, file, test].some(contains))
}
