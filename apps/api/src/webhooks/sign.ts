import { createHmac } from 'node:crypto'

const STANDARD = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** Whether a secret can sign: one that begins like those of Standard Webhooks goes on in base64. */
export const isSecret = (secret: string): boolean => !secret.startsWith('whsec_') || STANDARD.test(secret)

/** The key of a secret for Standard Webhooks: the bytes behind `whsec_`, or those of the text. */
function keyOf(secret: string): Buffer {
  const encoded = STANDARD.exec(secret)?.[1]
  return encoded ? Buffer.from(encoded, 'base64') : Buffer.from(secret)
}

export interface Signed {
  /** Of the delivery: the same on every attempt. */
  id: string
  /** Real time, epoch milliseconds. */
  at: number
  body: string
  /** The newest first; empty where nothing is to be signed. */
  secrets: readonly string[]
  token: string | null
}

/**
 * What a delivery is known by: our headers and those of Standard Webhooks. Ours are signed with the newest secret; theirs
 * with each, so that a receiver can change over. Pure.
 */
export function signatureHeaders({ id, at, body, secrets, token }: Signed): Record<string, string> {
  const seconds = String(Math.floor(at / 1_000))
  const [newest] = secrets
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
  return {
    'Service-Webhook-Timestamp': seconds,
    'webhook-id': id,
    'webhook-timestamp': seconds,
    ...(token === null ? {} : { Authorization: Buffer.from(token).toString('base64') }),
    ...(newest === undefined
      ? {}
      : {
          'Service-Webhook-Signature': hmac(newest, `${seconds}:${body}`).digest('hex'),
          'webhook-signature': secrets
            .map(secret => `v1,${hmac(keyOf(secret), `${id}.${seconds}.${body}`).digest('base64')}`)
            .join(' '),
        }),
  }
}
