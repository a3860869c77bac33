import { type ResourceErrorCode, resourceCodes } from '@causeway/contract/errors'
import type { OutboundFault } from '../../platform/outbound/outbound.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The longest that a receiver may take, ms, and the most that is read of its answer, bytes. */
export const PATIENCE = 5 * SECOND
export const ANSWER_LIMIT = 16_384
/** The time for which the previous secret signs beside a new one, ms. */
export const OVERLAP = DAY

/** Delays between the attempts of a delivery, ms. The long schedule is that of Standard Webhooks. */
const schedules = {
  sandbox: [1, 2, 4, 8].map(seconds => seconds * SECOND),
  production: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR],
  long: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map(hours => hours * HOUR)],
}

/** Delays of a team's deliveries: one fewer than attempts. Pure. */
export function delaysOf(environment: 'sandbox' | 'production', schedule: 'standard' | 'long'): readonly number[] {
  return schedules[schedule === 'long' ? 'long' : environment]
}

/** True if a webhook of that status is sent anything. */
export const isOn = (status: string): boolean => status === 'active' || status === 'requires_attention'

/** The outcome of an attempt: a status, or the reason for its absence. */
export type Outcome = { status: number; retryAfter: number | null } | { fault: OutboundFault }

export const isDelivered = (outcome: Outcome): boolean =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300

/** True if the receiver says that it will never again want anything. */
export const isGone = (outcome: Outcome): boolean => 'status' in outcome && outcome.status === 410

/** Why an attempt failed, in a word; null where its status says it. */
export function faultOf(outcome: Outcome): string | null {
  if ('fault' in outcome) return outcome.fault
  return outcome.status >= 300 && outcome.status < 400 ? 'redirect' : null
}

/** A `Retry-After` header as ms from now, a day at most; null where it says nothing. Pure. @param now real time */
export function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null
  const at = /^\d{1,9}$/.test(text) ? now + Number(text) * SECOND : Date.parse(text)
  return Number.isNaN(at) ? null : Math.min(DAY, Math.max(0, at - now))
}

/** Statuses of a receiver that has too much to do. */
const busy = new Set([429, 502, 504])

/**
 * The time for which nothing more is sent to an address, ms: as long as it says, or longer the more often it failed in
 * a row. 0 if it may be sent to. Pure.
 */
export function pauseFor(outcome: Outcome, failures: number): number {
  if (!('status' in outcome) || isDelivered(outcome)) return 0
  if (outcome.retryAfter !== null) return outcome.retryAfter
  return busy.has(outcome.status) ? Math.min(MINUTE, SECOND * 2 ** Math.min(failures, 10)) : 0
}

/** Deliveries in a row, or of a day's, that are given up before a webhook is switched off. */
export const IN_A_ROW = 5
const SHARE = 0.4
/** A share of fewer says nothing. */
const ENOUGH = 20

/** True if a webhook is switched off after a delivery was given up. Pure. @param day deliveries that ended in the last 24 hours, none before it was switched on */
export const isHopeless = (failures: number, day: { failed: number; all: number }): boolean =>
  failures >= IN_A_ROW || (day.all >= ENOUGH && day.failed / day.all >= SHARE)

/** The error of a webhook whose delivery was given up. Pure. */
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
 * The lane of an endpoint: all of a team's webhooks there share what it can take, and what else stands at its origin has
 * nothing to do with it. An index holds it, so it has an end. Pure.
 */
export function laneOf(team: string, url: string): string {
  const { origin, pathname } = new URL(url)
  return `${team} ${origin}${pathname}`.slice(0, 500)
}

/** The last segment of a type: what was done. */
export const opOf = (type: string): string => type.split('.').at(-1) ?? type
