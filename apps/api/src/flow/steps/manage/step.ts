import { ServiceError } from '@causeway/contract/errors'
import { lockAccount } from '../../../people/holders/store.js'
import { audit } from '../../../platform/audit/store.js'
import type { Scope } from '../../../platform/scope.js'
import {
  type Call,
  changeProgress,
  inTransaction,
  noErrors,
  recordCallEvents,
  type StepResult,
  stepErrors,
} from '../call.js'
import { defineStep } from '../define-step.js'
import { showShared } from './shared-data.js'

/**
 * The person's own page, which shows what they share with the customer and when they started sharing it, and lets them
 * stop sharing it.
 */
export const manage = defineStep({
  name: 'manage',
  flow: 'manage',
  place: 'end',
  changesPerson: true,
  show: ({ entity }, scope) => showShared(scope, entity),
  take(call, input) {
    const { action, account } = input
    if (action === 'withdraw_all') return attempt(() => inTransaction(call, tx => withdrawAll(call, tx)))
    if (action !== 'withdraw' || typeof account !== 'string')
      throw new ServiceError(
        'INVALID_REQUEST',
        'input.action must be withdraw_all, or withdraw together with account, the id of an account.',
      )
    return attempt(() => inTransaction(call, tx => withdrawOne(call, tx, account)))
  },
})

const inProgress: ReadonlySet<string> = new Set(['ACCOUNT_HAS_PAYMENT_IN_PROGRESS', 'ENTITY_HAS_PAYMENTS_IN_PROGRESS'])

/** Runs a withdrawal. If a payment in progress prevents the withdrawal, changes nothing and returns an error. */
async function attempt(work: () => Promise<StepResult>): Promise<StepResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError && inProgress.has(error.subType)) return stepErrors(null, 'payment_in_progress')
    throw error
  }
}

/** Withdraws one account. An account that is already withdrawn, or belongs to another person, is not changed. */
async function withdrawOne(call: Call, tx: Scope, id: string): Promise<StepResult> {
  const row = await lockAccount(tx, id)
  // mutant: own-accounts-only (drop 1)
  if (row?.holder_id !== call.facts.entity.id || row.withdrawn_at !== null) return stepErrors(null, 'changed')
  await tx.deps.ownData.withdrawAccount(tx, row)
  await audit(tx, call.handle, 'account.consent.withdraw', id)
  await recordCallEvents(call, tx, {
    type: 'manage.account.withdrawn',
    data: { entity_id: row.holder_id, account: id },
  })
  return noErrors
}

/** Withdraws all consent. The session ends, because the person's phone number and its proof are also deleted. */
async function withdrawAll(call: Call, tx: Scope): Promise<StepResult> {
  const { id } = call.facts.entity
  const entity = await tx.deps.ownData.withdrawEntity(tx, call.facts.entity)
  await audit(tx, call.handle, 'entity.consent.withdraw', id)
  await changeProgress(call, tx, () => ({ withdrawn: true }))
  await recordCallEvents(call, tx, { type: 'manage.entity.withdrawn', data: { entity_id: id } })
  if (call.held) Object.assign(call.held, { isStale: true, entity })
  return noErrors
}
