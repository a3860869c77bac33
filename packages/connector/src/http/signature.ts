import { createHash, timingSafeEqual } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { readBase64 } from '../wire/base64.js'

/** The header that contains the signature of every call, answer and push. */
export const SIGNATURE_HEADER = 'Connector-Signature'
const SIGNATURE_LIFETIME_SECONDS = 60
/** The tolerated difference between the two clocks. */
const MAX_CLOCK_SKEW_SECONDS = 60

/**
 * The secrets that the service and the connector share, keyed by the key id in each signature. Messages are signed with
 * the first secret.
 */
export interface SharedKeys {
  readonly first: { kid: string; secret: Uint8Array }
  readonly secretsByKid: ReadonlyMap<string, Uint8Array>
}

/**
 * Reads the keys in `CONNECTOR_KEY`: one key or, during a rotation, several separated by commas. Each key is the base64
 * encoding of at least 32 bytes. Returns undefined if any key is invalid.
 */
export function readSharedKeys(text: string): SharedKeys | undefined {
  const decoded = text.split(',').map(each => readBase64(each.trim()))
  const secrets = decoded.flatMap(bytes => (bytes && bytes.length >= 32 ? [new Uint8Array(bytes)] : []))
  if (secrets.length < decoded.length) return undefined
  const namedKeys = secrets.map(secret => ({ kid: keyIdOf(secret), secret }))
  return { first: namedKeys[0]!, secretsByKid: new Map(namedKeys.map(({ kid, secret }) => [kid, secret])) }
}

const keyIdOf = (secret: Uint8Array): string =>
  createHash('sha256').update('connector key ').update(secret).digest('hex').slice(0, 12)

type Side = 'causeway' | 'connector'

/** The claims in a signature, besides the body's hash. */
export interface SignatureClaims {
  from: Side
  /** The subject: the path of a call, the `id` of the call being answered, or `push`. */
  about: string
  /** The id of this message. */
  id: string
}

const hashOf = (body: Uint8Array | string): string => createHash('sha256').update(body).digest('base64url')
const otherSide = (side: Side): Side => (side === 'causeway' ? 'connector' : 'causeway')

/** Returns a compact JWS (HS256) over the body's SHA-256 hash. @param now the real time, in epoch milliseconds */
export async function sign(
  keys: SharedKeys,
  body: Uint8Array | string,
  { from, about, id }: SignatureClaims,
  now: number,
): Promise<string> {
  const at = Math.floor(now / 1000)
  return new SignJWT({ sha256: hashOf(body) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: keys.first.kid })
    .setIssuer(from)
    .setAudience(otherSide(from))
    .setSubject(about)
    .setJti(id)
    .setIssuedAt(at)
    .setExpirationTime(at + SIGNATURE_LIFETIME_SECONDS)
    .sign(keys.first.secret)
}

/**
 * Checks that a body was signed by the other side, within the last minute and with the expected subject.
 * @returns the signature's id, or undefined if the signature is invalid for any reason
 */
export async function verify(
  keys: SharedKeys,
  signature: string | null,
  body: Uint8Array,
  { from, about }: Pick<SignatureClaims, 'from' | 'about'>,
  now: number,
): Promise<string | undefined> {
  try {
    const secret = keys.secretsByKid.get(decodeProtectedHeader(signature ?? '').kid ?? '')
    if (!secret) return undefined
    const { payload } = await jwtVerify(signature ?? '', secret, {
      algorithms: ['HS256'],
      issuer: from,
      audience: otherSide(from),
      // mutant: answer-is-for-its-call (remove)
      subject: about,
      requiredClaims: ['exp', 'jti', 'sha256'],
      maxTokenAge: SIGNATURE_LIFETIME_SECONDS,
      clockTolerance: MAX_CLOCK_SKEW_SECONDS,
      currentDate: new Date(now),
    })
    const claimedHash = Buffer.from(String(payload['sha256']))
    const actualHash = Buffer.from(hashOf(body))
    // mutant: answer-matches-signature (true)
    return claimedHash.length === actualHash.length && timingSafeEqual(claimedHash, actualHash)
      ? payload.jti
      : undefined
  } catch {
    return undefined
  }
}
