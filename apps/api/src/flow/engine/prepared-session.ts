/**
 * Sessions that a frame prepares before the person opens them. Until {@link startSession}, a prepared session has a bearer but
 * no events, and the service takes no action for it.
 */
import type { FlowEvent, SessionView } from '@causeway/contract/session'
import { type Deps, reading, transact } from '../../platform/scope.js'
import { recordEvents, SESSION_STARTED } from '../session/events.js'
import { position } from '../session/facts.js'
import { loadSession } from '../session/load-session.js'
import { findSessionRows, lockSession } from '../session/store.js'
import type { Visitor } from '../tokens/bearer.js'
import { showView } from './view.js'

/** Returns the session's current screen without side effects; undefined if the service must act first. */
export async function previewSession(
  deps: Deps,
  { team, session, bearer, token, expiresAt }: Visitor,
): Promise<SessionView | undefined> {
  const scope = reading(deps, team)
  const rows = (await findSessionRows(scope, session, bearer))!
  const facts = await loadSession(scope, rows.session, bearer, rows)
  const at = position(facts)
  return 'step' in at ? showView(scope, facts, at, { expiresAt, token }) : undefined
}

/**
 * Records that the person opened a prepared session.
 * @returns the event; null if an earlier request, whose response may have been lost, already recorded it
 */
export function startSession(deps: Deps, { team, session, token: { handle } }: Visitor): Promise<FlowEvent[] | null> {
  return transact(deps, team, async scope => {
    const row = (await lockSession(scope, session))!
    const started = await scope.db
      .selectFrom('session_events')
      .select('id')
      .where('team_id', '=', scope.team.id)
      .where('handle', '=', handle)
      .where('type', '=', SESSION_STARTED.type)
      .limit(1)
      .executeTakeFirst()
    // mutant: prepared-session-starts-once (false)
    return started ? null : recordEvents(scope, row, handle, [SESSION_STARTED])
  })
}
