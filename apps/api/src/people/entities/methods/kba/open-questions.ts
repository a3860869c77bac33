import type { Scope } from '../../../../platform/scope.js'
import type { RecordRow } from '../../../products/product.js'
import { SESSION, SESSION_LIFE, sessionRequest } from '../../sessions.js'
import { kba } from './method.js'

/** Finds an entity's open session with knowledge questions, if any. */
export function openQuestions(scope: Scope, entity: string): Promise<RecordRow | undefined> {
  return scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', entity)
    .where('product', '=', SESSION)
    .where('status', '=', 'in_progress')
    .where('created_at', '>', scope.now - SESSION_LIFE)
    .where('request', '=', sessionRequest.write({ type: kba.type, method: kba.name }))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
