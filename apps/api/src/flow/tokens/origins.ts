import { ServiceError } from '@causeway/contract/errors'
import type { Deps } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { readUrl } from '../../team/teams/origin.js'
import { tokenJson } from '../session/session.js'

const MAX_ORIGINS = 20
/** Matches hosts that need no escaping in a header or a page: letters, digits, dots, dashes and a port. */
const HOST = /^[a-z0-9.-]+(:\d{1,5})?$/
const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/

/**
 * Reads a list of origins that are allowed to embed the flow. Accepts exact https origins, and loopback origins in the
 * sandbox. If the value is absent or null, returns null, and the team's list applies.
 */
export function readOrigins(
  value: readonly string[] | null | undefined,
  environment: Deps['environment'],
  name = 'allowed_origins',
): string[] | null {
  if (value === undefined || value === null) return null
  const wrong = (): never => {
    throw new ServiceError(
      'INVALID_REQUEST',
      `${name} must be at most ${MAX_ORIGINS} origins such as https://www.example.com, without a path or a wildcard.`,
    )
  }
  return value.map(text => {
    if (!URL.canParse(text)) return wrong()
    const url = new URL(text)
    if (!HOST.test(url.host)) return wrong()
    const fits = url.protocol === 'https:' || (environment === 'sandbox' && LOOPBACK.test(text))
    return fits && url.origin === text && !text.includes('*') ? text : wrong()
  })
}

/** The origins allowed to embed the flow: a list, or any loopback page. */
export type Embedders = readonly string[] | 'loopback'

/**
 * Returns the token's own list if there is one, otherwise the team's list, otherwise loopback origins in the sandbox.
 */
export function allowedEmbedders(deps: Pick<Deps, 'environment'>, team: Team, own: string | null): Embedders {
  const list = own === null ? team.settings.allowed_origins : tokenJson.origins.read(own)
  return list.length === 0 && deps.environment === 'sandbox' ? 'loopback' : list
}

export function mayEmbed(allowed: Embedders, origin: string | null): boolean {
  if (origin === null) return false
  return allowed === 'loopback' ? LOOPBACK.test(origin) : allowed.includes(origin)
}

/**
 * Reads the URL to which a hosted page redirects at the end. Its origin must be one of the allowed origins. If the
 * value is absent or null, there is no hosted page.
 */
export function readRedirect(
  value: string | null | undefined,
  environment: Deps['environment'],
  allowed: Embedders,
): string | null {
  if (value === undefined || value === null) return null
  const url = readUrl(value, 'redirect_url', environment === 'sandbox')
  // mutant: return-to-allowed-origins (true)
  if (mayEmbed(allowed, url.origin)) return url.href
  throw new ServiceError(
    'INVALID_REQUEST',
    `redirect_url must be on an allowed origin, but ${url.origin} is not one. Add it to the token's allowed_origins or, with PATCH /team, to the team's.`,
  )
}

/** Formats the allowed origins for a Content-Security-Policy header. */
export function frameAncestors(allowed: Embedders): string {
  if (allowed === 'loopback') return 'http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:*'
  return allowed.length === 0 ? "'none'" : allowed.join(' ')
}
