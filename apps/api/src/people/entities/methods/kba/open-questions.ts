import type { Scope } from '../../../../platform/scope.js'
import type { RecordRow } from '../../../holders/product.js'
import { openSessions, sessionRequest, VERIFICATION_SESSION_LIFETIME_MS } from '../../sessions.js'
import { kba } from './method.js'

/** Finds an entity's open session with knowledge questions, if any. */
export function openQuestions(scope: Scope, entity: string): Promise<RecordRow | undefined> {
  return openSessions(scope, entity)
    .where('created_at', '>', scope.now - VERIFICATION_SESSION_LIFETIME_MS)
    .where('request', '=', sessionRequest.write({ type: kba.type, method: kba.name }))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
