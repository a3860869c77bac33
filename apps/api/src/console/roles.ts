/** Console roles and their permissions. Pure. */
import type { KeyScope } from '@causeway/contract/resources/team'

export type Role = 'viewer' | 'support' | 'engineer' | 'admin'

/** Returns the role of a user who signed in with a key; null if the key lacks `read`. */
export function roleOf(scopes: ReadonlySet<KeyScope>): Role | null {
  if (!scopes.has('read')) return null
  if (scopes.has('admin')) return 'admin'
  if (scopes.has('write') && (scopes.has('payments') || !scopes.has('sensitive'))) return 'engineer'
  return scopes.has('sensitive') ? 'support' : 'viewer'
}

/**
 * The API scopes of each role. No role has `sensitive`: the console reveals one value at a time, for a stated reason.
 */
const granted: Readonly<Record<Role, readonly KeyScope[]>> = {
  viewer: ['read'],
  support: ['read'],
  engineer: ['read', 'write'],
  admin: ['read', 'write', 'payments', 'admin'],
}

/**
 * Writes allowed to support users whose key has the scope `write`: redelivering an event and creating a link for a
 * person.
 */
const supportWrites = [/^POST \/webhooks\/\w+\/deliveries\/\w+\/redeliver$/, /^POST \/(?:opal|elements)\/token$/]

/**
 * True for requests that create a key. Such a key is revoked together with the key that created it, and an operator's
 * session has no key.
 */
export const needsKey = (request: string): boolean => request === 'POST /teams' || request === 'POST /team/keys'

/**
 * Returns the scopes for one request.
 * @param held the scopes of the key, which a role never exceeds; null for an operator who signed in without a key
 * @param request for example `POST /opal/token`
 */
export function scopesFor(role: Role, held: ReadonlySet<KeyScope> | null, request: string): ReadonlySet<KeyScope> {
  const scopes = new Set<KeyScope>(granted[role].filter(scope => held === null || held.has(scope)))
  const may = held === null || held.has('write')
  if (may && role === 'support' && supportWrites.some(pattern => pattern.test(request))) scopes.add('write')
  return scopes
}

const names: readonly Role[] = ['viewer', 'support', 'engineer', 'admin']

/** The sentence for a user who lacks a scope: it names the role that has it. */
export function refusalOf(role: Role, scope: KeyScope): string {
  const needed = names.find(name => granted[name].includes(scope))
  if (needed === undefined) return `The console never does this. Use the API with a key that has the scope ${scope}.`
  if (names.indexOf(role) >= names.indexOf(needed))
    return `Your role is ${role}, but the key that you signed in with lacks the scope ${scope}. Sign in with a key that has it.`
  return `Your role, ${role}, can't do this. Ask an admin for the role ${needed}.`
}
