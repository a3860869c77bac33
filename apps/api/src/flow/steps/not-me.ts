import { ServiceError } from '@causeway/contract/errors'
import { readDetails } from '../../people/entities/show.js'
import type { Scope } from '../../platform/scope.js'
import { isTyped } from '../sessions/facts.js'
import { type Progress, readProgress, type SessionRow, sessionJson } from '../sessions/session.js'
import { emitUpdate, updateSession } from '../sessions/update-session.js'
import { fine, type Handler, say } from './call.js'

/**
 * Records that the visitor is not the person whom the customer named. The flow ends on all of the session's pages.
 * Throws if the customer did not provide the phone number.
 */
export const notMe: Handler = async call => {
  const { entity } = call.facts
  if (isTyped(entity, 'phone') || readDetails(call.scope, entity).phone === null)
    throw new ServiceError(
      'INVALID_REQUEST',
      'This session has no phone number on file to reject. Enter a phone number instead.',
    )
  const held = call.held!
  const { tx, row } = held
  // No step is completed, so the page receives only the `denied` event. Closing the page now does not count as an exit.
  const change = { not_me: tx.now, exited: tx.now, shown: 'blocked' } as const
  const after = await changeProgress(tx, row, change)
  held.row = held.stored = after
  await emitUpdate(tx, after, row)
  const data = { session_id: row.id, entity_id: row.entity_id }
  await say(call, tx, { type: 'identity_verification.identity.denied', data })
  return fine
}

/**
 * Prepares a locked session for a person who arrives with another token. If the previous visitor said that they are
 * someone else, the session restarts at the consent step.
 */
export async function beginAnew(tx: Scope, row: SessionRow): Promise<SessionRow> {
  if (readProgress(row).not_me === null) return row
  return changeProgress(tx, row, { not_me: null, exited: null, consented: false, phone_session: null, shown: null })
}

const changeProgress = (tx: Scope, row: SessionRow, change: Partial<Progress>): Promise<SessionRow> =>
  updateSession(tx, row, { progress: sessionJson.progress.write({ ...readProgress(row), ...change }) })
