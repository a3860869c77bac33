/** Endpoints with which console users list and end console sessions. */
import { consoleSessions as declared } from '@causeway/contract/endpoints/console'
import { ServiceError } from '@causeway/contract/errors'
import { audit } from '../platform/audit/store.js'
import { type Deps, transact } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import { type ConsoleRoute, implementForConsole } from './console-endpoints.js'
import { endSession, lastUsedAt, listSessions, type SessionRow } from './store.js'
import { actorOf, type User } from './user.js'

/** Returns true if two sessions belong to the same user, key, name or operator. */
const isOwn = ({ session }: User, { user_id, key_id, role, name }: SessionRow): boolean =>
  user_id === null
    ? session.user_id === null && session.key_id === key_id && session.role === role && session.name === name
    : session.user_id === user_id

/** Returns true for the session of an operator's link. */
const isOperatorSession = ({ key_id, role, user_id }: SessionRow): boolean =>
  key_id === null && role === null && user_id === null

/** Returns true if a user may see and end a session of the team: admins every session, others their own. */
const mayEnd = (user: User, row: SessionRow): boolean =>
  // mutant: console-ends-own-sessions (true)
  user.permissions.has('users') || isOwn(user, row)

async function endSelected(
  deps: Deps,
  user: User,
  isSelected: (row: SessionRow) => boolean,
): Promise<{ ended: string[] }> {
  const rows = (await listSessions(deps.store.reader, user.team.id, deps.clock())).filter(isSelected)
  if (rows.length === 0) throw new ServiceError('NOT_FOUND', 'No active console session that you can end has this id.')
  await transact(deps, user.team, async scope => {
    for (const row of rows) {
      await endSession(scope.db, row)
      await audit(scope, actorOf(user.session), 'console.end', row.id)
    }
  })
  return { ended: rows.map(({ id }) => id) }
}

export const sessionRoutes: ConsoleRoute[] = [
  implementForConsole(declared.listConsoleSessions, async ({ deps, user }) => {
    const rows = await listSessions(deps.store.reader, user.team.id, deps.clock())
    return {
      data: rows
        .filter(row => mayEnd(user, row))
        .map(row => ({
          id: row.id,
          key_id: row.key_id,
          user_id: row.user_id,
          name: row.name,
          role: row.role,
          operator: isOperatorSession(row),
          current: row.id === user.session.id,
          created_at: showTime(row.created_at),
          last_used_at: showTime(lastUsedAt(row)),
          expires_at: showTime(row.expires_at),
        })),
    }
  }),
  implementForConsole(declared.endOwnConsoleSessions, ({ deps, user }) =>
    endSelected(deps, user, row => isOwn(user, row)),
  ),
  implementForConsole(declared.endConsoleSession, ({ deps, user, params }) =>
    endSelected(deps, user, row => row.id === params.csess_id && mayEnd(user, row)),
  ),
]
