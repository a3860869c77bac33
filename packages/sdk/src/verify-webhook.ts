import { bytesOf, fromBase64, fromHex, join, readObject } from './bytes.js'
import { checkBody, checkSecrets, hintOf, wordsFor } from './checks.js'
import type { Event, EventOf, EventResources, EventType } from './contract.gen.js'
import { VerificationError } from './errors.js'
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

/** Headers from `fetch`, Node or a framework. Names are case-insensitive. */
export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * A delivery's body and id. The id is the same for every attempt, so you can ignore a delivery that you have already
 * received. If the delivery has only the `service-webhook-` headers, the id is the event's id.
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
  const { tolerance = 300, now = Date.now } = delivery
  const secrets = checkSecrets(delivery.secret)
  checkBody(delivery.body)
  if (typeof delivery.headers !== 'object' || delivery.headers === null)
    throw new TypeError(`headers must be the request headers, but it is ${wordsFor(delivery.headers)}.`)
  const body = typeof delivery.body === 'string' ? bytesOf(delivery.body) : delivery.body
  const { id, timestamp, signed, signatures, keyOf } = readSignature(name => header(delivery.headers, name))
  if (!/^\d{1,12}$/.test(timestamp))
    throw new VerificationError('malformed', 'The timestamp must be a number of seconds.')
  if (Math.abs(now() / 1000 - Number(timestamp)) > tolerance)
    throw new VerificationError(
      'expired',
      "The timestamp is too far from the current time. The delivery is old, or this machine's clock is wrong.",
    )
  const message = join(bytesOf(signed), body)
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

interface Signature {
  /** The delivery's id. Null if the headers do not include it. */
  id: string | null
  timestamp: string
  /** The part of the signed text that precedes the body. */
  signed: string
  signatures: readonly Uint8Array<ArrayBuffer>[]
  keyOf: (secret: string) => Uint8Array<ArrayBuffer>
}

/**
 * Prefers the Standard Webhooks headers, because during a rotation they include signatures with both secrets. Falls
 * back to the service's own headers.
 */
function readSignature(read: (name: string) => string | null): Signature {
  const standard = read('webhook-signature')
  if (standard !== null) {
    const id = read('webhook-id')
    if (!id) throw new VerificationError('missing', 'The delivery has no webhook-id header.')
    const timestamp = read('webhook-timestamp') ?? ''
    const found = standard.split(' ').map(each => (each.startsWith('v1,') ? fromBase64(each.slice(3)) : null))
    return {
      id,
      timestamp,
      signed: `${id}.${timestamp}.`,
      signatures: found.filter(each => each !== null),
      keyOf: standardKey,
    }
  }
  const signature = read('service-webhook-signature')
  if (signature === null)
    throw new VerificationError('missing', 'The delivery has no signature. Its webhook must have an hmac_secret.')
  const timestamp = read('service-webhook-timestamp') ?? ''
  const bytes = fromHex(signature)
  return { id: null, timestamp, signed: `${timestamp}:`, signatures: bytes ? [bytes] : [], keyOf: bytesOf }
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

function header(headers: HeadersLike, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (found === undefined) return null
  return typeof found === 'string' ? found : found.join(' ')
}
