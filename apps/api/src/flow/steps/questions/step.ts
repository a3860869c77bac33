import { kbaAnswer } from '@causeway/contract/endpoints/entities'
import { OutsideError } from '../../../network/ports.js'
import { answerSession, dataOf } from '../../../people/entities/sessions.js'
import { parse } from '../../../platform/http/body.js'
import { LimitError } from '../../../platform/limits/counters.js'
import { fine, wrong } from '../call.js'
import { defineStep } from '../define-step.js'

export const questions = defineStep({
  name: 'questions',
  flow: 'identity_verification',
  show: ({ identitySession, attempts }) => ({
    questions: dataOf(identitySession!).questions ?? [],
    tries_left: attempts.questions.left,
  }),
  async take(call, input) {
    const answers = parse(kbaAnswer.shape.answers, input['answers'] ?? [], 'answers')
    const session = call.facts.identitySession!
    const { left } = call.facts.attempts.questions
    const asked = dataOf(session).questions ?? []
    if (asked.some(question => !answers.some(answer => answer.question_id === question.id)))
      return wrong(null, 'required')
    try {
      const row = await answerSession(call.scope, session.id, { answers })
      return row.status === 'in_progress' ? wrong(null, 'incorrect', { tries_left: left - 1 }) : fine
    } catch (error) {
      // The step that is shown next says so.
      if (error instanceof LimitError) return fine
      if (error instanceof OutsideError) return wrong(null, 'unavailable')
      throw error
    }
  },
})
