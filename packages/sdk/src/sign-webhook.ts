import { bytesOf, fromBase64 } from './bytes.js'
import { checkSecrets, wordsFor } from './checks.js'

/**
 * Returns the key of a secret under Standard Webhooks: the decoded bytes after `whsec_`, or the bytes of any other
 * text.
 */
export const standardKey = (secret: string) =>
  (secret.startsWith('whsec_') ? fromBase64(secret.slice(6)) : null) ?? bytesOf(secret)

export interface SignWebhookParams {
  body: string
  /** The webhook's `hmac_secret`. */
  secret: string
  /** The id of the delivery. */
  id: string
  /** The time, in epoch milliseconds. Default: `Date.now`. */
  now?: () => number
}

/**
 * Returns the headers that the service would send with a body, to test the code that receives webhooks.
 * @example
 * const headers = await signWebhook({ body, secret, id: 'dlv_test' })
 * await app.request('/hooks', { method: 'POST', body, headers })
 */
export async function signWebhook({ body, secret, id, now = Date.now }: SignWebhookParams) {
  if (typeof body !== 'string') throw new TypeError(`body must be a string, not ${wordsFor(body)}.`)
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
