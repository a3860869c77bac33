/**
 * Replaces the text of one module, `{ file, text }`, while Vite loads it. No file on disk is changed, so an interrupted
 * run leaves nothing behind. `mutation-runner.mjs` sets the mutation. In any other Vitest run, this plugin does
 * nothing.
 */
import { fileURLToPath } from 'node:url'

/**
 * This process's state. The state is global because Vite loads a separate copy of its configuration, which includes
 * this module.
 */
const current = Symbol.for('causeway.mutation')

/**
 * Sets the mutation for all modules loaded from now on. The result's `applied` is the number of times that the mutation
 * was applied.
 */
export function setMutation(mutation) {
  const target = mutation && fileURLToPath(new URL(`../../../${mutation.file}`, import.meta.url))
  globalThis[current] = mutation && { mutation, target, applied: 0 }
  return globalThis[current]
}

export function mutationPlugin() {
  return {
    name: 'mutation',
    enforce: 'pre',
    /** Keeps mutated modules out of Vitest's disk cache. */
    configureVitest({ experimental_defineCacheKeyGenerator: defineCacheKey }) {
      defineCacheKey(({ id }) => (id.split('?')[0] === globalThis[current]?.target ? false : null))
    },
    transform(_code, id) {
      const state = globalThis[current]
      if (!state || id.split('?')[0] !== state.target) return null
      state.applied += 1
      return { code: state.mutation.text, map: null }
    },
  }
}
