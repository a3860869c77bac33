import { DAY_MS } from '@causeway/contract/time'
import { readRemaining } from '../../platform/limits/counters.js'
import type { Limit, Remaining } from '../../platform/limits/limit.js'
import type { Scope } from '../../platform/scope.js'
import type { EntityRow } from '../holders/entity.js'

const limitError = 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED'

/**
 * Limits the number of rounds of knowledge questions that a person may answer incorrectly, across all sessions, both in
 * the frame and over REST.
 */
export const questionRoundLimit: Limit = {
  kind: 'questions',
  max: 2,
  window: DAY_MS,
  error: limitError,
  sentence: 'Two rounds of knowledge questions were answered incorrectly for this entity within a day.',
}

/** Limits how many times a person may submit the frame's form, across all sessions, before a match is found. */
export const matchLimit: Limit = { kind: 'match', max: 4, window: DAY_MS, error: limitError }

/** The attempts that a person has left, across all sessions. */
export interface RemainingAttempts {
  matches: Remaining
  questions: Remaining
}

/** The attempts that remain for a person who has used none. */
export const unusedAttempts = ({ now }: Scope): RemainingAttempts => ({
  matches: { left: matchLimit.max, freeAt: now },
  questions: { left: questionRoundLimit.max, freeAt: now },
})

/**
 * Returns a person's remaining attempts. The limit on forms applies until a match is found. The limit on rounds of
 * questions then applies until the identity is verified. If a limit doesn't apply, returns it as unused, so that at
 * most one query is needed.
 */
export async function attemptsLeft(scope: Scope, entity: EntityRow): Promise<RemainingAttempts> {
  const { matches, questions } = unusedAttempts(scope)
  if (entity.identity_verified_at !== null) return { matches, questions }
  return entity.matched === 0
    ? { matches: await readRemaining(scope, matchLimit, entity.id), questions }
    : { matches, questions: await readRemaining(scope, questionRoundLimit, entity.id) }
}
