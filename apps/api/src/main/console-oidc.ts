/** Reads the settings of the OpenID provider that signs users in to the console. */
import { type Role, roles } from '../console/roles.js'
import type { GroupRole, OidcSettings } from '../console/users/oidc.js'
import { companyName } from '../platform/company-name.js'
import { ConfigError } from '../platform/config-error.js'
import { isLoopbackHost } from './hardening.js'

const split = (text: string | undefined): string[] => (text ?? '').split(',').flatMap(each => each.trim() || [])

/** Reads `GROUP=ROLE` or `GROUP=ROLE@TEAM`. A group's name may contain `=`. Throws ConfigError. */
function readGroupRole(text: string): GroupRole {
  const at = text.lastIndexOf('=')
  const [name = '', team] = text.slice(at + 1).split('@')
  const isOperator = name === 'operator'
  const role = isOperator ? 'admin' : roles.find((each): each is Role => each === name)
  const group = text.slice(0, at).trim()
  if (at < 1 || group === '' || !role || (team !== undefined && !/^team_\w{1,40}$/.test(team)))
    throw new ConfigError(
      `CONSOLE_OIDC_ROLES contains “${text.slice(0, 80)}”. It must be a comma-separated list of GROUP=ROLE or GROUP=ROLE@TEAM, such as lending-support=support,ops=operator@team_1a2b. The roles are ${roles.join(', ')} and operator.`,
    )
  return { group, role, isOperator, team: team ?? null }
}

/** Returns null if no provider is set. Throws ConfigError. */
export function readConsoleOidc(env: NodeJS.ProcessEnv, environment: 'sandbox' | 'production'): OidcSettings | null {
  const names = ['CONSOLE_OIDC_ISSUER', 'CONSOLE_OIDC_CLIENT_ID', 'CONSOLE_OIDC_CLIENT_SECRET'] as const
  const [issuer, clientId, clientSecret] = names.map(name => env[name]?.trim() || null)
  const missing = names.filter(name => !env[name]?.trim())
  if (missing.length === names.length) return null
  if (!issuer || !clientId || !clientSecret)
    throw new ConfigError(`${missing.join(' and ')} must be set too, because ${names.find(name => env[name])} is set.`)
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  const isLocal = url?.protocol === 'http:' && environment === 'sandbox' && isLoopbackHost(url.hostname)
  if (!url || (url.protocol !== 'https:' && !isLocal) || url.search !== '' || url.hash !== '')
    throw new ConfigError(
      'CONSOLE_OIDC_ISSUER must be the https URL of the provider, such as https://login.example.com. The provider serves .well-known/openid-configuration below it.',
    )
  const name = companyName(env['CONSOLE_OIDC_NAME']?.trim() || url.hostname, 40)
  if (name === null)
    throw new ConfigError('CONSOLE_OIDC_NAME must be 1 to 40 characters, such as Okta, with a letter or digit.')
  const scopes = new Set(['openid', ...(env['CONSOLE_OIDC_SCOPE']?.trim() || 'email profile').split(/\s+/)])
  return {
    issuer,
    clientId,
    clientSecret,
    name,
    scope: [...scopes].join(' '),
    groupsClaim: env['CONSOLE_OIDC_GROUPS_CLAIM']?.trim() || 'groups',
    groupRoles: split(env['CONSOLE_OIDC_ROLES']).map(readGroupRole),
    secondFactors: split(env['CONSOLE_OIDC_SECOND_FACTOR'] ?? 'mfa'),
  }
}
