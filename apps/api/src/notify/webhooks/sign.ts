import { createHmac, randomBytes } from 'node:crypto'
import { STANDARD_SECRET } from '@causeway/contract/resources/webhook'

/** Creates a secret in the Standard Webhooks format: 32 random bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/**
 * Returns the key that Standard Webhooks derives from a secret: the decoded bytes after `whsec_` or, without that
 * prefix, the bytes of the text.
 */
function keyOf(secret: string): Buffer {
  const encoded = STANDARD_SECRET.exec(secret)?.[1]
  return encoded ? Buffer.from(encoded, 'base64') : Buffer.from(secret)
}

export interface SignatureInput {
  /** The delivery's id, which is the same for every attempt. */
  id: string
  /** The real time, in epoch milliseconds. */
  at: number
  body: string
  /** The secrets, latest first. Empty if the delivery is not signed. */
  secrets: readonly string[]
  token: string | null
  /** True to also send the headers of the `/enveloped` mount. */
  peer: boolean
}

/**
 * Returns the headers that authenticate a delivery, both our own and those defined by Standard Webhooks. Our signature
 * uses only the latest secret. The Standard Webhooks header contains a signature for each secret, so a receiver can
 * change secrets without downtime. Pure.
 */
export function signatureHeaders({ id, at, body, secrets, token, peer }: SignatureInput): Record<string, string> {
  const seconds = String(Math.floor(at / 1_000))
  const [newest] = secrets
  const headerNames = (name: string) => [
    `Service-Webhook-${name}`,
    ...(peer ? [`method-webhook-${name.toLowerCase()}`] : []),
  ]
  const headersFor = (name: string, value: string) =>
    Object.fromEntries(headerNames(name).map(header => [header, value]))
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
  return {
    ...headersFor('Timestamp', seconds),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    ...(token === null ? {} : { Authorization: Buffer.from(token).toString('base64') }),
    ...(newest === undefined
      ? {}
      : {
          ...headersFor('Signature', hmac(newest, `${seconds}:${body}`).digest('hex')),
          'webhook-signature': secrets
            .map(secret => `v1,${hmac(keyOf(secret), `${id}.${seconds}.${body}`).digest('base64')}`)
            .join(' '),
        }),
  }
}
