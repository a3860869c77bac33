import type { JobHandler } from './jobs.js'

/** Returns a handler for the same job that never reschedules it, for a check between the regular ones. */
export function once({ run, attempts }: JobHandler): JobHandler {
  return {
    ...(attempts === undefined ? {} : { attempts }),
    async run(...given) {
      const save = await run(...given)
      return async scope => {
        await save(scope)
        return undefined
      }
    },
  }
}
