import { createHmac, hkdfSync } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { sha256 } from './vault.js'

/** The service's own keys: one derives session bearers, and the other signs results. */
export interface Keys {
  /**
   * Derives a session bearer from a token's secret and the frame's exchange id. A repeated exchange gets the same
   * bearer.
   */
  bearer(secret: string, exchange: string): string
  /** Signs claims as a compact JWS that can be verified with `publicKeys`. @param lifetime in seconds */
  sign(claims: Record<string, unknown>, now: number, lifetime: number): Promise<string>
  /** The JSON Web Key Set that clients use to verify signatures. */
  readonly publicKeys: { keys: JWK[] }
}

/** Creates a signing key and returns it as JSON. Store it encrypted. */
export async function createSigningKey(): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  return JSON.stringify(await exportJWK(privateKey))
}

/** @param master the service's 32-byte key; @param signing the result of `createSigningKey` */
export async function createKeys(master: Buffer, signing: string): Promise<Keys> {
  const jwk = JSON.parse(signing) as JWK
  const key = (await importJWK(jwk, 'EdDSA')) as CryptoKey
  const { d: _private, ...open } = jwk
  const kid = sha256(JSON.stringify(open)).slice(0, 16)
  const secret = Buffer.from(hkdfSync('sha256', master, '', 'causeway bearer', 32))
  return {
    bearer: (token, exchange) => createHmac('sha256', secret).update(`${token}|${exchange}`).digest('base64url'),
    sign: (claims, now, lifetime) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor(now / 1000) + lifetime)
        .sign(key),
    publicKeys: { keys: [{ ...open, kid, use: 'sig', alg: 'EdDSA' }] },
  }
}
