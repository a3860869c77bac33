/** Reads what a hosted page sends to an app: the events of the elements, as JSON text. */
import type { OpalError } from '@causeway/elements/opal-events'
import type { OpalExit } from '@causeway/elements/opal-store'

/** The maximum length of a message, in UTF-16 code units. */
const MAX_LENGTH = 16_384

export type AppMessage =
  | { type: 'event'; name: string; timestamp: string; data: Record<string, unknown> | null }
  | { type: 'ready' }
  | { type: 'error'; error: OpalError }
  | { type: 'exit'; reason: OpalExit['reason'] }
  /** A message that only shows that the page runs. */
  | { type: 'other' }

type Bag = Record<string, unknown>
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown, max = 500): value is string => typeof value === 'string' && value.length <= max

const reasons = ['completed', 'user', 'error', 'expired'] as const
const readReason = (value: unknown) => reasons.find(reason => reason === value)

function parse(text: unknown): unknown {
  if (!isText(text, MAX_LENGTH)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns a message of the page, or null for any other text. */
export function readMessage(text: unknown): AppMessage | null {
  const fields = parse(text)
  if (!isBag(fields) || !isText(fields['type'], 40) || !/^(?:element|allocations)-/.test(fields['type'])) return null
  switch (fields['type']) {
    case 'element-ready':
      return { type: 'ready' }
    case 'element-event': {
      const { name, timestamp, data } = fields
      if (!isText(name, 80) || !isText(timestamp, 30) || !(data === null || isBag(data))) return null
      return { type: 'event', name, timestamp, data }
    }
    case 'element-error': {
      const { error_type, sub_type, message, recoverable } = fields
      if (!isText(error_type) || !isText(sub_type) || !isText(message)) return null
      return { type: 'error', error: { type: error_type, sub_type, message, recoverable: recoverable === true } }
    }
    case 'element-exit': {
      const reason = readReason(fields['reason'])
      return reason ? { type: 'exit', reason } : null
    }
    default:
      return { type: 'other' }
  }
}

/** The reasons by the `status` of a redirect. */
const statuses = new Map<string, OpalExit['reason']>([
  ['success', 'completed'],
  ['exit', 'user'],
  ['error', 'error'],
  ['expired', 'expired'],
])

/** Returns the reason in the URL of a redirect to the customer's site; undefined for any other URL. */
export const reasonOfRedirect = (url: string): OpalExit['reason'] | undefined =>
  statuses.get(/[?&]status=([a-z]{1,10})(?:[&#]|$)/.exec(url.slice(0, 4_000))?.[1] ?? '')

/** Returns the origin of an absolute http URL, or null. React Native has no complete `URL`. */
export const originOf = (url: string): string | null =>
  /^https?:\/\/[^/?#\\@\s]{1,300}(?=[/?#]|$)/i.exec(url)?.[0].toLowerCase() ?? null
