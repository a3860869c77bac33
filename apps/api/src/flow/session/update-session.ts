import type { Updateable } from 'kysely'
import { emit } from '../../notify/emit.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Scope } from '../../platform/scope.js'
import { type Progress, readProgress, type SessionRow, sessionJson } from './session.js'
import { showOpalSession } from './show-session.js'

/** Returns the type of the event that notifies the customer of a change to a session. */
const eventOf = ({ mode }: SessionRow) => (mode === 'connect' ? 'element_session.update' : 'opal_session.update')

/** Updates a locked session. By default, the revision increases, so that no page can act on an earlier view. */
export function updateSession(tx: Scope, row: SessionRow, change: Updateable<Tables['sessions']>): Promise<SessionRow> {
  return tx.db
    .updateTable('sessions')
    .set({ revision: row.revision + 1, updated_at: tx.now, ...change })
    .where('team_id', '=', tx.team.id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes the progress of a locked session. */
export const updateProgress = (tx: Scope, row: SessionRow, change: Partial<Progress>): Promise<SessionRow> =>
  updateSession(tx, row, { progress: sessionJson.progress.write({ ...readProgress(row), ...change }) })

/** Notifies the customer of a change to a session. */
export const emitUpdate = (tx: Scope, after: SessionRow, before: SessionRow): Promise<void> =>
  emit(tx, eventOf(before), showOpalSession(after), showOpalSession(before))
