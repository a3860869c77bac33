import { checkBody, checkSecrets, describeValue, hintOf } from '../checks.js'
import type { Event, EventOf, EventResources, EventType } from '../contract.gen.js'
import { VerificationError } from '../errors.js'
import { bytesOf, fromBase64, fromHex, join, readObject } from './bytes.js'
import { standardKey } from './sign-webhook.js'

/** A delivery's body. */
export interface WebhookPayload {
  webhook_id: string
  /** The changed resource's id. */
  id: string
  type: EventType
  /** The last segment of the event type. */
  op: string
  /** The resource's path. Absent if the resource has no path. */
  path?: string
  /** The event's id, or the entire event if the webhook has `expand_event`. */
  event: string | Event
  /** Ids of the resources that the changed resource belongs to, such as `entity` and `account`. */
  refs: Record<string, string> | null
}

type HeaderValue = string | readonly string[] | undefined

/** Headers from `fetch`, Node or a framework, or a `Map` or list of entries. Names are case-insensitive. */
export type HeadersLike = Headers | Iterable<readonly [string, HeaderValue]> | Readonly<Record<string, HeaderValue>>

/**
 * A delivery's body and id. The id is the same for every attempt, so you can ignore a delivery that you have already
 * received. With the scheme `service`, whose signature does not cover the delivery's id, the id is the event's id.
 */
export type VerifiedWebhook = {
  [Noun in keyof EventResources]: WebhookPayload & {
    type: EventOf<Noun>['type']
    event: string | EventOf<Noun>
    delivery_id: string
  }
}[keyof EventResources]

export interface VerifyWebhookParams {
  /** The body exactly as received. A body that has been parsed and serialized again no longer matches its signature. */
  body: string | Uint8Array
  headers: HeadersLike
  /** The webhook's `hmac_secret`. While you rotate the secret, pass both the old and the new one, in any order. */
  secret: string | readonly string[]
  /**
   * The signature to check: `standard` (default) checks `webhook-signature`, as defined by Standard Webhooks, and
   * `service` checks `Service-Webhook-Signature`. Only one is accepted. Otherwise, someone who captured a delivery could
   * send it once more under its other id by removing headers.
   */
  scheme?: 'standard' | 'service'
  /** The maximum accepted difference between the timestamp and the current time, in seconds. Default: 300. */
  tolerance?: number
  /** Returns the current time, in epoch milliseconds. Default: `Date.now`. */
  now?: () => number
}

/**
 * Checks that a delivery is from the service, unmodified and recent. If it is not, throws {@link VerificationError}. In
 * that case, respond with 400.
 * @example
 * const told = await verifyWebhook({ body: await request.text(), headers: request.headers, secret })
 * if (told.type === 'payment.update') await refresh(await causeway.payments.retrieve(told.id))
 */
export async function verifyWebhook(delivery: VerifyWebhookParams): Promise<VerifiedWebhook> {
  const { tolerance = 300, now = Date.now, scheme = 'standard' } = delivery
  const secrets = checkSecrets(delivery.secret)
  checkBody(delivery.body)
  if (typeof delivery.headers !== 'object' || delivery.headers === null)
    throw new TypeError(`headers must be the request headers, but it is ${describeValue(delivery.headers)}.`)
  if (scheme !== 'standard' && scheme !== 'service')
    throw new TypeError(`scheme must be 'standard' or 'service', not ${describeValue(scheme)}.`)
  // Every age would pass a comparison with NaN, which Number() returns for an unset variable.
  if (typeof tolerance !== 'number' || !(tolerance >= 0))
    throw new TypeError(`tolerance must be a number of seconds, 0 or more, not ${textOf(tolerance)}.`)
  const time = now()
  if (!Number.isFinite(time)) throw new TypeError(`now must return the time in milliseconds, not ${textOf(time)}.`)
  const body = typeof delivery.body === 'string' ? bytesOf(delivery.body) : delivery.body
  const { id, timestamp, signed, signatures, keyOf } = readers[scheme](readerOf(delivery.headers))
  if (!/^\d{1,12}$/.test(timestamp))
    throw new VerificationError('malformed', 'The timestamp must be a number of seconds.')
  if (Math.abs(time / 1000 - Number(timestamp)) > tolerance)
    throw new VerificationError(
      'expired',
      "The timestamp is too far from the current time. The delivery is old, or this machine's clock is wrong.",
    )
  const message = join(bytesOf(signed), body)
  // mutant: webhook-needs-signature (false)
  if (!(await anyMatches(secrets.map(keyOf), signatures, message)))
    throw new VerificationError(
      'signature',
      `The signature does not match the body. Pass the body exactly as received, and this webhook's secret.${hintOf(secrets)}`,
    )
  const payload = readObject(body) as unknown as WebhookPayload | null
  if (!payload) throw new VerificationError('malformed', 'The body must be a JSON object.')
  const { event } = payload
  return { ...payload, delivery_id: id ?? (typeof event === 'string' ? event : event?.id) } as VerifiedWebhook
}

const textOf = (value: unknown): string => (typeof value === 'number' ? String(value) : describeValue(value))

interface Signature {
  /** The delivery's id. Null if the headers do not include it. */
  id: string | null
  timestamp: string
  /** The part of the signed text that precedes the body. */
  signed: string
  signatures: readonly Uint8Array<ArrayBuffer>[]
  keyOf: (secret: string) => Uint8Array<ArrayBuffer>
}

type ReadHeader = (name: string) => string | null

const readers: Readonly<Record<'standard' | 'service', (read: ReadHeader) => Signature>> = {
  /** Reads the Standard Webhooks headers, which during a rotation include signatures with both secrets. */
  standard(read) {
    const signature = read('webhook-signature')
    if (signature === null)
      throw new VerificationError(
        'missing',
        'The delivery has no webhook-signature header. Its webhook must have an hmac_secret.',
      )
    const id = read('webhook-id')
    if (!id) throw new VerificationError('missing', 'The delivery has no webhook-id header.')
    const timestamp = read('webhook-timestamp') ?? ''
    const found = signature.split(' ').map(each => (each.startsWith('v1,') ? fromBase64(each.slice(3)) : null))
    return {
      id,
      timestamp,
      signed: `${id}.${timestamp}.`,
      signatures: found.filter(each => each !== null),
      keyOf: standardKey,
    }
  },
  /** Reads the service's own headers, whose signature does not cover the delivery's id. */
  service(read) {
    const signature = read('service-webhook-signature')
    if (signature === null)
      throw new VerificationError(
        'missing',
        'The delivery has no Service-Webhook-Signature header. Its webhook must have an hmac_secret.',
      )
    const timestamp = read('service-webhook-timestamp') ?? ''
    const bytes = fromHex(signature)
    return { id: null, timestamp, signed: `${timestamp}:`, signatures: bytes ? [bytes] : [], keyOf: bytesOf }
  },
}

/** Compares signatures with WebCrypto, whose verification takes constant time. */
async function anyMatches(
  keys: readonly Uint8Array<ArrayBuffer>[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { subtle } = globalThis.crypto
  for (const bytes of keys) {
    const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures) if (await subtle.verify('HMAC', key, signature, message)) return true
  }
  return false
}

function readerOf(headers: HeadersLike): ReadHeader {
  if (headers instanceof Headers) return name => headers.get(name)
  // An iterator can be read only once.
  const entries = isIterable(headers) ? [...headers] : Object.entries(headers)
  if (!entries.every(entry => Array.isArray(entry) && typeof entry[0] === 'string'))
    throw new TypeError('headers must contain entries of a name and a value. Pass request.headers.')
  return name => {
    const values = entries.flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []))
    return values.length === 0 ? null : values.join(' ')
  }
}

const isIterable = (headers: HeadersLike): headers is Iterable<readonly [string, HeaderValue]> =>
  Symbol.iterator in headers
