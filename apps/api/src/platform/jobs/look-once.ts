import { MINUTE_MS } from '@causeway/contract/time'
import type { JobHandler } from './jobs.js'

/**
 * The time within which an expected change is awaited. The clock outside can be ahead of ours, and a change that has no
 * time of its own happens when it is queried, which is after the job began.
 */
const AWAITED_CHANGE_MS = 5 * MINUTE_MS

/**
 * Returns a handler for an extra query between regular ones, such as when a provider reports a change. If a change is
 * expected soon, queries once more at that time.
 */
export function lookOnce(kind: string, { run, attempts }: JobHandler): JobHandler {
  return {
    ...(attempts === undefined ? {} : { attempts }),
    async run(scope, payload, ...rest) {
      const save = await run(scope, payload, ...rest)
      return async saving => {
        const next = await save(saving)
        // mutant: early-reports-are-read-again (false)
        if (next && payload['again'] === undefined && next.again <= saving.now + AWAITED_CHANGE_MS)
          await saving.deps.jobs.enqueue(saving, { kind, payload: { ...payload, again: 'yes' }, at: next.again })
        return undefined
      }
    },
  }
}
