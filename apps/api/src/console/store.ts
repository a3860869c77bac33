import { HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import { randomText } from '../platform/crypto/random.js'
import { sha256 } from '../platform/crypto/vault.js'
import type { Db } from '../platform/db/store.js'
import type { Tables } from '../platform/db/tables.js'
import type { Role } from './roles.js'

export type SessionRow = Tables['console_sessions']
export type LinkRow = Tables['console_links']

/** The length of a secret: 43 base-62 characters hold 256 random bits. */
const SECRET_LENGTH = 43
const LINK_LIFETIME_MS = 10 * MINUTE_MS
const CONSOLE_SESSION_LIFETIME_MS = 8 * HOUR_MS
const IDLE_LIFETIME_MS = 30 * MINUTE_MS
/** The maximum number of simultaneous sessions per key and per user. A new session ends the oldest one. */
const MAX_SESSIONS_PER_HOLDER = 10
/** The minimum time, in ms, between recorded uses of a session. It keeps reads from causing too many writes. */
const TOUCH_INTERVAL_MS = MINUTE_MS

const createSessionId = () => `csess_${randomText(13)}`

/** The role and name that a link gives to its user. Without them, the user is an operator. */
export interface LinkUser {
  readonly role: Role
  readonly name: string
}

/**
 * Creates a one-time link for a team.
 * @returns the link's secret, of which only a hash is stored, and the id of the session that it will start
 */
export async function createLink(
  db: Db,
  team: string,
  now: number,
  user?: LinkUser,
): Promise<{ secret: string; sessionId: string; expiresAt: number }> {
  const secret = `clink_${randomText(SECRET_LENGTH)}`
  const row = {
    team_id: team,
    hash: sha256(secret),
    session_id: createSessionId(),
    role: user?.role ?? null,
    name: user?.name ?? null,
    expires_at: now + LINK_LIFETIME_MS,
    created_at: now,
  }
  await db.insertInto('directory').values({ key: row.hash, team_id: team }).execute()
  await db.insertInto('console_links').values(row).execute()
  return { secret, sessionId: row.session_id, expiresAt: row.expires_at }
}

/** Finds the team of a link that may have been used or have expired. */
export const teamOfLink = async (db: Db, secret: string): Promise<string | undefined> =>
  (await db.selectFrom('directory').select('team_id').where('key', '=', sha256(secret)).executeTakeFirst())?.team_id

/**
 * Redeems a link. If several clients redeem the link at once, only one succeeds.
 * @returns the link, or undefined if it is unknown, used or expired
 */
export async function redeemLink(db: Db, team: string, secret: string, now: number): Promise<LinkRow | undefined> {
  const hash = sha256(secret)
  const link = await db
    .deleteFrom('console_links')
    .where('team_id', '=', team)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  if (link) await db.deleteFrom('directory').where('key', '=', hash).execute()
  return link
}

/**
 * Deletes a team's unused links.
 * @param id the session that one link would start; by default, deletes all of the team's links
 * @returns the ids of the sessions that the links would have started
 */
export async function deleteLinks(db: Db, team: string, id?: string): Promise<string[]> {
  const links = await db
    .deleteFrom('console_links')
    .where('team_id', '=', team)
    .$if(id !== undefined, query => query.where('session_id', '=', id!))
    .returning(['hash', 'session_id'])
    .execute()
  const hashes = links.map(({ hash }) => hash)
  if (hashes.length > 0) await db.deleteFrom('directory').where('key', 'in', hashes).execute()
  return links.flatMap(({ session_id }) => session_id ?? [])
}

/** A user who signs in. */
interface UserSignIn {
  readonly id: string
  readonly name: string | null
  readonly hasSecondFactor: boolean
  /** Seals the tokens of the OpenID provider for the session with an id. */
  readonly sealTokens?: (session: string) => string
  /** The hash of the session's id at the provider. */
  readonly sidHash?: string | null
}

/** A key, a link, or a user: exactly one of them. */
export interface Credential {
  readonly key?: string
  readonly link?: LinkRow
  readonly user?: UserSignIn
}

/**
 * Creates a session.
 * @param credential the key whose revocation ends the session, the link, or the user
 * @returns the session cookie's value
 */
export async function createSession(
  db: Db,
  team: string,
  credential: Credential,
  now: number,
): Promise<{ value: string; row: SessionRow }> {
  const value = randomText(SECRET_LENGTH)
  const { key = null, link, user } = credential
  const id = link?.session_id ?? createSessionId()
  const provider = user?.sealTokens?.(id) ?? null
  const row: SessionRow = {
    team_id: team,
    hash: sha256(value),
    id,
    key_id: key,
    role: link?.role ?? null,
    name: link?.name ?? user?.name ?? null,
    user_id: user?.id ?? null,
    has_second_factor: user ? (user.hasSecondFactor ? 1 : 0) : null,
    provider,
    checked_at: provider === null ? null : now,
    provider_sid_hash: user?.sidHash ?? null,
    idle_until: now + IDLE_LIFETIME_MS,
    expires_at: now + CONSOLE_SESSION_LIFETIME_MS,
    created_at: now,
  }
  const [column, holder] = key === null ? (['user_id', row.user_id] as const) : (['key_id', key] as const)
  if (holder !== null) {
    const sessions = await db
      .selectFrom('console_sessions')
      .selectAll()
      .where('team_id', '=', team)
      .where(column, '=', holder)
      .orderBy('created_at', 'desc')
      .execute()
    for (const excess of sessions.slice(MAX_SESSIONS_PER_HOLDER - 1)) await endSession(db, excess)
  }
  await db.insertInto('directory').values({ key: row.hash, team_id: team }).execute()
  await db.insertInto('console_sessions').values(row).execute()
  return { value, row }
}

/** Finds the active session for a cookie. */
export const findSession = (db: Db, value: string, now: number): Promise<SessionRow | undefined> =>
  db
    .selectFrom('directory')
    .innerJoin('console_sessions', on =>
      on
        .onRef('console_sessions.team_id', '=', 'directory.team_id')
        .onRef('console_sessions.hash', '=', 'directory.key'),
    )
    .selectAll('console_sessions')
    .where('directory.key', '=', sha256(value))
    .where('idle_until', '>', now)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Finds a session's current row, or undefined once it is ended, idle for too long or expired. Does not use it. */
export const findOpenSession = (
  db: Db,
  { team_id, hash }: Pick<SessionRow, 'team_id' | 'hash'>,
  now: number,
): Promise<SessionRow | undefined> =>
  db
    .selectFrom('console_sessions')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('hash', '=', hash)
    .where('idle_until', '>', now)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Returns true until a session is ended or expires. Ignores its idle time. */
export async function isSessionOpen(db: Db, { team_id, hash }: SessionRow, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('console_sessions')
    .select('id')
    .where('team_id', '=', team_id)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists a team's active sessions, latest first. */
export const listSessions = (db: Db, team: string, now: number): Promise<SessionRow[]> =>
  db
    .selectFrom('console_sessions')
    .selectAll()
    .where('team_id', '=', team)
    .where('idle_until', '>', now)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** Lists the sessions of a user. */
export const listUserSessions = (db: Db, { team_id, id }: { team_id: string; id: string }): Promise<SessionRow[]> =>
  db.selectFrom('console_sessions').selectAll().where('team_id', '=', team_id).where('user_id', '=', id).execute()

/** Returns the time at which a session was last used, accurate to a minute. */
export const lastUsedAt = ({ idle_until }: SessionRow): number => idle_until - IDLE_LIFETIME_MS

/** Returns true if it is time to record another use of a session. */
export const isTouchDue = ({ idle_until }: SessionRow, now: number): boolean =>
  idle_until - now < IDLE_LIFETIME_MS - TOUCH_INTERVAL_MS

export async function touchSession(db: Db, { team_id, hash }: SessionRow, now: number): Promise<void> {
  await db
    .updateTable('console_sessions')
    .set({ idle_until: now + IDLE_LIFETIME_MS })
    .where('team_id', '=', team_id)
    .where('hash', '=', hash)
    .execute()
}

export async function endSession(db: Db, { team_id, hash }: SessionRow): Promise<void> {
  await db.deleteFrom('console_sessions').where('team_id', '=', team_id).where('hash', '=', hash).execute()
  await db.deleteFrom('directory').where('key', '=', hash).execute()
}

/** Records that the OpenID provider is being asked about a session's user. @returns false if another request asks */
export async function claimCheck(db: Db, { team_id, hash, checked_at }: SessionRow, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('console_sessions')
    .set({ checked_at: now })
    .where('team_id', '=', team_id)
    .where('hash', '=', hash)
    .where('checked_at', '=', checked_at)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/** @param provider the sealed tokens */
export async function storeTokens(db: Db, { team_id, hash }: SessionRow, provider: string): Promise<void> {
  await db
    .updateTable('console_sessions')
    .set({ provider })
    .where('team_id', '=', team_id)
    .where('hash', '=', hash)
    .execute()
}
