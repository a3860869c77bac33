import type { JobHandler } from './jobs.js'

/** The same job, but that it never comes back: a look between the regular ones. */
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
