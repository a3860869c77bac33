import { resourceCodes } from '@causeway/contract/errors'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { together } from '../../platform/scope.js'
import { findRecord } from '../products/store.js'
import { type JobFacts, judge, judgeProof, methodOf, SESSION } from './sessions.js'
import { findEntity } from './store.js'

/** Makes the external call for a session's method. */
export const askSession: JobHandler = {
  attempts: 3,
  async run(scope, payload, _attempt, facts) {
    const known = facts as JobFacts | undefined
    const row = known?.row ?? (await findRecord(scope, SESSION, payload['record'] ?? ''))
    const entity = known?.entity ?? (row && (await findEntity(scope, row.holder_id)))
    if (!row || !entity || row.status !== 'in_progress') return async () => undefined
    const verdict = await methodOf(row).ask!.run(scope, entity, row)
    return async saving => {
      if (verdict.status !== 'in_progress' || Object.keys(verdict.data).length > 0)
        await together(saving, tx => judgeProof(tx, row, verdict, known?.proving ?? {}))
      return undefined
    }
  },
  async exhausted(scope, payload) {
    const row = await findRecord(scope, SESSION, payload['record'] ?? '')
    if (row?.status === 'in_progress')
      await judge(scope, row, {
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
        await judge(saving, row, { status: 'failed', data: {}, code: resourceCodes.VERIFICATION_SESSION_EXPIRED })
      return undefined
    }
  },
}
