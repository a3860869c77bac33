import { remaining } from '../../platform/limits/counters.js'
import { DAY, type Limit, type Remaining } from '../../platform/limits/limit.js'
import type { Scope } from '../../platform/scope.js'
import type { EntityRow } from './entity.js'

const error = 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED'

/** Rounds of knowledge questions that a person may answer wrong, across all sessions, in the frame and over REST. */
export const questionRounds: Limit = {
  kind: 'questions',
  most: 2,
  window: DAY,
  error,
  sentence: 'Two rounds of knowledge questions were answered wrong for this entity within a day.',
}

/** Forms with details that a person may submit for a match in a frame, across all sessions. */
export const matchRounds: Limit = { kind: 'match', most: 4, window: DAY, error }

/** Returns the rounds of questions that a person can still answer wrong. */
export async function questionsLeft(scope: Scope, entity: EntityRow): Promise<Remaining> {
  // A proven person is asked nothing, and neither is an entity that matches nobody yet.
  if (entity.matched === 0 || entity.identity_verified_at !== null)
    return { left: questionRounds.most, freeAt: scope.now }
  return remaining(scope, questionRounds, entity.id)
}
