import { dataOf } from '../../../people/entities/methods/method.js'
import { codesLeft } from '../../../people/entities/methods/sms/codes.js'
import { methodOf, VERIFICATION_SESSION_LIFETIME_MS } from '../../../people/entities/sessions.js'
import { readDetails } from '../../../people/holders/show-entity.js'
import { showTime } from '../../../platform/show.js'
import { type Facts, isTyped } from '../../session/facts.js'
import { type Call, countAnswer, noErrors, type StepResult, saveChange, stepErrors } from '../call.js'
import { defineStep } from '../define-step.js'
import { notMe } from '../not-me.js'
import { phoneSessionErrors, sendCode, sendCodeInstead } from '../phone-proof.js'

/** The time before a person can request another code. */
const RESEND_DELAY_MS = 30_000
const MAX_CODE_ATTEMPTS = 5

const triesLeft = ({ phoneSession }: Facts): number => Math.max(0, MAX_CODE_ATTEMPTS - dataOf(phoneSession!).tries)

export const code = defineStep({
  name: 'code',
  flow: 'identity_verification',
  rests: 'verifications',
  changesPerson: true,
  digits: ['code'],
  tries: { most: MAX_CODE_ATTEMPTS, left: triesLeft },
  async show(facts, scope) {
    const { entity, phoneSession } = facts
    const phone = readDetails(scope, entity).phone ?? ''
    const sends = await codesLeft(scope, entity, phone)
    const row = phoneSession!
    const again = row.created_at + RESEND_DELAY_MS
    return {
      last4: phone.slice(-4),
      editable: isTyped(entity, 'phone'),
      silent: methodOf(row).isSilent ? (dataOf(row).urls ?? []) : null,
      resend_at: showTime(sends.left > 0 ? again : Math.max(again, sends.freeAt)),
      sends_left: sends.left,
      tries_left: triesLeft(facts),
      expires_at: showTime(row.created_at + VERIFICATION_SESSION_LIFETIME_MS),
    }
  },
  take,
  back: {
    offered: ({ entity }) => isTyped(entity, 'phone'),
    take: call => take(call, { action: 'change' }),
  },
  deny: notMe,
  notice: ({ unsent }) => (unsent ? stepErrors(null, 'not_sent_yet') : noErrors),
})

async function take(call: Call, input: Record<string, unknown>): Promise<StepResult> {
  const { phoneSession } = call.facts
  const waits = phoneSession && methodOf(phoneSession).isSilent
  if (!waits || input['action'] === 'change') return takeCode(call, input)
  // mutant: typed-code-is-no-silent-proof (remove)
  if (input['action'] !== 'silent') return sendCodeInstead(call)
  const taken = await countAnswer(call, phoneSession, {})
  return {
    answer: taken,
    provesPhone: true,
    checked(row) {
      // mutant: unconfirmed-phone-is-unverified (true)
      return row.status === 'verified' ? noErrors : sendCodeInstead(call)
    },
    unavailable: () => sendCodeInstead(call),
  }
}

/** Accepts a texted code, or a request to send another one. */
async function takeCode(call: Call, input: Record<string, unknown>): Promise<StepResult> {
  if (input['action'] === 'resend') return sendCode(call, null)
  if (input['action'] === 'change') {
    if (!isTyped(call.facts.entity, 'phone')) return stepErrors('phone', 'changed')
    await saveChange(call, () => ({ phone_session: null }))
    return noErrors
  }
  const typed = typeof input['code'] === 'string' ? input['code'].replace(/[\s-]/g, '') : ''
  if (typed === '') return stepErrors('code', 'required')
  if (!/^\d{6}$/.test(typed)) return stepErrors('code', 'invalid')
  const taken = await countAnswer(call, call.facts.phoneSession!, { sms_code: typed })
  return {
    answer: taken,
    provesPhone: true,
    attempt: { step: 'code' },
    checked(row) {
      if (row.status === 'verified') return noErrors
      const left = MAX_CODE_ATTEMPTS - dataOf(row).tries
      if (row.status === 'in_progress') return stepErrors('code', 'incorrect', { tries_left: left })
      return phoneSessionErrors(row)
    },
    unavailable: () => stepErrors(null, 'unavailable'),
  }
}
