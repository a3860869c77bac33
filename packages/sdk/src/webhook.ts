import { createHmac, timingSafeEqual } from 'node:crypto'
import type { WebhookPayload } from '@causeway/contract/resources/webhook'

/** Headers as a request has them: those of `fetch`, or Node's. */
type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyWebhookParams {
  /** The body, byte for byte as it came: not parsed and written again. */
  body: string
  headers: GivenHeaders
  /** The webhook's `hmac_secret`; while it is changed, the old and the new one. */
  secret: string | readonly string[]
  /** Seconds that a delivery may be old, or early; 300 unless told. */
  tolerance?: number
  /** Epoch milliseconds. Default: the clock of this machine. */
  now?: () => number
}

/** A delivery that is not to be believed. `reason` says why, for your log. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: 'missing_header' | 'timestamp' | 'signature' | 'body'

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** What came, and the id of its delivery: the same on every attempt, so that one that came before can be left out. */
export type VerifiedWebhook = WebhookPayload & { delivery_id: string }

/**
 * Checks that a delivery is from the service, is not changed, and is not an old one that somebody kept.
 * Throws {@link WebhookVerificationError}: answer 400 then.
 * @example
 * const event = verifyWebhook({ body: await request.text(), headers: request.headers, secret })
 * if (event.type === 'payment.update') await refresh(await causeway.payments.retrieve(event.id))
 */
export function verifyWebhook(params: VerifyWebhookParams): VerifiedWebhook {
  const { body, headers, secret, tolerance = 300, now = Date.now } = params
  const read = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : [headers[name] ?? null].flat()[0]
    if (!value) throw new WebhookVerificationError('missing_header', `The delivery has no ${name} header.`)
    return value
  }
  const id = read('webhook-id')
  const timestamp = read('webhook-timestamp')
  const given = read('webhook-signature')
    .split(' ')
    .flatMap(each => (each.startsWith('v1,') ? [Buffer.from(each.slice(3), 'base64')] : []))
  const age = now() / 1_000 - Number(timestamp)
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > tolerance)
    throw new WebhookVerificationError('timestamp', 'The delivery is too old, or from the future.')
  const right = [secret].flat().some(each => {
    const wanted = createHmac('sha256', keyOf(each)).update(`${id}.${timestamp}.${body}`).digest()
    return given.some(signature => signature.length === wanted.length && timingSafeEqual(signature, wanted))
  })
  if (!right) throw new WebhookVerificationError('signature', 'No signature of the delivery is by this secret.')
  try {
    return { ...(JSON.parse(body) as WebhookPayload), delivery_id: id }
  } catch {
    throw new WebhookVerificationError('body', 'The delivery is signed, and is no JSON.')
  }
}

const PREFIX = 'whsec_'
/** A secret of Standard Webhooks is base64 behind its prefix; any other is its own bytes. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)
