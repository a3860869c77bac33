import { ServiceError } from '@causeway/contract/errors'
import { audit } from '../platform/audit/store.js'
import { type ConsoleUser, type Deps, depsFor, type Scope, transact } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import type { Team } from '../platform/team.js'
import { findActiveKeyScopes, lockKey } from '../team/teams/keys.js'
import { findActiveStop } from '../team/teams/store.js'
import { type Permission, permissionsOf, type Role, roleOf, roles } from './roles.js'
import {
  createSession,
  endSession,
  findSession,
  isTouchDue,
  redeemLink,
  type SessionRow,
  teamOfLink,
  touchSession,
} from './store.js'

/** A signed-in user. */
export interface User {
  readonly session: SessionRow
  readonly team: Team
  readonly role: Role
  /** True if an operator signed in. */
  readonly operator: boolean
  readonly permissions: ReadonlySet<Permission>
}

/** Returns a session's actor for the audit log: its key or, for an operator, the session itself. */
export const actorOf = ({ key_id, id }: SessionRow): string => key_id ?? id

/**
 * Returns the name under which a user's requests count toward the limits. All sessions of a key share the same limits,
 * because a key can start many sessions.
 */
export const requestSubject = ({ session }: User): string => `console ${actorOf(session)}`

const usedLinkError = () =>
  new ServiceError(
    'UNAUTHORIZED',
    'This link has already been used or has expired. A link works once and expires after 10 minutes. Create another one with: pnpm admin console link TEAM',
  )

/** Returns the user that audit entries name. */
export const consoleUserOf = ({ id, name }: SessionRow): ConsoleUser => ({ session: id, name })

/** Returns the subject of a user's daily limits, which all sessions of a key or of a named user share. */
export const limitSubject = ({ team, session: { key_id, name } }: User): string =>
  `${team.id} ${key_id ?? (name === null ? 'operator' : `link ${name}`)}`

const signedOutError = () =>
  new ServiceError('UNAUTHORIZED', 'You are signed out of the console. Sign in again to continue.')

async function loadUser(deps: Deps, session: SessionRow): Promise<User> {
  const team = await deps.teamOf(session.team_id)
  if (!team) throw signedOutError()
  if (session.key_id === null) {
    const role = roles.find(name => name === session.role)
    return role
      ? { session, team, role, operator: false, permissions: permissionsOf(role, null) }
      : { session, team, role: 'admin', operator: true, permissions: permissionsOf('admin', null, true) }
  }
  const scopes = await findActiveKeyScopes(deps.store.reader, session.key_id)
  const role = scopes && roleOf(scopes)
  // A session ends when its key is revoked.
  // mutant: console-session-ends-with-key (false)
  if (!scopes || !role) throw signedOutError()
  return { session, team, role, operator: false, permissions: permissionsOf(role, scopes) }
}

/** Returns the user for a cookie. Throws UNAUTHORIZED. */
export async function readUser(deps: Deps, cookie: string | undefined): Promise<User> {
  const now = deps.clock()
  const session = cookie === undefined ? undefined : await findSession(deps.store.reader, cookie, now)
  if (!session) throw signedOutError()
  const user = await loadUser(deps, session)
  if (isTouchDue(session, now)) await deps.store.write(tx => touchSession(tx, session, now))
  return user
}

/**
 * Signs in with a secret key or an operator's link, and ends the browser's previous session. Throws UNAUTHORIZED or
 * FORBIDDEN.
 * @returns the user and the cookie's value
 */
export async function signIn(
  deps: Deps,
  credentials: { key: string } | { link: string },
  previousCookie: string | undefined,
): Promise<{ user: User; cookie: string }> {
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
  const previous = previousCookie === undefined ? undefined : await findSession(deps.store.reader, previousCookie, now)
  const { value, row } = await transact(deps, team, async scope => {
    if (previous) await endSession(scope.db, previous)
    // Without this lock, simultaneous sign-ins with one key could exceed its session limit.
    if (holder) await lockKey(scope.db, holder.actor)
    // A link is redeemed with the session's creation, so that `console end` ends one or the other.
    const redeemedLink = link === null ? undefined : await redeemLink(scope.db, team.id, link, now)
    const credential = holder ? { key: holder.actor } : redeemedLink && { link: redeemedLink }
    if (!credential) throw usedLinkError()
    const newSession = await createSession(scope.db, team.id, credential, now)
    await audit(withUser(scope, newSession.row), actorOf(newSession.row), 'console.sign_in', newSession.row.id)
    return newSession
  })
  return { user: await loadUser(deps, row), cookie: value }
}

/** Adds the user to the audit entries that a scope writes. */
const withUser = (scope: Scope, session: SessionRow): Scope => ({
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

/** Returns a user in the format that the console app displays. */
export async function showUser(deps: Deps, { team, role, operator, permissions, session }: User) {
  const since = await findActiveStop(deps.store.reader, team)
  return {
    user: {
      id: session.id,
      name: session.key_id ?? session.name ?? 'operator',
      role,
      operator,
      permissions: [...permissions],
    },
    team: { id: team.id, name: team.name },
    environment: deps.environment,
    // The time zone of the banking calendar.
    time_zone: 'America/Chicago',
    clock:
      deps.environment === 'sandbox'
        ? {
            now: showTime(deps.clock() + team.clockOffset),
            ahead_seconds: Math.round(team.clockOffset / 1_000),
          }
        : null,
    payments_stopped: since,
  }
}
