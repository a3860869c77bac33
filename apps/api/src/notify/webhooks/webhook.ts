import { type ResourceErrorCode, resourceCodes } from '@causeway/contract/errors'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import type { OutboundFault } from '../../platform/outbound/outbound.js'

/** The time limit for a receiver's response, in ms, and the number of response bytes to read. */
export const DELIVERY_TIMEOUT_MS = 5 * SECOND_MS
export const MAX_RESPONSE_BYTES = 16_384
/** The time, in ms, during which deliveries are signed with both the previous secret and the new one. */
export const SECRET_OVERLAP_MS = DAY_MS

/**
 * Delays between a delivery's attempts, in ms. The sandbox's attempts take more than ten minutes, so that a receiver
 * can be restarted without losing deliveries. The production attempts take more than `FAILING_LIMIT_MS`. The long
 * schedule is the one that Standard Webhooks recommends.
 */
const retryDelaysMs = {
  sandbox: [1, 2, 4, 8, 30, 120, 480].map(seconds => seconds * SECOND_MS),
  production: [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 8, 24, 38].map(hours => hours * HOUR_MS)],
  long: [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map(hours => hours * HOUR_MS)],
}

/** Returns the delays between delivery attempts for a team. Pure. */
export function retryDelays(environment: 'sandbox' | 'production', schedule: 'standard' | 'long'): readonly number[] {
  return retryDelaysMs[schedule === 'long' ? 'long' : environment]
}

/** Returns true if a webhook with this status receives deliveries. */
export const isEnabled = (status: string): boolean => status === 'active' || status === 'requires_attention'

/** The outcome of an attempt: the response status, or the reason that there was no response. */
export type Outcome = { status: number; retryAfter: number | null } | { fault: OutboundFault }

export const isDelivered = (outcome: Outcome): boolean =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300

/** Returns true if the response was 410 Gone, which means that the service must permanently stop sending. */
export const isGoneResponse = (outcome: Outcome): boolean => 'status' in outcome && outcome.status === 410

/** The reason for the failure of a delivery that the service itself could not complete. */
export const INTERNAL_FAULT = 'internal'

/** Returns a one-word reason for the failure of an attempt, or null if the status explains the failure. */
export function faultOf(outcome: Outcome): string | null {
  if ('fault' in outcome) return outcome.fault
  return outcome.status >= 300 && outcome.status < 400 ? 'redirect' : null
}

/**
 * Reads a `Retry-After` header as a delay in ms, at most one day. Returns null if the header is absent or invalid.
 * Pure.
 * @param now the real time
 */
export function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null
  const at = /^\d{1,9}$/.test(text) ? now + Number(text) * SECOND_MS : Date.parse(text)
  return Number.isNaN(at) ? null : Math.min(DAY_MS, Math.max(0, at - now))
}

/** Statuses that indicate an overloaded receiver. */
const overloadedStatuses = new Set([429, 502, 504])

/**
 * Returns how long to pause sending to an endpoint, in ms. Uses the delay that the endpoint requested. If the endpoint
 * requested none, the pause grows with each consecutive failure. 0 means no pause. Pure.
 */
export function pauseFor(outcome: Outcome, failures: number): number {
  if (!('status' in outcome) || isDelivered(outcome)) return 0
  if (outcome.retryAfter !== null) return outcome.retryAfter
  return overloadedStatuses.has(outcome.status) ? Math.min(MINUTE_MS, SECOND_MS * 2 ** Math.min(failures, 10)) : 0
}

/** The number of a delivery's failed attempts after which its webhook requires attention. */
export const ATTENTION_ATTEMPTS = 5
/** The time without a success after which a failed attempt disables a webhook, in ms. */
const FAILING_LIMIT_MS = 3 * DAY_MS
/** The minimum of the same time in the sandbox, in ms of real time, because a team can move its clock by days. */
const SANDBOX_FAILING_MIN_MS = 10 * MINUTE_MS

/** The columns of a webhook that no delivery has failed to reach since it last succeeded. */
export const noFailures = { failures: 0, failing_since: null, failing_since_real: null } as const

/**
 * Returns the team time from which a failed attempt disables a failing webhook, or null if the webhook isn't failing.
 * Pure.
 * @param offset the difference between team time and real time, in ms
 */
export function disableTime(
  environment: 'sandbox' | 'production',
  {
    failing_since: since,
    failing_since_real: real,
  }: { failing_since: number | null; failing_since_real: number | null },
  offset: number,
): number | null {
  if (since === null || real === null) return null
  const earliest = environment === 'sandbox' ? real + SANDBOX_FAILING_MIN_MS + offset : 0
  return Math.max(since + FAILING_LIMIT_MS, earliest)
}

/** Returns the error code for a webhook whose deliveries fail. Pure. */
export function errorFor(outcome: Outcome, off: boolean): ResourceErrorCode {
  const [other, four, five, late] = off
    ? [
        resourceCodes.WEBHOOK_DISABLED_FAILED_OTHER,
        resourceCodes.WEBHOOK_DISABLED_RECEIVED_4XX_ERROR,
        resourceCodes.WEBHOOK_DISABLED_RECEIVED_5XX_ERROR,
        resourceCodes.WEBHOOK_DISABLED_TIMEOUT_ON_RESPONSE,
      ]
    : [
        resourceCodes.WEBHOOK_REQUIRES_ATTENTION_FAILED_OTHER,
        resourceCodes.WEBHOOK_REQUIRES_ATTENTION_RECEIVED_4XX_ERROR,
        resourceCodes.WEBHOOK_REQUIRES_ATTENTION_RECEIVED_5XX_ERROR,
        resourceCodes.WEBHOOK_REQUIRES_ATTENTION_TIMEOUT_ON_RESPONSE,
      ]
  if ('fault' in outcome) return (outcome.fault === 'timeout' ? late : other) as ResourceErrorCode
  if (outcome.status >= 500) return five as ResourceErrorCode
  return (outcome.status >= 400 ? four : other) as ResourceErrorCode
}

/**
 * Returns an endpoint's lane. All of a team's webhooks for the same endpoint share the endpoint's capacity. Other
 * endpoints on the same origin are independent. A lane's name has a maximum length, because it is stored in an indexed
 * column. Pure.
 */
export function laneOf(team: string, url: string): string {
  const { origin, pathname } = new URL(url)
  return `${team} ${origin}${pathname}`.slice(0, 500)
}

/** Returns the last segment of an event type, which names the action. */
export const actionOf = (type: string): string => type.split('.').at(-1) ?? type
