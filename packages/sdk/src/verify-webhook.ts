import { bytesOf, fromBase64, fromHex, join, readObject } from './bytes.js'
import type { Event, EventOf, EventResources, EventType } from './contract.gen.js'
import { VerificationError } from './errors.js'
import { standardKey } from './sign-webhook.js'

/** What a webhook is sent. */
export interface WebhookPayload {
  webhook_id: string
  /** Of what changed. */
  id: string
  type: EventType
  /** The last segment of the type. */
  op: string
  /** Where it is read; left out where nowhere. */
  path?: string
  /** The event's id, or the event where the webhook has `expand_event`. */
  event: string | Event
  /** Ids of what it belongs to, such as `entity` and `account`. */
  refs: Record<string, string> | null
}

/** Headers as `fetch`, Node or a framework gives them; names in any case. */
export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * What came, and the id of its delivery: the same on every attempt, so that one that came before can be left out. Where
 * only our own headers came it is the event's.
 */
export type VerifiedWebhook = {
  [Noun in keyof EventResources]: WebhookPayload & {
    type: EventOf<Noun>['type']
    event: string | EventOf<Noun>
    delivery_id: string
  }
}[keyof EventResources]

export interface VerifyWebhookParams {
  /** The body exactly as it came: parsed and written again it is another one. */
  body: string | Uint8Array
  headers: HeadersLike
  /** The webhook's `hmac_secret`; while it is being changed the old and the new one, in any order. */
  secret: string | readonly string[]
  /** Seconds that a delivery may be old, or ahead; 300 unless told. */
  tolerance?: number
  /** The time, in epoch milliseconds; `Date.now` unless told. */
  now?: () => number
}

/**
 * Checks that a delivery is from the service, is not changed, and is not an old one that somebody kept.
 * Throws {@link VerificationError}: answer 400 then.
 * @example
 * const told = await verifyWebhook({ body: await request.text(), headers: request.headers, secret })
 * if (told.type === 'payment.update') await refresh(await causeway.payments.retrieve(told.id))
 */
export async function verifyWebhook(delivery: VerifyWebhookParams): Promise<VerifiedWebhook> {
  const { tolerance = 300, now = Date.now } = delivery
  const secrets = typeof delivery.secret === 'string' ? [delivery.secret] : delivery.secret
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError('verifyWebhook needs a secret')
  const body = typeof delivery.body === 'string' ? bytesOf(delivery.body) : delivery.body
  const { id, timestamp, signed, signatures, keyOf } = readSignature(name => header(delivery.headers, name))
  if (!/^\d{1,12}$/.test(timestamp)) throw new VerificationError('malformed', 'The timestamp is no number of seconds.')
  if (Math.abs(now() / 1000 - Number(timestamp)) > tolerance)
    throw new VerificationError('expired', 'The timestamp is too far from now: an old delivery, or a wrong clock.')
  const message = join(bytesOf(signed), body)
  if (!(await anyMatches(secrets.map(keyOf), signatures, message)))
    throw new VerificationError('signature', 'No signature is by one of the secrets.')
  const payload = readObject(body) as unknown as WebhookPayload | null
  if (!payload) throw new VerificationError('malformed', 'The body is no JSON object.')
  const { event } = payload
  return { ...payload, delivery_id: id ?? (typeof event === 'string' ? event : event?.id) } as VerifiedWebhook
}

interface Signature {
  /** Of the delivery; null where it was not sent. */
  id: string | null
  timestamp: string
  /** What is signed before the body. */
  signed: string
  signatures: readonly Uint8Array<ArrayBuffer>[]
  keyOf: (secret: string) => Uint8Array<ArrayBuffer>
}

/** The headers of Standard Webhooks where they are there, because those are signed by both secrets during a change; else ours. */
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
    throw new VerificationError('missing', 'The delivery carries no signature: its webhook has no hmac_secret.')
  const timestamp = read('service-webhook-timestamp') ?? ''
  const bytes = fromHex(signature)
  return { id: null, timestamp, signed: `${timestamp}:`, signatures: bytes ? [bytes] : [], keyOf: bytesOf }
}

/** Compared by WebCrypto, which takes the same time for every wrong one. */
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
