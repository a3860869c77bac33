/** Asks the OpenID provider about the users of open sessions. */
import { ServiceError } from '@causeway/contract/errors'
import { MINUTE_MS } from '@causeway/contract/time'
import { type Deps, transact } from '../platform/scope.js'
import type { Team } from '../platform/team.js'
import { applyGroups } from './oidc-users.js'
import type { Context } from './options.js'
import { claimCheck, endSession, type SessionRow, storeTokens } from './store.js'
import { OidcEnded, type OidcTokens } from './users/oidc.js'
import { findUser } from './users/store.js'

/** The interval at which the provider is asked about the user of an open session. */
const CHECK_INTERVAL_MS = MINUTE_MS
/** The time for which sessions stay open while the provider does not respond. */
const OUTAGE_TOLERANCE_MS = 15 * MINUTE_MS

const sealerOf = ({ vault }: Deps, { id, dataKey }: Team) => vault.sealer(id, dataKey)
export const sealTokens = (deps: Deps, team: Team, session: string, tokens: OidcTokens): string =>
  sealerOf(deps, team).seal({ id: session, field: 'provider' }, JSON.stringify(tokens))

const openTokens = (deps: Deps, team: Team, session: string, sealed: string): OidcTokens =>
  JSON.parse(sealerOf(deps, team).open({ id: session, field: 'provider' }, sealed)) as OidcTokens

/** Returns a function that seals the tokens of a session for the session that replaces it. */
export const tokensFor = (deps: Deps, team: Team, { id, provider }: SessionRow) =>
  provider === null
    ? undefined
    : (session: string): string => sealTokens(deps, team, session, openTokens(deps, team, id, provider))

/**
 * Asks the provider about the user of a session, at most once a minute. Ends the session if the provider no longer
 * accepts the user, does not respond for 15 minutes, or if the user's groups have no role. Throws UNAUTHORIZED.
 */
export async function checkOidcSession({ deps, oidc }: Context, session: SessionRow): Promise<void> {
  const now = deps.clock()
  const { provider, checked_at } = session
  if (!oidc || provider === null || checked_at === null || now - checked_at < CHECK_INTERVAL_MS) return
  const team = await deps.teamOf(session.team_id)
  // Only one of several simultaneous requests asks. A refresh token often works only once.
  if (!team || !(await deps.store.write(tx => claimCheck(tx, session, now)))) return
  const tokens = openTokens(deps, team, session.id, provider)
  const end = async (message: string) => {
    await deps.store.write(tx => endSession(tx, session))
    return new ServiceError('UNAUTHORIZED', message)
  }
  try {
    const person = await oidc.check(tokens)
    if (!person) return
    await transact(deps, team, async scope => {
      await storeTokens(scope.db, session, sealTokens(deps, team, session.id, person.tokens))
      const user = await findUser(scope.db, team.id, session.user_id!)
      if (user) await applyGroups(scope, oidc.settings, user, person.groups)
    })
  } catch (error) {
    if (error instanceof OidcEnded) throw await end(`${oidc.settings.name} signed you out. Sign in again to continue.`)
    if (!(error instanceof ServiceError)) throw error
    if (error.subType === 'FORBIDDEN') throw await end(error.message)
    // mutant: oidc-outage-ends-session (remove)
    if (now - tokens.confirmedAt > OUTAGE_TOLERANCE_MS) throw await end(error.message)
  }
}
