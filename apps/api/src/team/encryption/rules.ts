import { ServiceError } from '@causeway/contract/errors'

/** A public encryption key, as the team sent it. */
export interface PublicJwk {
  kty: 'RSA'
  kid: string
  n: string
  e: string
  alg?: 'RSA-OAEP-256'
  use?: 'enc'
}

/** The only supported pair of algorithms. */
export const ALG = 'RSA-OAEP-256'
export const ENC = 'A256GCM'
const BITS = { least: 2_048, most: 8_192 }
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const refuse = (message: string) => new ServiceError('INVALID_REQUEST', message)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isBase64url = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]+$/.test(value) && value.length % 4 !== 1

/** Decodes a number into bytes, without leading zeros. */
function numberOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  const first = bytes.findIndex(byte => byte !== 0)
  return first < 0 ? Buffer.alloc(0) : bytes.subarray(first)
}

const bitsOf = (number: Buffer) => (number.length === 0 ? 0 : number.length * 8 - Math.clz32(number[0]!) + 24)

/**
 * Checks a public key and drops its unsupported members. If a member is invalid, throws an INVALID_REQUEST error that
 * names it.
 * @param at the key's name in messages, such as `jwk`
 */
export function readJwk(value: unknown, at: string): PublicJwk {
  if (!isObject(value)) throw refuse(`${at} must be a JSON Web Key: an object with kty, kid, n and e.`)
  if (value['kty'] !== 'RSA') throw refuse(`${at}.kty must be RSA.`)
  if (SECRET_MEMBERS.some(name => name in value))
    throw refuse(
      `${at} must be a public key: kty, kid, n and e. You sent a private key. Create a new key pair, and send only its public key.`,
    )
  const { kid, alg, use, n, e } = value
  if (typeof kid !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(kid))
    throw refuse(
      `${at}.kid is required: 1 to 200 ASCII characters without spaces, which messages use to identify the key.`,
    )
  if (alg !== undefined && alg !== ALG) throw refuse(`${at}.alg, if sent, must be ${ALG}.`)
  if (use !== undefined && use !== 'enc') throw refuse(`${at}.use, if sent, must be enc.`)
  if (!isBase64url(n)) throw refuse(`${at}.n must be the modulus in base64url without padding.`)
  if (!isBase64url(e)) throw refuse(`${at}.e must be the exponent in base64url without padding, such as AQAB.`)
  const bits = bitsOf(numberOf(n))
  if (bits < BITS.least || bits > BITS.most)
    throw refuse(`${at}.n has ${bits} bits. It must have ${BITS.least} to ${BITS.most} bits.`)
  const exponent = numberOf(e)
  const isOdd = (exponent.at(-1) ?? 0) % 2 === 1
  if (!isOdd || exponent.length > 4 || (exponent.length === 1 && exponent[0] === 1))
    throw refuse(`${at}.e must be an odd number from 3 to 32 bits, such as AQAB.`)
  return { kty: 'RSA', kid, n, e, ...(alg ? { alg: ALG } : {}), ...(use ? { use: 'enc' } : {}) }
}

/** The maximum number of keys in a key set. */
const MOST_IN_SET = 20

/** Reads a key set from a response. Throws an INVALID_REQUEST error that names the invalid member. */
export function readKeySet(text: string): PublicJwk[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse('well_known_endpoint must respond with {"keys": [...]}, but its response is not JSON in UTF-8.')
  }
  const keys = isObject(value) ? value['keys'] : undefined
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MOST_IN_SET)
    throw refuse(`well_known_endpoint must respond with {"keys": [...]}, with 1 to ${MOST_IN_SET} keys.`)
  const read = keys.map((key, index) => readJwk(key, `keys[${index}] of well_known_endpoint`))
  const twice = read.find(({ kid }, index) => read.findIndex(other => other.kid === kid) !== index)
  if (twice) throw refuse('well_known_endpoint has two keys with the same kid. Each kid must be unique.')
  return read
}

/**
 * Returns the compact JWE in a request body. Throws INVALID_REQUEST if there is none.
 * @param value the parsed body; undefined if it isn't valid JSON
 */
export function readEnvelope(value: unknown): string {
  const jwe = isObject(value) ? value['encrypted'] : undefined
  if (!isObject(value) || Object.keys(value).length !== 1 || typeof jwe !== 'string')
    throw refuse('With Service-MLE: jwe, the body must be {"encrypted": "<compact JWE>"} and nothing else.')
  if (!/^[\w-]+\.[\w-]+\.[\w-]+\.[\w-]*\.[\w-]+$/.test(jwe))
    throw refuse('encrypted must be a compact JWE: five base64url parts separated by dots.')
  return jwe
}

/**
 * Reads a message's protected header. `kid` names the key used to encrypt the message, and `cid` names the key to use
 * for the response. Throws INVALID_REQUEST if the header is invalid.
 * @param header the parsed header; undefined if it isn't valid JSON
 */
export function readHeader(header: unknown): { kid: string; cid: string | null } {
  if (!isObject(header))
    throw refuse(
      'The protected header of encrypted must be a JSON object in UTF-8, without repeated members and without U+0000.',
    )
  if (header['alg'] !== ALG) throw refuse(`The alg header of encrypted must be ${ALG}.`)
  if (header['enc'] !== ENC) throw refuse(`The enc header of encrypted must be ${ENC}.`)
  if ('zip' in header || 'crit' in header)
    throw refuse('encrypted must not be compressed. Its header must not contain zip or crit.')
  const { kid, cid } = header
  if (typeof kid !== 'string')
    throw refuse(
      'The kid header of encrypted must name this service\'s encryption key: the one with "use": "enc" at /.well-known/jwks.json.',
    )
  if (cid !== undefined && typeof cid !== 'string')
    throw refuse("The cid header of encrypted must name one of the team's public keys, exactly as registered.")
  return { kid, cid: cid ?? null }
}
