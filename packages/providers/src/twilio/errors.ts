import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { ProviderContext } from '@causeway/connector/provider/provider'

/**
 * - `unreachable`: the phone cannot receive a text message, or cannot be verified silently.
 * - `ended`: the verification expired, was approved, or has no checks left.
 * - `limited`: the number has reached a limit that lasts for minutes.
 * - `busy`: another attempt in a moment can succeed.
 * - `uncovered`: Twilio has no data about the number.
 * - `misconfigured`: only the operator can fix it, in Twilio's console or with Twilio's support.
 */
export type ErrorMeaning = 'unreachable' | 'ended' | 'limited' | 'busy' | 'uncovered' | 'misconfigured'

/** The meaning of each error code. A code that is not listed is reported, and neither success nor failure. */
export const errorMeanings: ReadonlyMap<number | null, ErrorMeaning> = new Map<number, ErrorMeaning>([
  [60200, 'unreachable'], // Invalid parameter: the number, because everything else in the request is constant.
  [60205, 'unreachable'], // A landline.
  [60410, 'unreachable'], // Blocked by Fraud Guard for 12 hours.
  [60605, 'unreachable'], // Blocked by the geographic permissions.
  [60540, 'unreachable'], // The carrier says that the number is not valid.
  [60008, 'unreachable'], // The carrier is not supported.
  [21211, 'unreachable'], // Not a phone number.
  [21614, 'unreachable'], // Not a mobile number.
  [20404, 'ended'], // Not found.
  [60202, 'ended'], // Five checks.
  [60203, 'limited'], // Five text messages in ten minutes.
  [20429, 'busy'],
  [60212, 'busy'], // Simultaneous requests for one number.
  [60600, 'uncovered'],
  [60601, 'uncovered'],
  [60607, 'uncovered'], // The country.
  [60610, 'uncovered'], // The number or its carrier.
  [60620, 'uncovered'], // The carrier left the SIM swap out.
  [20008, 'misconfigured'], // Test credentials.
  [60204, 'misconfigured'], // The Verify service lacks the feature.
  [60220, 'misconfigured'], // The use case needs Twilio's approval.
  [60223, 'misconfigured'], // The channel is off.
  [60238, 'misconfigured'], // The account is under review.
  [60606, 'misconfigured'], // The Lookup package is not enabled.
  [60619, 'misconfigured'], // The Lookup package does not exist in this region.
])

/** Returns the error for a rejected request, of which Twilio did nothing. Reports what an operator must look at. */
export function createError(
  { log }: Pick<ProviderContext, 'log'>,
  code: number | null,
  meaning = errorMeanings.get(code),
): OutsideError {
  const which = code === null ? 'an error without a code' : `error ${code}`
  if (meaning === 'misconfigured') log('error', 'provider_misconfigured', { code: String(code) })
  else if (meaning !== 'busy' && meaning !== 'limited') log('warn', 'provider_error_unknown', { code: String(code) })
  return new OutsideError(`Twilio rejected the request: ${which}.`, {
    outcome: 'nothing',
    retryable: meaning === 'busy',
  })
}

/** Reports a status that Twilio's documentation does not list, and returns the error to throw. */
export function createStatusError(
  { log }: Pick<ProviderContext, 'log'>,
  request_id: string,
  status: unknown,
): OutsideError {
  log('warn', 'provider_status_unknown', {
    request_id,
    status: typeof status === 'string' ? status.slice(0, 40) : typeof status,
  })
  return new OutsideError('Twilio returned an unknown status.', { retryable: false })
}
