import { lockRows } from '../../platform/db/row-locks.js'
import type { Db } from '../../platform/db/store.js'

/**
 * Ends a team's console sessions.
 * @param only the key or the user who signed in, or a session's id; by default, ends all of the team's sessions
 * @returns the ids of the ended sessions
 */
export async function endConsoleSessions(
  db: Db,
  team: string,
  only: { key?: string; user?: string; id?: string } = {},
): Promise<string[]> {
  const sessions = await db
    .deleteFrom('console_sessions')
    .where('team_id', '=', team)
    .$if(only.key !== undefined, query => query.where('key_id', '=', only.key!))
    .$if(only.user !== undefined, query => query.where('user_id', '=', only.user!))
    .$if(only.id !== undefined, query => query.where('id', '=', only.id!))
    .returning(['id', 'hash'])
    .execute()
  const hashes = sessions.map(({ hash }) => hash)
  if (hashes.length > 0) await db.deleteFrom('directory').where('key', 'in', hashes).execute()
  return sessions.map(({ id }) => id)
}

/** Locks a console user until the transaction ends. Returns false if the user is not active. */
export async function lockConsoleUser(db: Db, team: string, id: string): Promise<boolean> {
  const query = db
    .selectFrom('console_users')
    .select('id')
    .where('team_id', '=', team)
    .where('id', '=', id)
    .where('status', '=', 'active')
  return (await lockRows(db, query).executeTakeFirst()) !== undefined
}
