import { z } from 'zod'
import { entityMethod } from './method.js'

const question = z.object({
  id: z.string(),
  text: z.string(),
  answers: z.array(z.object({ id: z.string(), text: z.string() })),
})

export const kbaMethod = entityMethod({
  type: 'identity',
  name: 'kba',
  block: z.object({
    questions: z.array(question).describe('The current questions; empty after the session ends'),
    authenticated: z.boolean().optional(),
  }),
  answer: z.object({
    answers: z.array(z.object({ question_id: z.string().max(100), answer_id: z.string().max(100) })).max(20),
  }),
  example: {
    start: {},
    answer: { answers: [{ question_id: 'qtn_4kYq8ZbT1mXcQ', answer_id: 'ans_4kYq8ZbT1mXcR' }] },
    block: { questions: [], authenticated: true },
  },
})
