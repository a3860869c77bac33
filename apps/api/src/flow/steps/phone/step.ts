import type { StepError } from '@causeway/contract/session'
import { readUsPhone } from '@causeway/contract/values/phones'
import { isReachable } from '../../../people/entities/input.js'
import { dataOf } from '../../../people/entities/methods/method.js'
import { createSession, methodOf, SESSION } from '../../../people/entities/sessions.js'
import { readDetails } from '../../../people/holders/show-entity.js'
import { findRecord } from '../../../people/records/store.js'
import { reading } from '../../../platform/scope.js'
import {
  afterCommit,
  type Call,
  changeProgress,
  inTransaction,
  noErrors,
  type StepResult,
  saveChange,
  stepErrors,
} from '../call.js'
import { defineStep } from '../define-step.js'
import { notMe } from '../not-me.js'
import { canTypePhone, phoneSessionErrors, savePhone, sendCode, sendCodeInstead } from '../phone-proof.js'
import { isSilentUrl, silentOrigins } from './silent-origins.js'

/** The maximum number of silent checks in a session. After that, codes are texted immediately. */
const MAX_SILENT_CHECKS = 5
/** The maximum time to wait for the carrier's URLs. */
const CARRIER_TIMEOUT_MS = 4_000

export const phone = defineStep({
  name: 'phone',
  flow: 'identity_verification',
  changesPerson: true,
  show(facts, scope) {
    const { phone } = readDetails(scope, facts.entity)
    return { last4: phone?.slice(-4) ?? null, editable: canTypePhone(facts, phone) }
  },
  async take(call, input) {
    const number = readNumber(call, input)
    if (Array.isArray(number)) return number
    return input['silent'] === true ? askCarrier(call, number) : sendCode(call, number)
  },
  /** Shows the documents again. The agreement remains in effect until the person withdraws it. */
  back: {
    offered: ({ session }) => session.completed_at === null,
    async take(call) {
      await saveChange(call, () => ({ consented: false }))
      return noErrors
    },
  },
  deny: notMe,
  notice: ({ phoneSession }) =>
    phoneSession?.status === 'failed' && !methodOf(phoneSession).isSilent ? phoneSessionErrors(phoneSession) : noErrors,
})

/** Returns the typed number, or null if the number on file is used. For invalid input, returns the errors. */
function readNumber(call: Call, input: Record<string, unknown>): string | null | StepError[] {
  const storedPhone = readDetails(call.scope, call.facts.entity).phone
  const typed = canTypePhone(call.facts, storedPhone) ? input['phone'] : undefined
  if (typed === undefined) return storedPhone === null ? stepErrors('phone', 'required') : null
  if (typeof typed !== 'string' || typed.trim() === '') return stepErrors('phone', 'required')
  const phone = readUsPhone(typed)
  return phone !== null && isReachable(phone, call.scope.deps) ? phone : stepErrors('phone', 'invalid')
}

/** Starts a silent check. Sends a code instead if the carrier has no URLs that the frame can open. */
async function askCarrier(call: Call, typed: string | null): Promise<StepResult> {
  const { deps, team } = call.scope
  if (call.facts.progress.silent >= MAX_SILENT_CHECKS || silentOrigins(deps, team).length === 0)
    return sendCodeInstead(call, typed)
  const begun = await inTransaction(call, async tx => {
    const saved = await savePhone(call, tx, typed)
    if (Array.isArray(saved)) return null
    const begun = await createSession(tx, saved.row, 'phone', 'sna', {}, { inFrame: true })
    await changeProgress(call, tx, progress => ({
      phone_session: begun.row.id,
      silent: progress.silent + 1,
      silent_bearer: call.bearer,
    }))
    return begun
  })
  // `sendCodeInstead` also reports any errors in the number.
  if (begun === null) return sendCodeInstead(call, typed)
  const { row, job } = begun
  return afterCommit(call, async () => {
    if (job) await deps.jobs.settle(team.id, job, CARRIER_TIMEOUT_MS)
    const record = await findRecord(reading(deps, team), SESSION, row.id)
    const urls = record?.status === 'in_progress' ? (dataOf(record).urls ?? []) : []
    // mutant: silent-proof-at-listed-origins (drop 2)
    const isReady = urls.length > 0 && urls.every(url => isSilentUrl(deps, team, url))
    return isReady ? noErrors : sendCodeInstead(call, typed)
  })
}
