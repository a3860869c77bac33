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
export const KEY_ALGORITHM = 'RSA-OAEP-256'
export const CONTENT_ALGORITHM = 'A256GCM'
const MODULUS_BITS = { min: 2_048, max: 8_192 }
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const invalidRequest = (message: string) => new ServiceError('INVALID_REQUEST', message)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isBase64url = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]+$/.test(value) && value.length % 4 !== 1

/** Decodes a number into bytes, without leading zeros. */
function decodeNumber(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  const first = bytes.findIndex(byte => byte !== 0)
  return first < 0 ? Buffer.alloc(0) : bytes.subarray(first)
}

const bitLength = (number: Buffer) => (number.length === 0 ? 0 : number.length * 8 - Math.clz32(number[0]!) + 24)

/**
 * Checks a public key and drops its unsupported members. If a member is invalid, throws an INVALID_REQUEST error that
 * names it.
 * @param field the key's name in messages, such as `jwk`
 */
export function readJwk(value: unknown, field: string): PublicJwk {
  if (!isObject(value)) throw invalidRequest(`${field} must be a JSON Web Key: an object with kty, kid, n and e.`)
  if (value['kty'] !== 'RSA') throw invalidRequest(`${field}.kty must be RSA.`)
  if (SECRET_MEMBERS.some(name => name in value))
    throw invalidRequest(
      `${field} must be a public key: kty, kid, n and e. You sent a private key. Create a new key pair, and send only its public key.`,
    )
  const { kid, alg, use, n, e } = value
  if (typeof kid !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(kid))
    throw invalidRequest(
      `${field}.kid is required: 1 to 200 ASCII characters without spaces, which messages use to identify the key.`,
    )
  if (alg !== undefined && alg !== KEY_ALGORITHM)
    throw invalidRequest(`${field}.alg, if sent, must be ${KEY_ALGORITHM}.`)
  if (use !== undefined && use !== 'enc') throw invalidRequest(`${field}.use, if sent, must be enc.`)
  if (!isBase64url(n)) throw invalidRequest(`${field}.n must be the modulus in base64url without padding.`)
  if (!isBase64url(e))
    throw invalidRequest(`${field}.e must be the exponent in base64url without padding, such as AQAB.`)
  const bits = bitLength(decodeNumber(n))
  if (bits < MODULUS_BITS.min || bits > MODULUS_BITS.max)
    throw invalidRequest(`${field}.n has ${bits} bits. It must have ${MODULUS_BITS.min} to ${MODULUS_BITS.max} bits.`)
  const exponent = decodeNumber(e)
  const isOdd = (exponent.at(-1) ?? 0) % 2 === 1
  if (!isOdd || exponent.length > 4 || (exponent.length === 1 && exponent[0] === 1))
    throw invalidRequest(`${field}.e must be an odd number from 3 to 32 bits, such as AQAB.`)
  return { kty: 'RSA', kid, n, e, ...(alg ? { alg: KEY_ALGORITHM } : {}), ...(use ? { use: 'enc' } : {}) }
}

const MAX_KEYS_IN_SET = 20

/** Reads a key set from a response. Throws an INVALID_REQUEST error that names the invalid member. */
export function readKeySet(text: string): PublicJwk[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidRequest(
      'well_known_endpoint must respond with {"keys": [...]}, but its response is not JSON in UTF-8.',
    )
  }
  const keys = isObject(value) ? value['keys'] : undefined
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS_IN_SET)
    throw invalidRequest(`well_known_endpoint must respond with {"keys": [...]}, with 1 to ${MAX_KEYS_IN_SET} keys.`)
  const jwks = keys.map((key, index) => readJwk(key, `keys[${index}] of well_known_endpoint`))
  const duplicate = jwks.find(({ kid }, index) => jwks.findIndex(other => other.kid === kid) !== index)
  if (duplicate) throw invalidRequest('well_known_endpoint has two keys with the same kid. Each kid must be unique.')
  return jwks
}

/**
 * Returns the compact JWE in a request body. Throws INVALID_REQUEST if there is none.
 * @param value the parsed body; undefined if it isn't valid JSON
 */
export function readEnvelope(value: unknown): string {
  const jwe = isObject(value) ? value['encrypted'] : undefined
  if (!isObject(value) || Object.keys(value).length !== 1 || typeof jwe !== 'string')
    throw invalidRequest('With Service-MLE: jwe, the body must be {"encrypted": "<compact JWE>"} and nothing else.')
  if (!/^[\w-]+\.[\w-]+\.[\w-]+\.[\w-]*\.[\w-]+$/.test(jwe))
    throw invalidRequest('encrypted must be a compact JWE: five base64url parts separated by dots.')
  return jwe
}

/**
 * Reads a message's protected header. `kid` names the key used to encrypt the message, and `cid` names the key to use
 * for the response. Throws INVALID_REQUEST if the header is invalid.
 * @param header the parsed header; undefined if it isn't valid JSON
 */
export function readHeader(header: unknown): { kid: string; cid: string | null } {
  if (!isObject(header))
    throw invalidRequest(
      'The protected header of encrypted must be a JSON object in UTF-8, without repeated members and without U+0000.',
    )
  if (header['alg'] !== KEY_ALGORITHM) throw invalidRequest(`The alg header of encrypted must be ${KEY_ALGORITHM}.`)
  if (header['enc'] !== CONTENT_ALGORITHM)
    throw invalidRequest(`The enc header of encrypted must be ${CONTENT_ALGORITHM}.`)
  if ('zip' in header || 'crit' in header)
    throw invalidRequest('encrypted must not be compressed. Its header must not contain zip or crit.')
  const { kid, cid } = header
  if (typeof kid !== 'string')
    throw invalidRequest(
      'The kid header of encrypted must name this service\'s encryption key: the one with "use": "enc" at /.well-known/jwks.json.',
    )
  if (cid !== undefined && typeof cid !== 'string')
    throw invalidRequest("The cid header of encrypted must name one of the team's public keys, exactly as registered.")
  return { kid, cid: cid ?? null }
}
