import { resourceCodes } from '@causeway/contract/errors'
import type { StepError } from '@causeway/contract/session'
import { dataOf } from '../../people/entities/methods/method.js'
import { createSession } from '../../people/entities/sessions.js'
import type { EntityRow } from '../../people/holders/entity.js'
import type { RecordRow } from '../../people/holders/product.js'
import { readDetails } from '../../people/holders/show-entity.js'
import { lockEntity } from '../../people/holders/store.js'
import { readJson } from '../../platform/db/json.js'
import { LimitError } from '../../platform/limits/counters.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { isTyped } from '../session/facts.js'
import {
  afterCommit,
  type Call,
  changeProgress,
  inTransaction,
  noErrors,
  type StepResult,
  saveChange,
  stepErrors,
} from './call.js'
import { saveTypedDetails } from './typed-details.js'

/** The maximum time that a call waits for a code to be sent. */
const SEND_TIMEOUT_MS = 3_000

/**
 * Returns true if the person may type a number. The person's own page shows existing data, so it accepts only the
 * number on file.
 */
export const canTypePhone = ({ session, entity }: Call['facts'], known: string | null): boolean =>
  // mutant: own-page-keeps-number (drop 1)
  session.mode !== 'manage' && (known === null || isTyped(entity, 'phone'))

/**
 * Returns the number to verify, and its entity, whose row is locked. Stores a typed number first, if the person can
 * change the number.
 */
export async function savePhone(
  call: Call,
  tx: Scope,
  typed: string | null,
): Promise<{ row: EntityRow; phone: string } | StepError[]> {
  // The call has locked the entity together with the session.
  const row = call.held ? call.facts.entity : (await lockEntity(tx, call.facts.entity.id))!
  const details = readDetails(tx, row)
  if (typed === null || typed === details.phone)
    return details.phone === null ? stepErrors('phone', 'required') : { row, phone: details.phone }
  if (!canTypePhone({ ...call.facts, entity: row }, details.phone)) return stepErrors('phone', 'changed')
  if (call.held) call.held.isStale = true
  return { row: await saveTypedDetails(tx, row, { ...details, phone: typed }, ['phone']), phone: typed }
}

/** Returns the reason that a phone session failed and stopped waiting for a code. */
export function phoneSessionErrors(row: RecordRow): StepError[] {
  const code = readJson('records.error', row.error)?.code
  if (code === resourceCodes.VERIFICATION_SESSION_EXPIRED) return stepErrors(null, 'expired')
  if (code === resourceCodes.VERIFICATION_SESSION_FAILED_INCORRECT_SMS_CODE)
    return stepErrors(null, 'too_many_attempts')
  return dataOf(row).unreachable ? stepErrors(null, 'not_sent') : stepErrors('phone', 'refused')
}

/** Sends a code to the entity's number. If the person typed a number, stores it first. */
export async function sendCode(call: Call, typed: string | null): Promise<StepResult> {
  const outcome = await inTransaction(call, async tx => {
    const saved = await savePhone(call, tx, typed)
    if (Array.isArray(saved)) return { errors: saved }
    try {
      // If the code can't be sent, the attempt is not counted, but the typed number is kept.
      const { address } = call
      const begun = await createSession(tx, saved.row, 'phone', 'sms', {}, { inFrame: true, address })
      await changeProgress(call, tx, () => ({ phone_session: begun.row.id, sending: begun.job }))
      return { job: begun.job! }
    } catch (error) {
      if (!(error instanceof LimitError)) throw error
      const byAddress = error.subType === 'ENTITY_PHONE_VERIFICATION_ADDRESS_LIMIT'
      const code = byAddress ? 'too_many_codes_from_network' : 'too_many_codes'
      return { errors: stepErrors(null, code, { retry_at: showTime(error.retryAt) }) }
    }
  })
  if (outcome.errors) return outcome.errors
  return afterCommit(call, async () => {
    await call.scope.deps.jobs.settle(call.scope.team.id, outcome.job, SEND_TIMEOUT_MS)
    return noErrors
  })
}

/**
 * Sends a text message if a silent check failed or is not possible. Ends the wait for the carrier, even if no text
 * message can be sent.
 */
export async function sendCodeInstead(call: Call, typed: string | null = null): Promise<StepResult> {
  await saveChange(call, () => ({ phone_session: null }))
  return sendCode(call, typed)
}
