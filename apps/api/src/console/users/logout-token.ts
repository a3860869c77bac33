/** Verifies the logout tokens of an OpenID provider: OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6. */
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** A token is accepted for this time after it was issued. */
const MAX_AGE_S = 300
const MAX_TOKEN_LENGTH = 8_192
/** The maximum length of a subject, a session's id and a token's id. */
const MAX_ID_LENGTH = 255
/** A token that is signed with the client's secret, or not at all, is refused. */
const asymmetric = /^(?:RS|PS|ES)\d{3}$|^EdDSA$|^Ed25519$/

/** Whom the provider signed out: the user, one session, or both. */
export interface LoggedOut {
  readonly subject: string | null
  readonly sid: string | null
  /** The token's own id, which is accepted once. */
  readonly tokenId: string
}

/** The parts of the provider's configuration that tokens are verified with. */
interface Issuer {
  readonly issuer: string
  readonly jwks_uri?: string | undefined
  readonly id_token_signing_alg_values_supported?: readonly string[] | undefined
}

interface Verification {
  readonly clientId: string
  readonly timeoutMs: number
  readonly clockToleranceS: number
}

const isFields = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const idOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH ? value : null

/** Returns true for the type of a logout token. The specification recommends it, but providers may omit it. */
const isLogoutType = (type: string | undefined): boolean =>
  type === undefined || /^(?:application\/)?(?:jwt|logout\+jwt)$/i.test(type)

/** Reads the claims of a token whose signature was verified. Returns null unless they are those of a logout token. */
function readClaims({ sub, sid, jti, events, nonce }: JWTPayload): LoggedOut | null {
  const [subject, session, tokenId] = [idOf(sub), idOf(sid), idOf(jti)]
  // mutant: logout-token-claims (drop 1)
  if (nonce !== undefined || !isFields(events) || !isFields((events as Record<string, unknown>)[LOGOUT_EVENT]))
    return null
  if (tokenId === null || (subject === null && session === null)) return null
  // A claim that can't be read could name another user than the rest of the token.
  if ((sub !== undefined && subject === null) || (sid !== undefined && session === null)) return null
  return { subject, sid: session, tokenId }
}

/** Creates a function that verifies tokens. It resolves to null for an invalid token, and fails if it can't read the keys. */
export function createLogoutVerifier({ clientId, timeoutMs, clockToleranceS }: Verification) {
  let keys: { uri: string; set: ReturnType<typeof createRemoteJWKSet> } | null = null
  return async (
    { issuer, jwks_uri: uri, id_token_signing_alg_values_supported: supported }: Issuer,
    token: string,
  ): Promise<LoggedOut | null> => {
    if (uri === undefined || token.length > MAX_TOKEN_LENGTH) return null
    if (keys?.uri !== uri) keys = { uri, set: createRemoteJWKSet(new URL(uri), { timeoutDuration: timeoutMs }) }
    const options = {
      issuer,
      audience: clientId,
      algorithms: (supported ?? ['RS256']).filter(each => asymmetric.test(each)),
      clockTolerance: clockToleranceS,
      maxTokenAge: MAX_AGE_S,
      requiredClaims: ['exp', 'jti', 'events'],
    }
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys.set, options)
      return isLogoutType(protectedHeader.typ) ? readClaims(payload) : null
    } catch (error) {
      if (isOutage(error)) throw error
      return null
    }
  }
}

/** Returns true if the keys could not be read. All other errors concern the token. */
function isOutage(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'ERR_JWKS_TIMEOUT' || code === 'ERR_JOSE_GENERIC' || !(code ?? '').startsWith('ERR_J')
}
