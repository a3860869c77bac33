import { ServiceError } from '@causeway/contract/errors'
import { type AccountRow, isShared } from '../../../people/holders/account.js'
import { lockAnyAccount } from '../../../people/holders/store.js'
import { shareAccounts } from '../../../people/lifecycle/new-account.js'
import { disconnect } from '../../../people/links/job.js'
import { findLinks } from '../../../people/links/store.js'
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
import { institutionOf } from '../institutions.js'
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
    const { action, account, institution } = input
    if (action === 'withdraw_all') return attempt(() => inTransaction(call, tx => withdrawAll(call, tx)))
    if (action === 'disconnect' && typeof institution === 'string')
      return inTransaction(call, tx => disconnectOne(call, tx, institution))
    if (typeof account !== 'string' || (action !== 'withdraw' && action !== 'share'))
      throw new ServiceError(
        'INVALID_REQUEST',
        'input.action must be withdraw_all, or share or withdraw together with account, the id of an account, or disconnect together with institution, the id of an institution.',
      )
    const change = action === 'share' ? shareOne : hideOne
    return attempt(() => inTransaction(call, tx => change(call, tx, account)))
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

/** Locks one of the person's own accounts that has not been withdrawn. */
async function lockOwn(call: Call, tx: Scope, id: string): Promise<AccountRow | undefined> {
  const row = await lockAnyAccount(tx, id)
  // mutant: own-accounts-only (drop 1)
  return row?.holder_id === call.facts.entity.id && row.withdrawn_at === null ? row : undefined
}

/** Records that the person changed what they share. */
async function recordChange(call: Call, tx: Scope, change: 'share' | 'withdraw', row: AccountRow): Promise<void> {
  await audit(tx, call.handle, `account.consent.${change}`, row.id)
  await recordCallEvents(call, tx, {
    type: `manage.account.${change === 'share' ? 'shared' : 'withdrawn'}`,
    data: { entity_id: row.holder_id, account: row.id },
  })
}

/** Stops sharing one account. Nothing changes if it is not shared, or if it belongs to another person. */
async function hideOne(call: Call, tx: Scope, id: string): Promise<StepResult> {
  const row = await lockOwn(call, tx, id)
  if (!row || !isShared(row)) return stepErrors(null, 'changed')
  await tx.deps.ownData.hideAccount(tx, row)
  await recordChange(call, tx, 'withdraw', row)
  return noErrors
}

/** Shares one hidden account. Nothing changes if it is not hidden, or if it belongs to another person. */
async function shareOne(call: Call, tx: Scope, id: string): Promise<StepResult> {
  const row = await lockOwn(call, tx, id)
  if (row?.status !== 'active' || isShared(row)) return stepErrors(null, 'changed')
  await shareAccounts(tx, call.facts.entity, [id])
  await recordChange(call, tx, 'share', row)
  return noErrors
}

/** Disconnects one institution. Its accounts stay shared as they are, and are no longer updated. */
async function disconnectOne(call: Call, tx: Scope, key: string): Promise<StepResult> {
  const { entity } = call.facts
  const institution = institutionOf(await findLinks(tx, entity.id), key)
  if (institution === undefined || !(await disconnect(tx, entity, institution))) return stepErrors(null, 'changed')
  await audit(tx, call.handle, 'entity.institution.disconnect', entity.id)
  await recordCallEvents(call, tx, { type: 'manage.institution.disconnected', data: { entity_id: entity.id } })
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
