import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import { callTwilio, members, readSid, servicePath, type TwilioContext } from './client.js'
import { createError, createStatusError, errorMeanings } from './errors.js'
import { isRefusedPhone } from './lookup.js'

type Call = CallOf<'identity/begin_sna'>

/** The store's kind of row for a silent verification, keyed by request id. */
const ROW = 'silent'
const ROW_LIFETIME = { days: 1 }

/** The error of a handset that has not opened the URL, or whose carrier has not answered. */
const STILL_PENDING = 60519

const MAX_URL_LENGTH = 2_000

export async function beginSilentAuth(
  context: TwilioContext,
  { phone, request_id }: Call,
): Promise<AnswerOf<'identity/begin_sna'>> {
  if (await isRefusedPhone(context, phone)) return { status: 'refused' }
  const reply = await callTwilio(context, {
    api: 'verify',
    path: servicePath(context.settings, '/Verifications'),
    form: { To: phone, Channel: 'sna', Tags: JSON.stringify({ request_id }) },
  })
  if (!reply.ok) {
    const meaning = errorMeanings.get(reply.code)
    // A code can be texted instead, so whatever is wrong with the phone or its carrier refuses it.
    if (meaning === 'unreachable' || meaning === 'uncovered' || isSilentAuthError(reply.code))
      return { status: 'refused' }
    if (reply.code === 20404) throw createError(context, reply.code, 'misconfigured')
    throw createError(context, reply.code, meaning === 'ended' ? 'limited' : meaning)
  }
  const sid = readSid('VE', reply.body['sid'])
  const { url } = members(reply.body['sna'])
  if (!sid || typeof url !== 'string' || url.length > MAX_URL_LENGTH || !URL.canParse(url))
    throw createStatusError(context, request_id, reply.body['status'])
  await context.store.put(ROW, request_id, { sid, phone: context.fingerprint(phone) }, ROW_LIFETIME)
  return { status: 'ready', urls: [url] }
}

export async function checkSilentAuth(
  context: TwilioContext,
  { phone, request_id }: Call,
): Promise<AnswerOf<'identity/check_sna'>> {
  const row = members(await context.store.get(ROW, request_id))
  const sid = readSid('VE', row['sid'])
  // mutant: silent-proof-belongs-to-its-phone (drop 2)
  if (!sid || row['phone'] !== context.fingerprint(phone)) return { status: 'incorrect' }
  // Twilio deletes an approved verification, so that it can't be read again.
  if (row['isApproved'] === true) return { status: 'correct' }
  const reply = await callTwilio(context, {
    api: 'verify',
    path: servicePath(context.settings, '/VerificationCheck'),
    form: { VerificationSid: sid },
  })
  if (!reply.ok) {
    if (reply.code === STILL_PENDING) return { status: 'pending' }
    const meaning = errorMeanings.get(reply.code)
    // 60200 says that a code was texted since, so that Twilio requires the code.
    if (meaning === 'ended' || meaning === 'unreachable' || isSilentAuthError(reply.code))
      return { status: 'incorrect' }
    throw createError(context, reply.code)
  }
  const { status, sna_attempts_error_codes } = reply.body
  if (status === 'approved') {
    await context.store.put(ROW, request_id, { ...row, isApproved: true }, ROW_LIFETIME)
    return { status: 'correct' }
  }
  if (status === 'pending') {
    const error = Array.isArray(sna_attempts_error_codes) ? sna_attempts_error_codes.at(-1) : undefined
    const code = typeof error === 'number' ? error : members(error)['code']
    return { status: code === undefined || code === STILL_PENDING ? 'pending' : 'incorrect' }
  }
  if (typeof status === 'string' && endedStatuses.has(status)) return { status: 'incorrect' }
  throw createStatusError(context, request_id, status)
}

const endedStatuses: ReadonlySet<string> = new Set(['canceled', 'deleted', 'expired', 'failed', 'max_attempts_reached'])

/** Twilio numbers the errors of silent verification from 60500 to 60599, and may add more. */
const isSilentAuthError = (code: number | null) => code !== null && code >= 60500 && code < 60600
