/** Invites, changes and recovers users. Admins do so in the console, and operators with commands. */
import { ServiceError } from '@causeway/contract/errors'
import type { Vault } from '../../platform/crypto/vault.js'
import type { Db } from '../../platform/db/store.js'
import type { Team } from '../../platform/team.js'
import { endConsoleSessions } from '../../team/teams/console-sessions.js'
import { deleteIdentities, deletePasskeys } from './credentials.js'
import {
  createInvitation,
  deleteInvitations,
  insertUser,
  listUsers,
  lockUser,
  MAX_USERS_PER_TEAM,
  type NewUser,
  type UserRow,
  updateUser,
} from './store.js'

export interface Invitation {
  readonly user: UserRow
  readonly secret: string
  readonly expiresAt: number
}

/** Returns the link of an invitation. The secret follows `#`, so that it is never sent to a server or logged. */
export const invitationLink = (origin: string, secret: string): string => `${origin}/sign-in#invitation=${secret}`

/** Creates a user and an invitation. Throws INVALID_REQUEST. */
export async function inviteUser(tx: Db, vault: Vault, team: Team, newUser: NewUser, now: number): Promise<Invitation> {
  if (newUser.isOperator && newUser.role !== 'admin')
    throw new ServiceError('INVALID_REQUEST', 'An operator must have the admin role.')
  if ((await listUsers(tx, team.id)).length >= MAX_USERS_PER_TEAM)
    throw new ServiceError('INVALID_REQUEST', `A team can have at most ${MAX_USERS_PER_TEAM} console users.`)
  const user = await insertUser(tx, vault, team, newUser, now)
  if (!user)
    throw new ServiceError(
      'INVALID_REQUEST',
      'This team already has a user with this email. To replace their invitation or their passkeys, create a new invitation for that user.',
    )
  return { user, ...(await createInvitation(tx, user, now)) }
}

/**
 * Creates a new invitation for a user who cannot sign in. A person who finds the lost passkey can't use it.
 * @returns the invitation and the ids of the ended sessions, or undefined if the team has no such user
 */
export async function recoverUser(
  tx: Db,
  team: string,
  id: string,
  now: number,
): Promise<(Invitation & { ended: string[] }) | undefined> {
  const user = await lockUser(tx, team, id)
  if (!user) return undefined
  // mutant: recovery-removes-passkeys (remove)
  await deletePasskeys(tx, team, id)
  await deleteIdentities(tx, team, id)
  const ended = await endConsoleSessions(tx, team, { user: id })
  const status = 'invited' as const
  await updateUser(tx, user, { status }, now)
  return { user: { ...user, status }, ended, ...(await createInvitation(tx, user, now)) }
}

/** Returns what the audit log shows of a user. */
export const rightsOf = ({ role, status, is_operator }: Pick<UserRow, 'role' | 'status' | 'is_operator'>) => ({
  role,
  status,
  operator: is_operator === 1,
})

/** Changes a user's role or status. @returns the user and the ids of the ended sessions */
export async function changeUser(
  tx: Db,
  user: UserRow,
  change: { role?: UserRow['role'] | undefined; status?: 'active' | 'disabled' | undefined },
  now: number,
): Promise<{ user: UserRow; ended: string[] }> {
  // A user who has not accepted the invitation becomes active by accepting it.
  const status: UserRow['status'] | undefined =
    change.status === 'active' && (user.status === 'invited' || user.name === null) ? 'invited' : change.status
  const set = { ...(change.role !== undefined && { role: change.role }), ...(status !== undefined && { status }) }
  await updateUser(tx, user, set, now)
  if (status !== 'disabled') return { user: { ...user, ...set }, ended: [] }
  await deleteInvitations(tx, user.team_id, user.id)
  return { user: { ...user, ...set }, ended: await endConsoleSessions(tx, user.team_id, { user: user.id }) }
}
