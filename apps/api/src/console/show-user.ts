import type { Deps } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import { findActiveStop } from '../team/teams/store.js'
import { countWaiting } from './approvals/store.js'
import { showRecentSignIn } from './recent-sign-in.js'
import type { User } from './user.js'

/** Returns a user in the format that the console app displays. */
export async function showUser(deps: Deps, user: User) {
  const { team, role, operator, permissions, session } = user
  const since = await findActiveStop(deps.store.reader, team)
  return {
    user: {
      id: session.id,
      /** Null if a key or a link signed in. */
      account_id: session.user_id,
      /** The key that signed in, or null. */
      key_id: session.key_id,
      name: session.key_id ?? session.name ?? 'operator',
      role,
      operator,
      permissions: [...permissions],
      needs_second_factor: user.needsSecondFactor,
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
    recent_sign_in: await showRecentSignIn(deps, user),
    approvals_waiting: await countWaiting(deps.store.reader, team.id, deps.clock()),
  }
}
