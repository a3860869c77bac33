/** Ends console sessions when the OpenID provider signs their users out. */
import { ServiceError } from '@causeway/contract/errors'
import { audit } from '../platform/audit/store.js'
import type { Db } from '../platform/db/types.js'
import { type Deps, transact } from '../platform/scope.js'
import { findSessionsOfSid } from './operator-store.js'
import type { ConsoleOptions } from './options.js'
import { endSession, listUserSessions, type SessionRow } from './store.js'
import { findIdentityUser, recordLogoutToken } from './users/credentials.js'
import type { LoggedOut } from './users/logout-token.js'
import { hashSid } from './users/oidc.js'

/** The path of the endpoint that the provider calls. */
export const LOGOUT_PATH = '/api/sign-in/oidc/logout'

const invalid = (message: string) => new ServiceError('INVALID_REQUEST', message)

/** Returns the token in a form. Throws INVALID_REQUEST. */
export function readLogoutToken(contentType: string | undefined, body: string): string {
  const [type = ''] = (contentType ?? '').split(';')
  const tokens = new URLSearchParams(body).getAll('logout_token')
  const [token] = tokens
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded' || tokens.length !== 1 || !token)
    throw invalid('The body must be a form (application/x-www-form-urlencoded) with one logout_token.')
  return token
}

/** Finds the open sessions that a token ends: one that its `sid` names, or all of the user that the provider started. */
async function findSessions(db: Db, issuer: string, { subject, sid }: LoggedOut): Promise<SessionRow[]> {
  const user = subject === null ? undefined : await findIdentityUser(db, issuer, subject)
  if (subject !== null && !user) return []
  if (sid === null) return (await listUserSessions(db, user!)).filter(({ provider }) => provider !== null)
  const sessions = await findSessionsOfSid(db, hashSid(issuer, sid))
  return sessions.filter(({ user_id, team_id }) => {
    // mutant: logout-of-same-subject (true)
    return !user || (user_id === user.id && team_id === user.team_id)
  })
}

/** Verifies a logout token, and ends the sessions that it names. Throws INVALID_REQUEST, NOT_FOUND or SERVICE_UNAVAILABLE. */
export async function endLoggedOut(deps: Deps, { oidc }: Pick<ConsoleOptions, 'oidc'>, token: string): Promise<void> {
  if (!oidc) throw new ServiceError('NOT_FOUND', 'This console has no OpenID provider.')
  const { issuer } = oidc.settings
  const loggedOut = await oidc.readLogout(token)
  if (!loggedOut)
    throw invalid('logout_token must be a current logout token that the OpenID provider signed for this client.')
  const once = async (tx: Db) => {
    // mutant: logout-token-works-once (false)
    if (!(await recordLogoutToken(tx, `${issuer} ${loggedOut.tokenId}`, deps.clock())))
      throw invalid('This logout_token was already received. Each one is accepted once.')
  }
  // All sessions of a user, and of a provider's session, belong to one team.
  const [first] = await findSessions(deps.store.reader, issuer, loggedOut)
  const team = first && (await deps.teamOf(first.team_id))
  if (!team) return deps.store.write(once)
  await transact(deps, team, async scope => {
    await once(scope.db)
    for (const session of await findSessions(scope.db, issuer, loggedOut)) {
      await endSession(scope.db, session)
      await audit(scope, 'oidc', 'console.end', session.id)
    }
  })
}
