import { type ResourceErrorCode, resourceCodes } from '@causeway/contract/errors'
import type { OutboundFault } from '../../platform/outbound/outbound.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The time limit for a receiver's response, in ms, and the number of response bytes to read. */
export const PATIENCE = 5 * SECOND
export const ANSWER_LIMIT = 16_384
/** The time, in ms, during which deliveries are signed with both the previous secret and the new one. */
export const OVERLAP = DAY

/** Delays between a delivery's attempts, in ms. The long schedule is the one that Standard Webhooks recommends. */
const schedules = {
  sandbox: [1, 2, 4, 8].map(seconds => seconds * SECOND),
  production: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR],
  long: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map(hours => hours * HOUR)],
}

/** Returns the delays between delivery attempts for a team. Pure. */
export function delaysOf(environment: 'sandbox' | 'production', schedule: 'standard' | 'long'): readonly number[] {
  return schedules[schedule === 'long' ? 'long' : environment]
}

/** Returns true if a webhook with this status receives deliveries. */
export const isOn = (status: string): boolean => status === 'active' || status === 'requires_attention'

/** The outcome of an attempt: the response status, or the reason that there was no response. */
export type Outcome = { status: number; retryAfter: number | null } | { fault: OutboundFault }

export const isDelivered = (outcome: Outcome): boolean =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300

/** Returns true if the response was 410 Gone, which means that the service must permanently stop sending. */
export const isGone = (outcome: Outcome): boolean => 'status' in outcome && outcome.status === 410

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
  const at = /^\d{1,9}$/.test(text) ? now + Number(text) * SECOND : Date.parse(text)
  return Number.isNaN(at) ? null : Math.min(DAY, Math.max(0, at - now))
}

/** Statuses that indicate an overloaded receiver. */
const busy = new Set([429, 502, 504])

/**
 * Returns how long to pause sending to an endpoint, in ms. Uses the delay that the endpoint requested. If the endpoint
 * requested none, the pause grows with each consecutive failure. 0 means no pause. Pure.
 */
export function pauseFor(outcome: Outcome, failures: number): number {
  if (!('status' in outcome) || isDelivered(outcome)) return 0
  if (outcome.retryAfter !== null) return outcome.retryAfter
  return busy.has(outcome.status) ? Math.min(MINUTE, SECOND * 2 ** Math.min(failures, 10)) : 0
}

/** The number of consecutive abandoned deliveries, and the failure rate over a day, at which a webhook is disabled. */
export const IN_A_ROW = 5
const SHARE = 0.4
/** The number of deliveries below which the failure rate is ignored. */
const ENOUGH = 20

/**
 * After a delivery was abandoned, returns true if its webhook must be disabled. Pure.
 * @param day the deliveries that ended within the last 24 hours and after the webhook was last enabled
 */
export const isHopeless = (failures: number, day: { failed: number; all: number }): boolean =>
  failures >= IN_A_ROW || (day.all >= ENOUGH && day.failed / day.all >= SHARE)

/** Returns the error code for a webhook after one of its deliveries was abandoned. Pure. */
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
export const opOf = (type: string): string => type.split('.').at(-1) ?? type
