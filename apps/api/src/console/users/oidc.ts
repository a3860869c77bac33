/** Signs users in with an OpenID Connect provider. Stores nothing. */
import { ServiceError } from '@causeway/contract/errors'
import { HOUR_MS } from '@causeway/contract/time'
import * as client from 'openid-client'
import { sha256 } from '../../platform/crypto/vault.js'
import type { Role } from '../roles.js'
import { createLogoutVerifier, type LoggedOut } from './logout-token.js'

/** Gives the members of a group a role. */
export interface GroupRole {
  readonly group: string
  readonly role: Role
  readonly isOperator: boolean
  /** The team in which the members are users; null for the only team. */
  readonly team: string | null
}

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The provider's name on the sign-in page. */
  readonly name: string
  readonly scope: string
  readonly groupsClaim: string
  /** The first entry whose group a user is in applies. Without entries, admins set the roles. */
  readonly groupRoles: readonly GroupRole[]
  /** The values of `amr` or `acr` that prove a second factor. */
  readonly secondFactors: readonly string[]
}

/** The tokens with which the provider is asked about a user later. */
export interface OidcTokens {
  readonly subject: string
  readonly accessToken: string
  readonly refreshToken: string | null
  /** True if the provider's user info, not only the ID token, contains the groups. */
  readonly hasGroups: boolean
  /** The time at which the provider last confirmed the user, in epoch milliseconds. */
  readonly confirmedAt: number
}

/** A person whom the provider signed in. */
export interface OidcPerson {
  readonly subject: string
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly name: string | null
  readonly groups: readonly string[]
  readonly hasSecondFactor: boolean
  /** The id of the session at the provider, if the provider sends it. */
  readonly sid: string | null
  readonly tokens: OidcTokens
}

/** The values that bind a response to the request. */
export interface OidcChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Thrown if the provider no longer accepts a user's tokens. */
export class OidcEnded extends Error {
  override readonly name = 'OidcEnded'
}

/** The time limit of one call to the provider, in seconds. */
const CALL_TIMEOUT_S = 5
/** The difference between the provider's clock and ours that is accepted, in seconds. */
const CLOCK_TOLERANCE_S = 120
/** The period after which the provider's configuration is read again. */
const DISCOVERY_LIFETIME_MS = HOUR_MS

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null
const listOf = (value: unknown): readonly string[] | null =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter(each => typeof each === 'string') : null

/** Returns the hash by which the sessions of a session at the provider are found. */
export const hashSid = (issuer: string, sid: string): string => sha256(`console oidc session ${issuer} ${sid}`)

/** Returns true for an error of the connection or of the provider itself, rather than of the request. */
function isOutage(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { status?: unknown; code?: string } }
  if (error instanceof TypeError || code === 'OAUTH_TIMEOUT' || cause instanceof TypeError) return true
  if (error instanceof client.ResponseBodyError) return error.status >= 500 || error.status === 429
  const status = cause instanceof Response ? cause.status : cause?.status
  return typeof status === 'number' && (status >= 500 || status === 429)
}

export type Oidc = ReturnType<typeof createOidc>

export function createOidc(settings: OidcSettings, origin: string, clock: () => number) {
  const { issuer, clientId, clientSecret, name, scope, groupsClaim, secondFactors } = settings
  const redirectUri = `${origin}/sign-in/oidc`
  const verifyLogout = createLogoutVerifier({
    ...{ clientId, timeoutMs: CALL_TIMEOUT_S * 1_000, clockToleranceS: CLOCK_TOLERANCE_S },
  })
  let discovered: { config: client.Configuration; at: number } | null = null

  const unavailable = () =>
    new ServiceError(
      'SERVICE_UNAVAILABLE',
      `${name} did not respond, so it can't sign you in now. Try again in a minute. If you have a passkey, sign in with it. Otherwise, an operator can run pnpm admin console invite EMAIL.`,
    )
  /** Turns an error of the library into one for the user. The library's text can quote tokens, so only its code is shown. */
  const explain = (error: unknown): Error => {
    if (error instanceof ServiceError || error instanceof OidcEnded) return error
    if (isOutage(error)) return unavailable()
    const { code = 'unknown', error: reason } = error as { code?: string; error?: string }
    if (reason === 'access_denied')
      return new ServiceError('FORBIDDEN', `${name} refused the sign-in, or you canceled it. Try again.`)
    const safeCode = /^[\w-]{1,60}$/.test(reason ?? code) ? (reason ?? code) : 'unknown'
    return new ServiceError(
      'UNAUTHORIZED',
      `The response of ${name} could not be verified (${safeCode}). Sign in again.`,
    )
  }

  async function configure(): Promise<client.Configuration> {
    if (discovered && clock() - discovered.at < DISCOVERY_LIFETIME_MS) return discovered.config
    const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
    const metadata = { client_secret: clientSecret, [client.clockTolerance]: CLOCK_TOLERANCE_S }
    const options = { timeout: CALL_TIMEOUT_S, execute: [...execute, client.enableNonRepudiationChecks] }
    const config = await client.discovery(new URL(issuer), clientId, metadata, undefined, options)
    discovered = { config, at: clock() }
    return config
  }

  /** Reads a user from the claims of an ID token and, if the provider has it, of its user info. */
  async function readPerson(
    config: client.Configuration,
    tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
    previous?: OidcTokens,
  ): Promise<OidcPerson> {
    const idToken = tokens.claims()
    const subject = idToken?.sub ?? previous?.subject
    if (subject === undefined || (previous && subject !== previous.subject)) throw new OidcEnded('another subject')
    const info = config.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(config, tokens.access_token, subject)
      : {}
    const claims: Record<string, unknown> = { ...idToken, ...info }
    const proofs = [...(listOf(claims['amr']) ?? []), ...(listOf(claims['acr']) ?? [])]
    return {
      subject,
      email: textOf(claims['email']),
      isEmailVerified: claims['email_verified'] === true,
      name: textOf(claims['name']),
      groups: listOf(claims[groupsClaim]) ?? [],
      hasSecondFactor: proofs.some(proof => secondFactors.includes(proof)),
      sid: textOf(idToken?.['sid']),
      tokens: {
        subject,
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token ?? previous?.refreshToken ?? null,
        hasGroups: listOf((info as Record<string, unknown>)[groupsClaim]) !== null || previous?.hasGroups === true,
        confirmedAt: clock(),
      },
    }
  }

  return {
    settings,
    /** Returns the URL at which the provider asks the user to sign in. Throws SERVICE_UNAVAILABLE. */
    async begin({ state, nonce, verifier }: OidcChecks): Promise<string> {
      const config = await configure().catch(error => {
        throw explain(error)
      })
      const code_challenge = await client.calculatePKCECodeChallenge(verifier)
      const parameters = {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge,
        code_challenge_method: 'S256',
      }
      return client.buildAuthorizationUrl(config, parameters).href
    },
    /**
     * Exchanges the provider's response for the person who signed in. Throws UNAUTHORIZED, FORBIDDEN or
     * SERVICE_UNAVAILABLE.
     * @param search the query of the URL to which the provider redirected the browser
     */
    async finish(search: string, { state, nonce, verifier }: OidcChecks): Promise<OidcPerson> {
      try {
        const config = await configure()
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}${search}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        return await readPerson(config, tokens)
      } catch (error) {
        throw explain(error)
      }
    },
    /**
     * Asks the provider about a user who is signed in. Throws OidcEnded if the provider no longer accepts the tokens, or
     * SERVICE_UNAVAILABLE.
     * @returns null if the provider can't be asked, because it says nothing about the user after the sign-in
     */
    async check(tokens: OidcTokens): Promise<OidcPerson | null> {
      try {
        const config = await configure()
        if (tokens.refreshToken !== null)
          return await readPerson(config, await client.refreshTokenGrant(config, tokens.refreshToken), tokens)
        if (!config.serverMetadata().userinfo_endpoint) return null
        const info = await client.fetchUserInfo(config, tokens.accessToken, tokens.subject)
        const groups = listOf(info[groupsClaim])
        if (groups === null && !tokens.hasGroups) return null
        return {
          subject: tokens.subject,
          email: textOf(info.email),
          isEmailVerified: info.email_verified === true,
          name: textOf(info.name),
          groups: groups ?? [],
          hasSecondFactor: false,
          sid: null,
          tokens: { ...tokens, confirmedAt: clock() },
        }
      } catch (error) {
        if (error instanceof OidcEnded) throw error
        throw isOutage(error) ? unavailable() : new OidcEnded('the tokens were refused')
      }
    },
    /** Verifies a logout token. Resolves to null for an invalid one. Throws SERVICE_UNAVAILABLE. */
    async readLogout(token: string): Promise<LoggedOut | null> {
      try {
        return await verifyLogout((await configure()).serverMetadata(), token)
      } catch {
        throw unavailable()
      }
    },
    /** Returns the URL that signs the user out at the provider, or null if the provider has none or does not respond. */
    async signOutUrl(): Promise<string | null> {
      const config = await configure().catch(() => null)
      if (!config?.serverMetadata().end_session_endpoint) return null
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: `${origin}/` }).href
    },
  }
}
