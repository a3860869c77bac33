import type { SessionView } from '@causeway/contract/session'
import type { Deps } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { Team } from '../../platform/team.js'
import { modeRules } from './modes.js'
import { ABSOLUTE } from './redeem.js'
import { readProgress } from './session.js'
import type { TokenRow } from './store.js'
import { dress, lastStep } from './view.js'

/**
 * Predicts the first view of a session, the consent, from the settings of the team and the mode, so that the frame can
 * draw it while it exchanges its token. Anyone with the handle may read it, so it contains no id and no personal data, and
 * it lists every document even if the person agreed to some before.
 * Null for a used token, and for a session past its consent.
 */
export async function ahead({ store, clock }: Deps, team: Team, token: TokenRow): Promise<SessionView | null> {
  if (token.consumed_at !== null) return null
  const session = await store.reader
    .selectFrom('sessions')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('id', '=', token.session_id)
    .executeTakeFirst()
  if (!session || session.released_at !== null || readProgress(session).consented) return null
  const now = clock() + team.clockOffset
  return {
    session_id: '',
    entity_id: '',
    mode: session.mode,
    revision: session.revision,
    progress: { index: 0, total: lastStep(session.mode) },
    can_go_back: false,
    ...dress(team, token),
    errors: [],
    events: [],
    accounts: [],
    result: null,
    now: showTime(now),
    expires_at: showTime(now + ABSOLUTE),
    step: 'consent',
    data: { documents: modeRules[session.mode].documents, carried: [] },
  }
}
