/** The queries for console users and their invitations. */
import { DAY_MS } from '@causeway/contract/time'
import { randomText } from '../../platform/crypto/random.js'
import { sha256, type Vault } from '../../platform/crypto/vault.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Db } from '../../platform/db/store.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Team } from '../../platform/team.js'
import type { Role } from '../roles.js'

export type UserRow = Tables['console_users']

const USER_ID_PREFIX = 'cusr_'
const INVITATION_LIFETIME_MS = 7 * DAY_MS

export interface NewUser {
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly isOperator: boolean
  /** The actor who invites the user. */
  readonly invitedBy: string
}

/** Returns the keyed hash by which a team's user is found by email. Upper and lower case are equal. */
const hashEmail = (vault: Vault, team: string, email: string): string =>
  vault.hash('console email', `${team} ${email.toLowerCase()}`)

/** Returns the email of a user. */
export const emailOf = (vault: Vault, team: Team, { id, email }: UserRow): string =>
  vault.sealer(team.id, team.dataKey).open({ id, field: 'email' }, email)

/** Inserts a user. Returns undefined if the team already has a user with the email. */
export async function insertUser(
  db: Db,
  vault: Vault,
  team: Team,
  { email, name, role, isOperator, invitedBy }: NewUser,
  now: number,
): Promise<UserRow | undefined> {
  const id = `${USER_ID_PREFIX}${randomText(13)}`
  return db
    .insertInto('console_users')
    .values({
      team_id: team.id,
      id,
      email: vault.sealer(team.id, team.dataKey).seal({ id, field: 'email' }, email),
      email_hash: hashEmail(vault, team.id, email),
      name,
      role,
      is_operator: isOperator ? 1 : 0,
      status: 'invited',
      invited_by: invitedBy,
      signed_in_at: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict(conflict => conflict.columns(['team_id', 'email_hash']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export const findUser = (db: Db, team: string, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('console_users').selectAll().where('team_id', '=', team).where('id', '=', id).executeTakeFirst()

/** Reads a user and locks the row until the transaction ends. */
export const lockUser = (db: Db, team: string, id: string): Promise<UserRow | undefined> =>
  lockRows(
    db,
    db.selectFrom('console_users').selectAll().where('team_id', '=', team).where('id', '=', id),
  ).executeTakeFirst()

export const findUserByEmail = (db: Db, vault: Vault, team: string, email: string): Promise<UserRow | undefined> =>
  db
    .selectFrom('console_users')
    .selectAll()
    .where('team_id', '=', team)
    .where('email_hash', '=', hashEmail(vault, team, email))
    .executeTakeFirst()

/** The maximum number of users of a team. Lists are not paginated. */
export const MAX_USERS_PER_TEAM = 500

/** Lists a team's users, latest first. */
export const listUsers = (db: Db, team: string): Promise<UserRow[]> =>
  db
    .selectFrom('console_users')
    .selectAll()
    .where('team_id', '=', team)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** Returns the names of those ids that are users of a team. Users who have not accepted their invitation have none. */
export async function findUserNames(
  db: Db,
  team: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const users = [...new Set(ids)].filter(id => id.startsWith(USER_ID_PREFIX))
  if (users.length === 0) return new Map()
  const rows = await db
    .selectFrom('console_users')
    .select(['id', 'name'])
    .where('team_id', '=', team)
    .where('id', 'in', users)
    .execute()
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])))
}

export async function updateUser(
  db: Db,
  { team_id, id }: Pick<UserRow, 'team_id' | 'id'>,
  change: Partial<Pick<UserRow, 'name' | 'role' | 'is_operator' | 'status' | 'signed_in_at'>>,
  now: number,
): Promise<void> {
  await db
    .updateTable('console_users')
    .set({ ...change, updated_at: now })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .execute()
}

/**
 * Creates an invitation, which replaces the user's earlier ones.
 * @returns the invitation's secret, of which only a hash is stored
 */
export async function createInvitation(
  db: Db,
  { team_id, id }: Pick<UserRow, 'team_id' | 'id'>,
  now: number,
): Promise<{ secret: string; expiresAt: number }> {
  await deleteInvitations(db, team_id, id)
  const secret = `cinv_${randomText(43)}`
  const row = {
    team_id,
    hash: sha256(secret),
    user_id: id,
    expires_at: now + INVITATION_LIFETIME_MS,
    created_at: now,
  }
  await db.insertInto('directory').values({ key: row.hash, team_id }).execute()
  await db.insertInto('console_invitations').values(row).execute()
  return { secret, expiresAt: row.expires_at }
}

/**
 * Deletes unused invitations.
 * @param user one user; by default, all users of the team
 * @returns the ids of the users
 */
export async function deleteInvitations(db: Db, team: string, user?: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('console_invitations')
    .where('team_id', '=', team)
    .$if(user !== undefined, query => query.where('user_id', '=', user!))
    .returning(['hash', 'user_id'])
    .execute()
  const hashes = rows.map(({ hash }) => hash)
  if (hashes.length > 0) await db.deleteFrom('directory').where('key', 'in', hashes).execute()
  return rows.map(({ user_id }) => user_id)
}

/** Finds the unexpired invitation with a hash, and its user. */
export const findInvitation = (db: Db, hash: string, now: number) =>
  db
    .selectFrom('directory')
    .innerJoin('console_invitations as invitation', on =>
      on.onRef('invitation.team_id', '=', 'directory.team_id').onRef('invitation.hash', '=', 'directory.key'),
    )
    .innerJoin('console_users as user', on =>
      on.onRef('user.team_id', '=', 'invitation.team_id').onRef('user.id', '=', 'invitation.user_id'),
    )
    .selectAll('user')
    .select(['invitation.hash as invitation_hash', 'invitation.expires_at as invitation_expires_at'])
    .where('directory.key', '=', hash)
    .where('invitation.expires_at', '>', now)
    .where('user.status', '!=', 'disabled')
    .executeTakeFirst()

/**
 * Deletes an invitation. If several clients accept it at once, only one succeeds.
 * @returns the id of its user, or undefined if the invitation is unknown, used or expired
 */
export async function redeemInvitation(db: Db, team: string, hash: string, now: number): Promise<string | undefined> {
  const row = await db
    .deleteFrom('console_invitations')
    .where('team_id', '=', team)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  if (row) await db.deleteFrom('directory').where('key', '=', hash).execute()
  return row?.user_id
}
