import { kbaMethod } from '@causeway/contract/methods/kba'
import { questionRoundLimit } from '../../../people/entities/attempts.js'
import { dataOf } from '../../../people/entities/methods/method.js'
import { parse } from '../../../platform/http/request/body.js'
import { LimitError } from '../../../platform/limits/counters.js'
import { canRevise } from '../../session/facts.js'
import { countAnswer, noErrors, saveChange, stepErrors } from '../call.js'
import { defineStep } from '../define-step.js'

export const questions = defineStep({
  name: 'questions',
  flow: 'identity_verification',
  rests: 'verifications',
  tries: { most: questionRoundLimit.max, left: ({ attempts }) => attempts.questions.left },
  show: ({ identitySession, attempts }) => ({
    questions: dataOf(identitySession!).questions ?? [],
    tries_left: attempts.questions.left,
  }),
  async take(call, input) {
    const answers = parse(kbaMethod.answer.shape.answers, input['answers'] ?? [], 'answers')
    const session = call.facts.identitySession!
    // The data must be reread: this answer uses an attempt, and `call.facts` lacks the number of attempts left.
    if (call.held) call.held.isStale = true
    const questions = dataOf(session).questions ?? []
    if (questions.some(question => !answers.some(answer => answer.question_id === question.id)))
      return stepErrors(null, 'required')
    const taken = await countAnswer(call, session, { answers }).catch(error => {
      if (error instanceof LimitError) return null
      throw error
    })
    // No attempt remains. The next view explains why.
    if (taken === null) return noErrors
    return {
      answer: taken,
      attempt: { step: 'questions' },
      checked(row) {
        const tries_left = taken.ready ? (taken.limitUse?.left ?? 0) : 0
        return row.status === 'in_progress' ? stepErrors(null, 'incorrect', { tries_left }) : noErrors
      },
      unavailable: () => stepErrors(null, 'unavailable'),
    }
  },
  /** Shows the typed details again. If the person changes the details, these questions no longer apply. */
  back: {
    offered: facts =>
      // mutant: counted-answer-fixes-details (drop 1)
      dataOf(facts.identitySession!).tries === 0 && canRevise(facts),
    async take(call) {
      await saveChange(call, () => ({ revising: true }))
      return noErrors
    },
  },
})
