import { randomText } from '../platform/crypto/random.js'
import { sha256 } from '../platform/crypto/vault.js'
import type { Db } from '../platform/db/store.js'
import type { Tables } from '../platform/db/tables.js'

export type SessionRow = Tables['console_sessions']

/** The length of a secret: 43 base-62 characters hold 256 random bits. */
const SECRET = 43
const LINK_LASTS = 600_000
const SESSION_LASTS = 8 * 3_600_000
const IDLE = 30 * 60_000
/** The maximum number of simultaneous sessions per key. A new session ends the oldest one. */
const MOST = 10
/** The minimum time, in ms, between recorded uses of a session. It keeps reads from causing too many writes. */
const NOTED_EVERY = 60_000

/**
 * Creates a one-time link for a team.
 * @returns the link's secret, of which only a hash is stored
 */
export async function createLink(db: Db, team: string, now: number): Promise<{ secret: string; expiresAt: number }> {
  const secret = `clink_${randomText(SECRET)}`
  const hash = sha256(secret)
  const expiresAt = now + LINK_LASTS
  await db.insertInto('directory').values({ key: hash, team_id: team }).execute()
  await db.insertInto('console_links').values({ team_id: team, hash, expires_at: expiresAt, created_at: now }).execute()
  return { secret, expiresAt }
}

/**
 * Redeems a link. If several clients redeem the link at once, only one succeeds.
 * @returns the link's team, or null if the link is unknown, used or expired
 */
export async function takeLink(db: Db, secret: string, now: number): Promise<string | null> {
  const hash = sha256(secret)
  const team = await db.selectFrom('directory').select('team_id').where('key', '=', hash).executeTakeFirst()
  if (!team) return null
  const taken = await db
    .deleteFrom('console_links')
    .where('team_id', '=', team.team_id)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('team_id')
    .executeTakeFirst()
  if (!taken) return null
  await db.deleteFrom('directory').where('key', '=', hash).execute()
  return taken.team_id
}

/**
 * Creates a session.
 * @param key the key whose revocation ends the session; null for an operator
 * @returns the session cookie's value
 */
export async function createSession(
  db: Db,
  team: string,
  key: string | null,
  now: number,
): Promise<{ value: string; row: SessionRow }> {
  const value = randomText(SECRET)
  const row = {
    team_id: team,
    hash: sha256(value),
    id: `csess_${randomText(13)}`,
    key_id: key,
    idle_until: now + IDLE,
    expires_at: now + SESSION_LASTS,
    created_at: now,
  }
  if (key !== null) {
    const open = await db
      .selectFrom('console_sessions')
      .selectAll()
      .where('team_id', '=', team)
      .where('key_id', '=', key)
      .orderBy('created_at', 'desc')
      .execute()
    for (const old of open.slice(MOST - 1)) await endSession(db, old)
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

/** Returns true if it is time to record another use of a session. */
export const isStale = ({ idle_until }: SessionRow, now: number): boolean => idle_until - now < IDLE - NOTED_EVERY

export async function touchSession(db: Db, { team_id, hash }: SessionRow, now: number): Promise<void> {
  await db
    .updateTable('console_sessions')
    .set({ idle_until: now + IDLE })
    .where('team_id', '=', team_id)
    .where('hash', '=', hash)
    .execute()
}

export async function endSession(db: Db, { team_id, hash }: SessionRow): Promise<void> {
  await db.deleteFrom('console_sessions').where('team_id', '=', team_id).where('hash', '=', hash).execute()
  await db.deleteFrom('directory').where('key', '=', hash).execute()
}
