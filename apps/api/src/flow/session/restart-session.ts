import { SESSION } from '../../people/entities/sessions.js'
import { findRecords } from '../../people/records/store.js'
import type { Scope } from '../../platform/scope.js'
import { hasNoDebts } from './debts.js'
import { currentRecipients } from './recipients.js'
import { readProgress, type SessionRow, sessionJson } from './session.js'
import { updateProgress } from './update-session.js'

/**
 * Prepares a locked session for a person who arrives with another token. If the previous visitor said that they are
 * someone else, the session restarts at the consent step.
 */
export async function restartSession(tx: Scope, row: SessionRow): Promise<SessionRow> {
  if (readProgress(row).not_me === null) return row
  return updateProgress(tx, row, { not_me: null, exited: null, consented: false, phone_session: null, shown: null })
}

/**
 * Clears a locked session's requests that failed under the previous token, so that the new token retries them.
 * @param name the customer's name as this token shows it
 * @returns the changed session
 */
export async function retryFailedRequests(scope: Scope, session: SessionRow, name: string): Promise<SessionRow> {
  const progress = readProgress(session)
  const ids = [progress.phone_session, progress.identity_session, session.connect_id]
  const records = await findRecords(
    scope,
    ids.filter(id => id !== null),
  )
  const recordOf = (product: string, id: string | null) => {
    const row = records.get(id ?? '')
    return row?.product === product ? row : undefined
  }
  const lost = (id: string | null) => (recordOf(SESSION, id)?.status === 'failed' ? null : id)
  const connect = recordOf('connect', session.connect_id)
  const isEmpty = async () => connect?.status === 'completed' && (await hasNoDebts(scope, session))
  const isVain = session.completed_at === null && (connect?.status === 'failed' || (await isEmpty()))
  const again = {
    ...progress,
    came: scope.now,
    named: progress.consented ? progress.named : name,
    recipients: progress.consented ? progress.recipients : currentRecipients(scope.deps),
    exited: null,
    awaited: null,
    missing: null,
    unavailable: false,
    phone_session: lost(progress.phone_session),
    identity_session: lost(progress.identity_session),
  }
  return scope.db
    .updateTable('sessions')
    .set({ progress: sessionJson.progress.write(again), ...(isVain ? { connect_id: null } : {}) })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', session.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
