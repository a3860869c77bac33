/**
 * Removes a protection from the service, to check that the simulation finds the fault. A removal is an entry of
 * `removal-list.mjs`, or a mutant that is marked in the source: see `scripts/test/mutations/operations.mjs`.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutated } from '../test/mutations/operations.mjs'
import { removals } from './removal-list.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = path => readFileSync(join(root, path), 'utf8')

/** Replaces a part of a text. Throws unless the text contains the part once. */
function replaceOnce(path, text, from, to) {
  const count = text.split(from).length - 1
  if (count !== 1) throw new Error(`${path} must contain this once, but contains it ${count} times: ${from}`)
  return text.replace(from, () => to)
}

/** Returns the file that contains a mutant, as a path from the root. */
function fileOfMutant(name) {
  try {
    const found = execFileSync('grep', ['-rlF', `mutant: ${name} (`, 'apps/api/src', 'packages/providers/src'], {
      cwd: root,
    })
    return String(found).split('\n')[0]
  } catch {
    throw new Error(`There is no removal and no mutant with the name ${name}.`)
  }
}

/** Returns the changed source files, by path from the root. Throws an error whose message says what is wrong. */
export function textsWithout(name) {
  const { isMarked, changes } = removals[name] ?? { isMarked: true, changes: [] }
  const texts = new Map()
  if (isMarked) {
    const path = fileOfMutant(name)
    texts.set(path, mutated(path, read(path), name))
  }
  for (const [path, from, to] of changes) texts.set(path, replaceOnce(path, texts.get(path) ?? read(path), from, to))
  return texts
}
