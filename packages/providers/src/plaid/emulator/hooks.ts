/** The webhooks of the emulator, signed as Plaid signs them. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { SECOND_MS } from '@causeway/contract/time'
import { SignJWT } from 'jose'
import type { JWKPublicKey } from 'plaid'

export interface Delivery {
  url: string
  headers: Record<string, string>
  body: string
}

export function createHookSigner(now: () => number) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(`${x}${y}`).digest('hex').slice(0, 32)
  const key: JWKPublicKey = {
    ...{ alg: 'ES256', crv: 'P-256', kid, kty: 'EC', use: 'sig', x, y },
    ...{ created_at: Math.floor(now() / SECOND_MS), expired_at: null },
  }
  return {
    key,
    async sign(url: string, body: string): Promise<Delivery> {
      const token = await new SignJWT({ request_body_sha256: createHash('sha256').update(body).digest('hex') })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .setIssuedAt(Math.floor(now() / SECOND_MS))
        .sign(privateKey)
      return { url, headers: { 'content-type': 'application/json', 'plaid-verification': token }, body }
    },
  }
}
