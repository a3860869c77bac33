import { ServiceError } from '@causeway/contract/errors'
import { readDetails } from '../../people/holders/show-entity.js'
import { isTyped } from '../session/facts.js'
import { emitUpdate, updateProgress } from '../session/update-session.js'
import { noErrors, recordCallEvents, type StepHandler } from './call.js'

/**
 * Records that the visitor is not the person whom the customer named. The flow ends on all of the session's pages.
 * Throws if the customer did not provide the phone number.
 */
export const notMe: StepHandler = async call => {
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
  const after = await updateProgress(tx, row, change)
  held.row = held.stored = after
  await emitUpdate(tx, after, row)
  const data = { session_id: row.id, entity_id: row.entity_id }
  await recordCallEvents(call, tx, { type: 'identity_verification.identity.denied', data })
  return noErrors
}
