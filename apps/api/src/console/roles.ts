/** Console roles and their permissions. Pure. */
import type { KeyScope } from '@causeway/contract/fields/key-scopes'

/** The roles, from the fewest permissions to the most. */
export const roles = ['viewer', 'support', 'engineer', 'admin'] as const
export type Role = (typeof roles)[number]

/** Returns the role of a user who signed in with a key, or null if the key lacks the `read` scope. */
export function roleOf(scopes: ReadonlySet<KeyScope>): Role | null {
  if (!scopes.has('read')) return null
  if (scopes.has('admin')) return 'admin'
  if (scopes.has('write') && (scopes.has('payments') || !scopes.has('sensitive'))) return 'engineer'
  return scopes.has('sensitive') ? 'support' : 'viewer'
}

/**
 * The API scopes of each role. No role has `sensitive`, because the console reveals individual values only for a
 * stated reason.
 */
const scopesByRole: Readonly<Record<Role, readonly KeyScope[]>> = {
  viewer: ['read'],
  support: ['read'],
  engineer: ['read', 'write'],
  admin: ['read', 'write', 'payments', 'admin'],
}

/**
 * Returns the scopes of a user who signed in with a link for a role. Such a user holds no key, so the console's masks,
 * reasons and limits can't be avoided at the API.
 */
export function scopesOfLink(role: Role): ReadonlySet<KeyScope> {
  const scopes = new Set<KeyScope>(scopesByRole[role])
  if (role === 'support') scopes.add('write')
  if (role === 'support' || role === 'admin') scopes.add('sensitive')
  return scopes
}

/**
 * Write requests allowed for support users whose key has the `write` scope: redelivering an event and creating a link
 * for a person.
 */
const supportWrites = [/^POST \/webhooks\/\w+\/deliveries\/\w+\/redeliver$/, /^POST \/(?:opal|elements)\/token$/]

/**
 * Returns true for requests that create a key. Such requests must be made with a key, so that the new key can be
 * revoked together with the key that created it. An operator's session has no key.
 */
export const needsKey = (request: string): boolean => request === 'POST /teams' || request === 'POST /team/keys'

/**
 * Returns the scopes for one request.
 * @param keyScopes the key's scopes, which a role never exceeds; null for an operator who signed in without a key
 * @param request the method and path, such as `POST /opal/token`
 */
export function scopesFor(role: Role, keyScopes: ReadonlySet<KeyScope> | null, request: string): ReadonlySet<KeyScope> {
  const scopes = new Set<KeyScope>(
    scopesByRole[role]
      // mutant: role-within-key (remove)
      .filter(scope => keyScopes === null || keyScopes.has(scope)),
  )
  const mayWrite = keyScopes === null || keyScopes.has('write')
  if (mayWrite && role === 'support' && supportWrites.some(pattern => pattern.test(request))) scopes.add('write')
  return scopes
}

/** Returns the message for a user who lacks a scope. The message names the role or key that the user needs. */
export function missingScopeMessage(role: Role, scope: KeyScope): string {
  const requiredRole = roles.find(name => scopesByRole[name].includes(scope))
  if (requiredRole === undefined)
    return `This is not available in the console. Use the API with a key that has the ${scope} scope.`
  if (roles.indexOf(role) >= roles.indexOf(requiredRole))
    return `Your role is ${role}, but the key that you signed in with lacks the ${scope} scope. Sign in with a key that has it.`
  return `Your role, ${role}, doesn't allow this. Ask an admin for the ${requiredRole} role.`
}
