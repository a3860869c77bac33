import type { StepError } from '@causeway/contract/session'
import { readUsPhone } from '@causeway/contract/values/phones'
import { isReachable } from '../../../people/entities/input.js'
import { methodOf } from '../../../people/entities/sessions.js'
import { readDetails } from '../../../people/holders/show-entity.js'
import { type Call, noErrors, saveChange, stepErrors } from '../call.js'
import { defineStep } from '../define-step.js'
import { notMe } from '../not-me.js'
import { canTypePhone, phoneSessionErrors } from '../phone-proof.js'
import { requestProof } from './request-proof.js'

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
    return requestProof(call, number, input['silent'] === true)
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
