import type { JobHandler } from './jobs.js'

/** Returns a handler that runs a job once without rescheduling it, for an extra check between regular checks. */
export function runOnce({ run, attempts }: JobHandler): JobHandler {
  return {
    ...(attempts === undefined ? {} : { attempts }),
    async run(...args) {
      const save = await run(...args)
      return async scope => {
        await save(scope)
        return undefined
      }
    },
  }
}
