/**
 * One deliberate mistake, put into a module while the tests load it. Nothing on disk changes, so an interrupted run
 * leaves nothing behind. `scripts/mutate.mjs` sets MUTATION; without it this plugin does nothing.
 */
import { fileURLToPath } from 'node:url'

/** The text with its one occurrence of `find` replaced. Throws unless there is exactly one. */
export function mutated(text, { file, find, replace }) {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`${file}: expected the text once, found it ${parts.length - 1} times: ${find}`)
  return parts.join(replace)
}

export function mutationFromEnvironment() {
  const mutation = process.env.MUTATION ? JSON.parse(process.env.MUTATION) : null
  const target = mutation && fileURLToPath(new URL(`../${mutation.file}`, import.meta.url))
  return {
    name: 'mutation',
    enforce: 'pre',
    transform(code, id) {
      return id.split('?')[0] === target ? { code: mutated(code, mutation), map: null } : null
    },
  }
}
