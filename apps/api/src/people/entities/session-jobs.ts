import { resourceCodes } from '@causeway/contract/errors'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { batchWrites } from '../../platform/scope.js'
import { findEntity } from '../holders/store.js'
import { findRecord } from '../records/store.js'
import { applyVerdict, type JobFacts, methodOf, recordVerdict, SESSION } from './sessions.js'

/** Makes the external call for a session's method. */
export const callSessionProvider: JobHandler = {
  attempts: 3,
  async run(scope, payload, _attempt, facts) {
    const jobFacts = facts as JobFacts | undefined
    const row = jobFacts?.row ?? (await findRecord(scope, SESSION, payload['record'] ?? ''))
    const entity = jobFacts?.entity ?? (row && (await findEntity(scope, row.holder_id)))
    if (!row || !entity || row.status !== 'in_progress') return async () => undefined
    const verdict = await methodOf(row).startCall!.run(scope, entity, row)
    return async saving => {
      if (verdict.status !== 'in_progress' || Object.keys(verdict.data).length > 0)
        await batchWrites(saving, tx => recordVerdict(tx, row, verdict, jobFacts?.proving ?? {}))
      return undefined
    }
  },
  async exhausted(scope, payload) {
    const row = await findRecord(scope, SESSION, payload['record'] ?? '')
    if (row?.status === 'in_progress')
      await applyVerdict(scope, row, {
        status: 'failed',
        data: { unreachable: true },
        code: resourceCodes.PRODUCT_EXECUTION_FAILED,
      })
  },
}

/** Ends a session that was not completed in time. */
export const expireSession: JobHandler = {
  async run(_scope, payload) {
    return async saving => {
      const row = await findRecord(saving, SESSION, payload['record'] ?? '')
      if (row?.status === 'in_progress')
        await applyVerdict(saving, row, {
          status: 'failed',
          data: {},
          code: resourceCodes.VERIFICATION_SESSION_EXPIRED,
        })
      return undefined
    }
  },
}
