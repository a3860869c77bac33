import { OutsideError } from '@causeway/connector/ports/outside-error'
import { resourceCodes, ServiceError } from '@causeway/contract/errors'
import { kbaMethod } from '@causeway/contract/methods/kba'
import type { z } from 'zod'
import { parse } from '../../../../platform/http/request/body.js'
import { rejectIfLimitReached } from '../../../../platform/limits/counters.js'
import type { Scope } from '../../../../platform/scope.js'
import type { EntityRow } from '../../../holders/entity.js'
import type { RecordRow } from '../../../holders/product.js'
import { questionRoundLimit } from '../../attempts.js'
import { call, dataOf, declaredAs, type Method, requireMatch, type SessionData, type Verdict } from '../method.js'

/** Knowledge questions that only the person can answer. */
export const kba: Method<z.infer<typeof kbaMethod.answer>> = {
  ...declaredAs(kbaMethod),
  maxAttempts: 2,
  attemptLimit: questionRoundLimit,
  async initialState(scope, entity, _block, { left }) {
    if (entity.phone_verified_at === null) throw new ServiceError('MISSING_PHONE_VERIFICATION')
    await requireMatch(scope, entity)
    await rejectIfLimitReached(scope, questionRoundLimit, entity.id, left)
    return { status: 'in_progress', data: { questions: [], round: 0 } }
  },
  startCall: { waits: true, run: (scope, entity, row) => nextQuestions(scope, entity, row, 0) },
  read: block => parse(kbaMethod.answer, block, kbaMethod.name),
  async check(scope, entity, row, { answers }, last) {
    const round = dataOf(row).round ?? 0
    const { status } = await scope.deps.ports.identity.answer({
      ...call(scope, row),
      person: entity.person ?? '',
      round,
      answers,
    })
    if (status === 'correct') return { status: 'verified', data: { questions: [], authenticated: true } }
    if (last)
      return {
        status: 'failed',
        data: { questions: [], authenticated: false },
        code: resourceCodes.VERIFICATION_SESSION_FAILED_INVALID_ANSWER,
      }
    const next = await questionsAfterWrongAnswer(scope, entity, row, round + 1)
    return {
      status: next ? 'in_progress' : 'failed',
      data: next ?? { questions: [], authenticated: false },
      code: resourceCodes.VERIFICATION_SESSION_FAILED_INVALID_ANSWER,
    }
  },
  show: data => ({
    questions: data.questions ?? [],
    ...(data.authenticated === undefined ? {} : { authenticated: data.authenticated }),
  }),
}

async function nextQuestions(scope: Scope, entity: EntityRow, row: RecordRow, round: number): Promise<Verdict> {
  const { questions } = await scope.deps.ports.identity.questions({
    ...call(scope, row),
    person: entity.person ?? '',
    round,
  })
  return questions.length === 0
    ? { status: 'verified', data: { questions: [], authenticated: true } }
    : { status: 'in_progress', data: { questions, round } }
}

/**
 * Returns the questions that follow a round with wrong answers; undefined if there are no more. If the provider can't
 * be reached, the questions from the answered round remain, and that round still counts.
 */
async function questionsAfterWrongAnswer(
  scope: Scope,
  entity: EntityRow,
  row: RecordRow,
  round: number,
): Promise<Partial<SessionData> | undefined> {
  try {
    const next = await nextQuestions(scope, entity, row, round)
    // mutant: wrong-answers-verify-nothing (true)
    return next.status === 'in_progress' ? next.data : undefined
  } catch (error) {
    if (error instanceof OutsideError) return {}
    throw error
  }
}
