import type { SessionView } from '@causeway/contract/session'
import type { Deps } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { Team } from '../../platform/team.js'
import { askedProducts, consentData } from '../session/consent-terms.js'
import { documentsOf } from '../session/modes.js'
import { currentRecipients } from '../session/recipients.js'
import { readConfig, readProgress } from '../session/session.js'
import type { TokenRow } from '../session/store.js'
import { SESSION_LIFETIME_MS } from '../tokens/lifetimes.js'
import { lastStepIndex, showBrand } from './view.js'

/**
 * Predicts a session's first view, the consent step, from the team's settings and the mode, so that the frame can
 * render the view while it exchanges its token. Anyone with the handle can read the view, so it contains no id and no
 * personal data. Returns null for a used token, and for a session that has passed consent. Also returns null if the
 * person has verified their phone number: they may have already agreed to some documents, and the text must not change
 * while they read it.
 */
export async function predictFirstView(deps: Deps, team: Team, token: TokenRow): Promise<SessionView | null> {
  const { store, clock } = deps
  if (token.consumed_at !== null) return null
  const session = await store.reader
    .selectFrom('sessions')
    .leftJoin('entities', on =>
      on.onRef('entities.team_id', '=', 'sessions.team_id').onRef('entities.id', '=', 'sessions.entity_id'),
    )
    .selectAll('sessions')
    .select('entities.phone_proved_at')
    .where('sessions.team_id', '=', team.id)
    .where('sessions.id', '=', token.session_id)
    .executeTakeFirst()
  if (!session || session.released_at !== null) return null
  const progress = readProgress(session)
  if (progress.consented) return null
  if (session.phone_proved_at !== null) return null
  // The person's own page starts with the phone step.
  if (session.mode === 'manage') return null
  const now = clock() + team.clockOffset
  const recipients = currentRecipients(deps)
  const documents = documentsOf(session.mode, recipients)
  const asks = askedProducts(deps, { session, config: readConfig(session), progress: { ...progress, recipients } })
  return {
    session_id: '',
    entity_id: '',
    mode: session.mode,
    revision: session.revision,
    progress: { index: 0, total: lastStepIndex(session.mode) },
    can_go_back: false,
    ...showBrand(team, token),
    recipients,
    errors: [],
    events: [],
    accounts: [],
    result: null,
    now: showTime(now),
    expires_at: showTime(now + SESSION_LIFETIME_MS),
    step: 'consent',
    data: { documents, shares: consentData(deps, documents, asks, recipients), carried: [] },
  }
}
