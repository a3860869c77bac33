import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import type { Outcome } from '@causeway/connector/provider/provider'
import { SECOND_MS } from '@causeway/contract/time'
import { callTwilio, members, readSid, servicePath, type TwilioContext } from './client.js'
import { createError, createStatusError, errorMeanings } from './errors.js'
import { isRefusedPhone } from './lookup.js'

type Send = CallOf<'identity/send_code'>
type Sent = AnswerOf<'identity/send_code'>

/**
 * The store's kind of row for a code, keyed by request id: when it was requested, the phone's fingerprint, and the id of
 * Twilio's verification, which is unknown after a lost answer.
 */
const ROW = 'code'
const ROW_LIFETIME = { days: 1 }

/** The difference that is tolerated between Twilio's clock and ours. A message that is not found is sent again. */
const CLOCK_SKEW_MS = 5 * SECOND_MS
/** The time after a request in which Twilio creates its message. */
const SEND_WINDOW_MS = 60 * SECOND_MS

export async function sendCode(context: TwilioContext, { phone, request_id }: Send): Promise<Sent> {
  if (await isRefusedPhone(context, phone)) return { status: 'refused' }
  const row = { at: context.now(), phone: context.fingerprint(phone) }
  await context.store.put(ROW, request_id, row, ROW_LIFETIME)
  const reply = await callTwilio(context, {
    api: 'verify',
    path: servicePath(context.settings, '/Verifications'),
    form: { To: phone, Channel: 'sms', Tags: JSON.stringify({ request_id }) },
  })
  if (!reply.ok) {
    const meaning = errorMeanings.get(reply.code)
    if (meaning === 'unreachable') return { status: 'refused' }
    // Without a verification, only the Verify service can be missing. A number without checks left is limited.
    if (reply.code === 20404) throw createError(context, reply.code, 'misconfigured')
    throw createError(context, reply.code, meaning === 'ended' ? 'limited' : meaning)
  }
  const { sid, status } = reply.body
  if (status !== 'pending') throw createStatusError(context, request_id, status)
  await context.store.put(ROW, request_id, { ...row, sid: readSid('VE', sid) }, ROW_LIFETIME)
  return { status: 'sent' }
}

/**
 * Finds the text message of a request whose answer was lost. Twilio's list has no request ids, so another message to the
 * same phone at the same time counts, too: it contains the same code.
 */
export async function findCode(context: TwilioContext, { phone, request_id }: Send): Promise<Outcome<Sent>> {
  const row = members(await context.store.get(ROW, request_id))
  const at = row['at']
  if (typeof at !== 'number') return { known: false }
  const reply = await callTwilio(context, {
    api: 'verify',
    path: '/v2/Attempts',
    query: {
      'ChannelData.To': phone,
      Channel: 'sms',
      VerifyServiceSid: context.settings.TWILIO_VERIFY_SERVICE,
      DateCreatedAfter: wholeSeconds(at - CLOCK_SKEW_MS),
      DateCreatedBefore: wholeSeconds(at + SEND_WINDOW_MS),
      PageSize: '20',
    },
  })
  if (!reply.ok) throw createError(context, reply.code)
  const { attempts } = reply.body
  const [sid] = (Array.isArray(attempts) ? attempts : [])
    .map(members)
    // An approved verification is of an earlier request. Its code can't be used again.
    // mutant: accepted-message-is-not-found-again (remove)
    .filter(({ conversion_status }) => conversion_status !== 'converted')
    .flatMap(({ verification_sid }) => readSid('VE', verification_sid) ?? [])
  if (sid === undefined) return { known: false }
  await context.store.put(ROW, request_id, { ...row, sid }, ROW_LIFETIME)
  return { known: true, answer: { status: 'sent' } }
}

const wholeSeconds = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`

/** The answer to a check, by the status of Twilio's verification. */
const answersByStatus: ReadonlyMap<unknown, AnswerOf<'identity/check_code'>['status']> = new Map([
  ['approved', 'correct'],
  ['pending', 'incorrect'],
  ['canceled', 'expired'],
  ['deleted', 'expired'],
  ['expired', 'expired'],
  ['failed', 'expired'],
  ['max_attempts_reached', 'expired'],
])

/**
 * Checks a code. Twilio deletes a verification when it approves it. If the answer is lost, the next check therefore says
 * `expired`, never `correct`.
 */
export async function checkCode(
  context: TwilioContext,
  { phone, code, request_id }: CallOf<'identity/check_code'>,
): Promise<AnswerOf<'identity/check_code'>> {
  const row = members(await context.store.get(ROW, request_id))
  // The number may have changed since the code was sent.
  // mutant: code-belongs-to-its-phone (true)
  const sid = row['phone'] === context.fingerprint(phone) ? readSid('VE', row['sid']) : undefined
  const reply = await callTwilio(context, {
    api: 'verify',
    path: servicePath(context.settings, '/VerificationCheck'),
    form: { Code: code, ...(sid ? { VerificationSid: sid } : { To: phone }) },
  })
  if (!reply.ok) {
    if (errorMeanings.get(reply.code) === 'ended') return { status: 'expired' }
    throw createError(context, reply.code)
  }
  const { status, channel } = reply.body
  const answer = answersByStatus.get(status)
  if (!answer) throw createStatusError(context, request_id, status)
  // All sessions of a number share its verification. A handset's silent approval in another session proves no code.
  // mutant: silent-approval-is-no-code (false)
  return { status: answer === 'correct' && channel === 'sna' ? 'expired' : answer }
}
