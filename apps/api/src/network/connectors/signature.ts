import { createHash, timingSafeEqual } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'

/** The header that every call, every answer and every push carries. */
export const SIGNATURE = 'Connector-Signature'
/** Seconds that a signature is good for. */
const LIFETIME = 60
/** Seconds that the two clocks may differ. */
const SKEW = 60

/** The secrets that service and connector share, by the names that signatures give them. The first one signs. */
export interface SharedKeys {
  readonly first: { kid: string; secret: Uint8Array }
  readonly byName: ReadonlyMap<string, Uint8Array>
}

/**
 * Keys from `CONNECTOR_KEY`: 32 bytes or more in base64, several of them separated by commas while one replaces another.
 * Undefined where one of them is not.
 */
export function readKeys(text: string): SharedKeys | undefined {
  const secrets = text.split(',').map(each => new Uint8Array(Buffer.from(each.trim(), 'base64')))
  if (secrets.some(secret => secret.length < 32)) return undefined
  const named = secrets.map(secret => ({ kid: nameOf(secret), secret }))
  return { first: named[0]!, byName: new Map(named.map(({ kid, secret }) => [kid, secret])) }
}

const nameOf = (secret: Uint8Array): string =>
  createHash('sha256').update('connector key ').update(secret).digest('hex').slice(0, 12)

type Side = 'causeway' | 'connector'

/** The claims of a signature beside the body's hash. */
export interface Signed {
  from: Side
  /** The subject: the path of a call, the `id` of the call that is answered, `push`. */
  about: string
  /** Names this sending. */
  id: string
}

const hashOf = (body: Uint8Array | string): string => createHash('sha256').update(body).digest('base64url')
const other = (side: Side): Side => (side === 'causeway' ? 'connector' : 'causeway')

/** A compact JWS (HS256) over the body's SHA-256. @param now epoch milliseconds of the real time */
export async function sign(keys: SharedKeys, body: string, { from, about, id }: Signed, now: number): Promise<string> {
  const at = Math.floor(now / 1000)
  return new SignJWT({ sha256: hashOf(body) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: keys.first.kid })
    .setIssuer(from)
    .setAudience(other(from))
    .setSubject(about)
    .setJti(id)
    .setIssuedAt(at)
    .setExpirationTime(at + LIFETIME)
    .sign(keys.first.secret)
}

/**
 * True if a body was signed by the other side, about that, in the last minute.
 * @returns the signature's own id; undefined where it is wrong, in whatever way
 */
export async function verify(
  keys: SharedKeys,
  signature: string | null,
  body: Uint8Array,
  { from, about }: Pick<Signed, 'from' | 'about'>,
  now: number,
): Promise<string | undefined> {
  try {
    const secret = keys.byName.get(decodeProtectedHeader(signature ?? '').kid ?? '')
    if (!secret) return undefined
    const { payload } = await jwtVerify(signature ?? '', secret, {
      algorithms: ['HS256'],
      issuer: from,
      audience: other(from),
      subject: about,
      requiredClaims: ['exp', 'jti', 'sha256'],
      maxTokenAge: LIFETIME,
      clockTolerance: SKEW,
      currentDate: new Date(now),
    })
    const said = Buffer.from(String(payload['sha256']))
    const real = Buffer.from(hashOf(body))
    return said.length === real.length && timingSafeEqual(said, real) ? payload.jti : undefined
  } catch {
    return undefined
  }
}
