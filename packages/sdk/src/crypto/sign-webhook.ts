import { checkSecrets, describeValue } from '../checks.js'
import { bytesOf, fromBase64 } from './bytes.js'

/**
 * Returns a secret's key as defined by Standard Webhooks: the decoded bytes after `whsec_`, or the raw bytes of any
 * other text.
 */
export const standardKey = (secret: string) =>
  (secret.startsWith('whsec_') ? fromBase64(secret.slice(6)) : null) ?? bytesOf(secret)

export interface SignWebhookParams {
  body: string
  /** The webhook's `hmac_secret`. */
  secret: string
  /** The delivery's id. */
  id: string
  /** Returns the timestamp to sign, in epoch milliseconds. Default: `Date.now`. */
  now?: () => number
}

/**
 * Returns the headers that the service would send with this body. Use them to test your webhook handler.
 * @example
 * const headers = await signWebhook({ body, secret, id: 'dlv_test' })
 * await app.request('/hooks', { method: 'POST', body, headers })
 */
export async function signWebhook({ body, secret, id, now = Date.now }: SignWebhookParams) {
  if (typeof body !== 'string') throw new TypeError(`body must be a string, not ${describeValue(body)}.`)
  checkSecrets(secret)
  const seconds = String(Math.floor(now() / 1000))
  const ours = await hmac(bytesOf(secret), `${seconds}:${body}`)
  const standard = await hmac(standardKey(secret), `${id}.${seconds}.${body}`)
  return {
    'Content-Type': 'application/json',
    'Service-Webhook-Timestamp': seconds,
    'Service-Webhook-Signature': Array.from(ours, byte => byte.toString(16).padStart(2, '0')).join(''),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
  }
}

async function hmac(bytes: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto
  const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await subtle.sign('HMAC', key, bytesOf(text)))
}
