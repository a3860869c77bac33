/** Console roles and their permissions. Pure. */
import { consoleRoles } from '@causeway/contract/endpoints/console-users'
import type { KeyScope } from '@causeway/contract/fields/key-scopes'

export const roles = consoleRoles
export type Role = (typeof roles)[number]

interface PermissionRule {
  /** The permission's description in the documentation. */
  readonly does: string
  readonly roles: readonly Role[]
  /** The scope that a key must have for its session to have the permission, and with which the API is called. */
  readonly scope: KeyScope
  /** The API requests that the permission covers, by method and path. By default, every request with the scope. */
  readonly requests?: readonly RegExp[]
  /** True if the permission covers only endpoints of the console's own listener. */
  readonly isLocal?: true
}

/**
 * The permissions of each role. The server checks requests against this table, the console shows the actions that it
 * allows, and docs/console-access.md is generated from it.
 */
export const permissions = {
  read: { does: 'Read everything, with personal values masked', roles, scope: 'read' },
  reveal: {
    does: "Reveal a person's values, with a reason",
    roles: ['support', 'admin'],
    scope: 'sensitive',
    isLocal: true,
  },
  links: {
    does: 'Create a link with which a person continues',
    roles: ['support', 'engineer', 'admin'],
    scope: 'write',
    requests: [/^POST \/(?:opal|elements)\/token$/],
  },
  resend: {
    does: 'Resend one delivery',
    roles: ['support', 'engineer', 'admin'],
    scope: 'write',
    requests: [/^POST \/webhooks\/\w+\/deliveries\/\w+\/redeliver$/],
  },
  write: {
    does: 'Resend many deliveries, use the sandbox bench and change resources, except payments and settings',
    roles: ['engineer', 'admin'],
    scope: 'write',
  },
  reports: {
    does: 'Create reports, and export lists as CSV files',
    roles: ['engineer', 'finance', 'admin'],
    scope: 'write',
    requests: [/^POST \/reports$/],
  },
  payments: {
    does: 'Release loans, create and cancel payments, and approve reversals',
    roles: ['finance', 'admin'],
    scope: 'payments',
  },
  settings: { does: 'Change webhooks, keys and settings', roles: ['admin'], scope: 'admin' },
  users: {
    does: 'Invite users, change their roles, end their sessions, and read the audit log',
    roles: ['admin'],
    scope: 'admin',
    isLocal: true,
  },
} satisfies Record<string, PermissionRule>

/** `operate` covers the operator endpoints. It belongs to operators, whatever their role. */
export type Permission = keyof typeof permissions | 'operate'

const rules = Object.entries(permissions) as [keyof typeof permissions, PermissionRule][]

/** Returns the role of a user who signed in with a key, or null if the key lacks the `read` scope. */
export function roleOf(scopes: ReadonlySet<KeyScope>): Role | null {
  if (!scopes.has('read')) return null
  if (scopes.has('admin')) return 'admin'
  if (scopes.has('write') && (scopes.has('payments') || !scopes.has('sensitive'))) return 'engineer'
  return scopes.has('sensitive') ? 'support' : 'viewer'
}

/**
 * Returns a user's permissions.
 * @param keyScopes the scopes of the key that signed in, which its user never exceeds; null if no key signed in
 */
export function permissionsOf(
  role: Role,
  keyScopes: ReadonlySet<KeyScope> | null,
  isOperator = false,
): ReadonlySet<Permission> {
  const held = rules
    .filter(([, rule]) => rule.roles.includes(role))
    // mutant: role-within-key (remove)
    .filter(([, { scope }]) => keyScopes === null || keyScopes.has(scope))
    .map(([name]): Permission => name)
  return new Set(isOperator ? [...held, 'operate'] : held)
}

/**
 * Returns true for requests that create a key. Such requests must be made by a user with an account or with a key, so
 * that someone is responsible for the new key, and a key can be revoked together with the key that created it.
 */
export const createsKey = (request: string): boolean => request === 'POST /teams' || request === 'POST /team/keys'

/**
 * Returns the API scopes for one request. A new key can have the scopes of every permission that its creator has.
 * @param request the method and path, such as `POST /opal/token`
 */
export const scopesFor = (held: ReadonlySet<Permission>, request: string): ReadonlySet<KeyScope> =>
  new Set(
    rules.flatMap(([name, { scope, requests, isLocal }]) =>
      held.has(name) && (!isLocal || createsKey(request)) && (requests?.some(pattern => pattern.test(request)) ?? true)
        ? [scope]
        : [],
    ),
  )

/** Returns the message for a user who lacks a permission. */
export const missingPermissionMessage = (role: Role, permission: keyof typeof permissions): string =>
  `Your role, ${role}, doesn't allow this. Ask an admin for the ${permissions[permission].roles[0]} role.`

/** Returns the message for a user who lacks a scope. The message names the role or key that the user needs. */
export function missingScopeMessage(role: Role, scope: KeyScope): string {
  const rule = rules.find(([, each]) => each.scope === scope && !each.isLocal && !each.requests)?.[1]
  if (!rule) return `This is not available in the console. Use the API with a key that has the ${scope} scope.`
  if (rule.roles.includes(role))
    return `Your role is ${role}, but the key that you signed in with lacks the ${scope} scope. Sign in with a key that has it.`
  return `Your role, ${role}, doesn't allow this. Ask an admin for the ${rule.roles[0]} role.`
}
