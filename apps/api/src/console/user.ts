import { ServiceError } from '@causeway/contract/errors'
import { audit } from '../platform/audit/store.js'
import { type ConsoleUser, type Deps, depsFor, type Scope, transact } from '../platform/scope.js'
import type { Team } from '../platform/team.js'
import { findActiveKeyScopes, lockKey } from '../team/teams/keys.js'
import { checkOidcSession } from './oidc-check.js'
import type { Context } from './options.js'
import { type Permission, permissionsOf, type Role, roleOf, roles } from './roles.js'
import {
  type Credential,
  createSession,
  endSession,
  findSession,
  isTouchDue,
  redeemLink,
  type SessionRow,
  teamOfLink,
  touchSession,
} from './store.js'
import { findUser, type UserRow } from './users/store.js'

/** A signed-in user. */
export interface User {
  readonly session: SessionRow
  readonly team: Team
  readonly role: Role
  /** True if an operator signed in. */
  readonly operator: boolean
  readonly permissions: ReadonlySet<Permission>
  /** The user's own row; null if a key or a link signed in. */
  readonly account: UserRow | null
  /** True if the user must present a second factor before anything else. */
  readonly needsSecondFactor: boolean
}

/** Returns a session's actor for the audit log: its user, its key or, for a link, the session itself. */
export const actorOf = ({ key_id, user_id, id }: SessionRow): string => user_id ?? key_id ?? id

/**
 * Returns the name under which a user's requests count toward the limits. All sessions of a user or a key share the same
 * limits, because they can start many sessions.
 */
export const requestSubject = ({ session }: User): string => `console ${actorOf(session)}`

const usedLinkError = () =>
  new ServiceError(
    'UNAUTHORIZED',
    'This link has already been used or has expired. A link works once and expires after 10 minutes. Create another one with: pnpm admin console link TEAM',
  )

/** Returns the user that audit entries name. @param reason the reason that the user gives for a request */
export const consoleUserOf = ({ id, name }: SessionRow, reason?: string): ConsoleUser => ({ session: id, name, reason })

/** Returns the subject of a user's daily limits, which all sessions of the same user, key or name share. */
export const limitSubject = ({ team, session: { user_id, key_id, name } }: User): string =>
  `${team.id} ${user_id ?? key_id ?? (name === null ? 'operator' : `link ${name}`)}`

const signedOutError = () =>
  new ServiceError('UNAUTHORIZED', 'You are signed out of the console. Sign in again to continue.')

export async function loadUser({ deps, allowsKeys }: Context, session: SessionRow): Promise<User> {
  const team = await deps.teamOf(session.team_id)
  if (!team) throw signedOutError()
  if (session.user_id !== null) return loadAccount(deps, session, team)
  // mutant: console-key-sessions-refused (false)
  if (!allowsKeys) throw signedOutError()
  const base = { session, team, account: null, needsSecondFactor: false }
  if (session.key_id === null) {
    const role = roles.find(name => name === session.role)
    return role
      ? { ...base, role, operator: false, permissions: permissionsOf(role, null) }
      : { ...base, role: 'admin', operator: true, permissions: permissionsOf('admin', null, true) }
  }
  const scopes = await findActiveKeyScopes(deps.store.reader, session.key_id)
  const role = scopes && roleOf(scopes)
  // A session ends when its key is revoked.
  // mutant: console-session-ends-with-key (false)
  if (!scopes || !role) throw signedOutError()
  return { ...base, role, operator: false, permissions: permissionsOf(role, scopes) }
}

/** Returns a user with the role that the user has now. Throws UNAUTHORIZED if the user may no longer sign in. */
async function loadAccount(deps: Deps, session: SessionRow, team: Team): Promise<User> {
  const account = await findUser(deps.store.reader, team.id, session.user_id!)
  const role = account && roles.find(name => name === account.role)
  // mutant: disabled-user-is-signed-out (drop 2)
  if (!role || account.status !== 'active') throw signedOutError()
  const operator = account.is_operator === 1
  const isPowerful = operator || role === 'admin'
  // mutant: admins-need-second-factor (false)
  const needsSecondFactor = isPowerful && session.has_second_factor !== 1
  return { session, team, role, operator, permissions: permissionsOf(role, null, operator), account, needsSecondFactor }
}

/** Returns the user for a cookie. Throws UNAUTHORIZED. */
export async function readUser(context: Context, cookie: string | undefined): Promise<User> {
  const { deps } = context
  const now = deps.clock()
  const session = cookie === undefined ? undefined : await findSession(deps.store.reader, cookie, now)
  if (!session) throw signedOutError()
  await checkOidcSession(context, session)
  const user = await loadUser(context, session)
  if (isTouchDue(session, now)) await deps.store.write(tx => touchSession(tx, session, now))
  return user
}

/**
 * Creates a session and ends the browser's previous one.
 * @returns the session and the cookie's value
 */
export async function startSession(scope: Scope, credential: Credential, previousCookie: string | undefined) {
  const now = scope.deps.clock()
  const previous = previousCookie === undefined ? undefined : await findSession(scope.db, previousCookie, now)
  if (previous) await endSession(scope.db, previous)
  const { value, row } = await createSession(scope.db, scope.team.id, credential, now)
  await audit(withUser(scope, row), actorOf(row), 'console.sign_in', row.id)
  return { cookie: value, row }
}

/**
 * Signs in with a secret key or a one-time link, and ends the browser's previous session. Throws UNAUTHORIZED or
 * FORBIDDEN.
 * @returns the user and the cookie's value
 */
export async function signIn(
  context: Context,
  credentials: { key: string } | { link: string },
  previousCookie: string | undefined,
): Promise<{ user: User; cookie: string }> {
  const { deps, allowsKeys } = context
  // mutant: console-key-sign-in-refused (false)
  if (!allowsKeys)
    throw new ServiceError(
      'FORBIDDEN',
      "Secret keys and one-time links can't sign in to this console. Sign in with your passkey or your organization's account. To become a user, ask an admin for an invitation, or run: pnpm admin console invite EMAIL --role ROLE",
    )
  const now = deps.clock()
  const holder = 'key' in credentials ? await deps.access.secret(`Bearer ${credentials.key}`, undefined) : null
  if (holder && roleOf(holder.scopes) === null)
    throw new ServiceError(
      'FORBIDDEN',
      'This key lacks the read scope, which the console requires. Use a key that has it.',
    )
  const link = 'link' in credentials ? credentials.link : null
  const teamId = holder?.team.id ?? (await teamOfLink(deps.store.reader, link!))
  const team = teamId === undefined ? undefined : await deps.teamOf(teamId)
  if (!team) throw usedLinkError()
  const { cookie, row } = await transact(deps, team, async scope => {
    // Without this lock, simultaneous sign-ins with one key could exceed its session limit.
    if (holder) await lockKey(scope.db, holder.actor)
    // A link is redeemed with the session's creation, so that `console end` ends one or the other.
    const redeemedLink = link === null ? undefined : await redeemLink(scope.db, team.id, link, now)
    const credential = holder ? { key: holder.actor } : redeemedLink && { link: redeemedLink }
    if (!credential) throw usedLinkError()
    return startSession(scope, credential, previousCookie)
  })
  return { user: await loadUser(context, row), cookie }
}

/** Adds the user to the audit entries that a scope writes. */
export const withUser = (scope: Scope, session: SessionRow): Scope => ({
  ...scope,
  deps: depsFor(scope.deps, scope.deps.requestId, consoleUserOf(session)),
})

/** Ends a session. */
export async function signOut(deps: Deps, { session, team }: User): Promise<void> {
  await transact(deps, team, async scope => {
    await endSession(scope.db, session)
    await audit(withUser(scope, session), actorOf(session), 'console.sign_out', session.id)
  })
}
