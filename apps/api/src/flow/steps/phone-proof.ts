import { resourceCodes } from '@causeway/contract/errors'
import type { StepError } from '@causeway/contract/session'
import { countSender } from '../../people/entities/codes.js'
import type { EntityRow } from '../../people/entities/entity.js'
import { beginSession, dataOf } from '../../people/entities/sessions.js'
import { readDetails } from '../../people/entities/show.js'
import { lockEntity } from '../../people/entities/store.js'
import type { RecordRow } from '../../people/products/product.js'
import { readJson } from '../../platform/db/json.js'
import { savepoint } from '../../platform/db/store.js'
import { LimitError } from '../../platform/limits/counters.js'
import { type Scope, transact } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { isTyped } from '../sessions/facts.js'
import { saveProgress } from '../sessions/store.js'
import { type Call, fine, save, wrong } from './call.js'
import { keepTyped } from './keep-typed.js'

/**
 * The number that a proof is asked for, and the entity with it, its row locked: one that was typed is kept first, where
 * it may be.
 */
export async function keepNumber(
  tx: Scope,
  id: string,
  typed: string | null,
): Promise<{ row: EntityRow; phone: string } | StepError[]> {
  const row = (await lockEntity(tx, id))!
  const details = readDetails(tx, row)
  if (typed === null || typed === details.phone)
    return details.phone === null ? wrong('phone', 'required') : { row, phone: details.phone }
  if (details.phone !== null && !isTyped(row, 'phone')) return wrong('phone', 'changed')
  return { row: await keepTyped(tx, row, { ...details, phone: typed }, ['phone']), phone: typed }
}

/** Returns why a failed session has no code to enter. */
export function whyNone(row: RecordRow): StepError[] {
  const code = readJson(row.error)?.code
  if (code === resourceCodes.VERIFICATION_SESSION_EXPIRED) return wrong(null, 'expired')
  if (code === resourceCodes.VERIFICATION_SESSION_FAILED_INCORRECT_SMS_CODE) return wrong(null, 'too_many_attempts')
  return dataOf(row).unreachable ? wrong(null, 'not_sent') : wrong('phone', 'refused')
}

/** Sends a code to the entity's number, after noting a typed one. */
export async function sendCode(call: Call, typed: string | null): Promise<StepError[]> {
  const { deps, team } = call.scope
  const outcome = await transact(deps, team, async tx => {
    const kept = await keepNumber(tx, call.facts.entity.id, typed)
    if (Array.isArray(kept)) return { errors: kept }
    try {
      // A refusal counts nothing, but keeps the number that was typed.
      const begun = await savepoint(tx.db, async () => {
        if (call.address !== undefined) await countSender(tx, call.address)
        return beginSession(tx, kept.row, 'phone', 'sms', {}, true)
      })
      await saveProgress(tx, call.session, () => ({ phone_session: begun.row.id, sending: begun.job }))
      return { job: begun.job }
    } catch (error) {
      if (!(error instanceof LimitError)) throw error
      const byAddress = error.subType === 'ENTITY_PHONE_VERIFICATION_ADDRESS_LIMIT'
      const code = byAddress ? 'too_many_codes_from_network' : 'too_many_codes'
      return { errors: wrong(null, code, { retry_at: showTime(error.retryAt) }) }
    }
  })
  if (outcome.errors) return outcome.errors
  if (outcome.job) await deps.jobs.settle(outcome.job, 3_000)
  return fine
}

/** A text message in place of what the carrier could not say. The wait is over, whether one can be sent or not. */
export async function textInstead(call: Call, typed: string | null = null) {
  await save(call, () => ({ phone_session: null }))
  return sendCode(call, typed)
}
