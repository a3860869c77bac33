import { describeValue } from '../checks.js'
import type { Endpoints } from '../contract.gen.js'
import { VerificationError } from '../errors.js'
import { bytesOf, fromBase64, readObject } from './bytes.js'

/**
 * The signed outcome of a finished session, which you can verify without calling the service. Valid for ten minutes.
 */
export interface ResultClaims {
  /** The service's origin. */
  iss: string
  /** The team's id. */
  aud: string
  /** The session's id. */
  sub: string
  /** The result's unique id. Store it so that you accept each result only once. */
  jti: string
  /** Seconds since January 1, 1970 (UTC). */
  iat: number
  exp: number
  mode: 'connect' | 'balance_transfer'
  entity_id: string | null
  /** The accounts that the person chose. */
  accounts: string[]
  /** The total allocated in a balance transfer, in cents. */
  allocated?: number
}

type KeySet = Endpoints['GET /.well-known/jwks.json']['answer']

export interface ResultVerifier {
  /** Fetches the service's public keys. */
  fetchKeys: () => Promise<KeySet>
  /** The service's public origin. */
  issuer: string
  /** Returns the current time, in epoch milliseconds. */
  now: () => number
}

/** The maximum age of the cached public keys, in milliseconds. */
const MAX_KEYS_AGE_MS = 600_000
/** The minimum age of the cached keys before a result with an unknown key causes another fetch, in milliseconds. */
const MIN_KEYS_AGE_MS = 30_000
/** The tolerated clock difference, in seconds. */
const LEEWAY_SECONDS = 30

/**
 * Returns a function that verifies a team's result and returns its claims. The function throws VerificationError if the
 * result is invalid.
 */
export function createResultVerifier({ fetchKeys, issuer, now }: ResultVerifier) {
  let asked = Number.NEGATIVE_INFINITY
  let known: Promise<KeySet> | null = null
  const keys = (atMost: number) => {
    if (known && now() - asked < atMost) return known
    asked = now()
    const coming = fetchKeys()
    // A failed key fetch is not cached.
    coming.catch(() => {
      if (known === coming) known = null
    })
    known = coming
    return coming
  }
  const find = async (kid: unknown) => {
    const named = ({ keys }: KeySet) =>
      keys.find(key => key.kid === kid && key.kty === 'OKP' && key['crv'] === 'Ed25519')
    return named(await keys(MAX_KEYS_AGE_MS)) ?? named(await keys(MIN_KEYS_AGE_MS))
  }

  return async (result: string, audience: string): Promise<ResultClaims> => {
    if (typeof result !== 'string')
      throw new TypeError(
        `result must be the \`result\` of element-success, a string, but it is ${describeValue(result)}.`,
      )
    const [head = '', body = '', tail = '', ...more] = result.split('.')
    const [protectedBytes, claimBytes, signature] = [head, body, tail].map(fromBase64)
    const header = protectedBytes && readObject(protectedBytes)
    const claims = claimBytes && (readObject(claimBytes) as unknown as ResultClaims | null)
    if (!header || !claims || !signature || more.length > 0)
      throw new VerificationError('malformed', 'The result must be a compact JWS.')
    if (header['alg'] !== 'EdDSA') throw new VerificationError('signature', 'The result must be signed with EdDSA.')
    const found = await find(header['kid'])
    if (!found) throw new VerificationError('signature', "The service has no key with the result's `kid`.")
    const { subtle } = globalThis.crypto
    const point = fromBase64(String(found['x'])) ?? bytesOf('')
    const key = await subtle.importKey('raw', point, { name: 'Ed25519' }, false, ['verify'])
    if (!(await subtle.verify({ name: 'Ed25519' }, key, signature, bytesOf(`${head}.${body}`))))
      throw new VerificationError('signature', "The result's signature does not match any of the service's keys.")
    if (claims.iss !== issuer) throw new VerificationError('issuer', `The result must be from ${issuer}.`)
    // mutant: result-is-for-team (false)
    if (claims.aud !== audience) throw new VerificationError('audience', `The result must be for ${audience}.`)
    if (!(claims.exp + LEEWAY_SECONDS > now() / 1000)) throw new VerificationError('expired', 'The result has expired.')
    return claims
  }
}
