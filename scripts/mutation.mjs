/**
 * Applies one mutation to a module while Vite loads it. No file on disk changes, so an interrupted run leaves nothing
 * behind. `mutation-runner.mjs` sets the mutation. In every other run of vitest this plugin does nothing.
 */
import { fileURLToPath } from 'node:url'

/** Returns the text with its one occurrence of `find` replaced. Throws unless there is exactly one. */
export function mutated(text, { file, find, replace }) {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`${file}: expected the text once, found it ${parts.length - 1} times: ${find}`)
  return parts.join(replace)
}

/**
 * The state of this process. It is global, because Vite loads its configuration, and with it this module, as a separate
 * copy.
 */
const current = Symbol.for('causeway.mutation')

/**
 * Sets the mutation for modules that load from now on. Returns the number of times that it was applied, as `applied`.
 */
export function setMutation(mutation) {
  const target = mutation && fileURLToPath(new URL(`../${mutation.file}`, import.meta.url))
  globalThis[current] = mutation && { mutation, target, applied: 0 }
  return globalThis[current]
}

export function mutationPlugin() {
  return {
    name: 'mutation',
    enforce: 'pre',
    /** Keeps mutated modules out of vitest's cache on disk. */
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
