/**
 * Puts one mutation into a module while Vite loads it. No file on disk changes, so an interrupted run leaves nothing
 * behind. `mutation-runner.mjs` sets the mutation; in every other run of vitest this plugin does nothing.
 */
import { fileURLToPath } from 'node:url'

/** The text with its one occurrence of `find` replaced. Throws unless there is exactly one. */
export function mutated(text, { file, find, replace }) {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`${file}: expected the text once, found it ${parts.length - 1} times: ${find}`)
  return parts.join(replace)
}

/** The state of this process, because Vite loads its configuration, and this module with it, as a copy of its own. */
const current = Symbol.for('causeway.mutation')

/** Replaces the mutation of the modules that load from here on. Returns how often it was applied, as `applied`. */
export function setMutation(mutation) {
  const target = mutation && fileURLToPath(new URL(`../${mutation.file}`, import.meta.url))
  globalThis[current] = mutation && { mutation, target, applied: 0 }
  return globalThis[current]
}

export function mutationPlugin() {
  return {
    name: 'mutation',
    enforce: 'pre',
    /** A module with a mutation is neither taken from vitest's cache on disk nor stored in it. */
    configureVitest({ experimental_defineCacheKeyGenerator: defineCacheKey }) {
      defineCacheKey(({ id }) => (id.split('?')[0] === globalThis[current]?.target ? false : null))
    },
    transform(code, id) {
      const state = globalThis[current]
      if (!state || id.split('?')[0] !== state.target) return null
      state.applied += 1
      return { code: mutated(code, state.mutation), map: null }
    },
  }
}
