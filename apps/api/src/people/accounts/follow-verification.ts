import { DAY_MS } from '@causeway/contract/time'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { findRow } from '../../platform/rows.js'
import { isShared } from '../holders/account.js'
import { findRecord } from '../records/store.js'
import {
  lockVerification,
  methodOf,
  updateVerification,
  VERIFICATION,
  verificationData,
  waitUntilShared,
} from './verification.js'

const noEffect = async () => undefined

/** Fails a session in progress if what it sent has come back, so that the person does not wait for it. */
export const followVerification: JobHandler = {
  async run(scope, payload) {
    const row = await findRecord(scope, VERIFICATION, payload['record'] ?? '')
    const account = row && (await findRow(scope, 'accounts', row.holder_id))
    const follow = row && methodOf(row).follow
    if (!row || !account || !follow || row.status !== 'in_progress') return noEffect
    // mutant: hidden-accounts-are-followed-later (false)
    if (!isShared(account)) return waitUntilShared
    const result = await follow({ scope, account, data: verificationData(scope, row), request_id: row.id })
    return async saving => {
      const current = await lockVerification(saving, row.id)
      if (current?.status !== 'in_progress') return undefined
      if (result.status === 'sent') return result.next_at === null ? undefined : { again: result.next_at }
      await updateVerification(saving, current, 'failed', verificationData(saving, current), result.code)
      return undefined
    }
  },
  /** Deposits can come back for days, so a provider that does not answer is asked again. */
  async exhausted(scope, payload) {
    const row = await findRecord(scope, VERIFICATION, payload['record'] ?? '')
    return row?.status === 'in_progress' ? { again: scope.now + DAY_MS } : undefined
  },
}
