import { z } from 'zod'
import { entity, record, times } from '../declaration/examples.js'
import { pointer, timestamp } from '../fields/shared.js'
import { text } from '../text.js'
import { entityRecord, product, recordEnd } from './product.js'

export const score = z.object({
  score: z.int().min(300).max(850),
  source: z.enum(['equifax', 'experian', 'transunion']),
  model: z.enum(['vantage_3', 'vantage_4']),
  factors: z
    .array(
      z.object({
        code: text({ max: 5, pattern: /^\d{5}$/, error: 'must be five digits.' }),
        description: z.string().max(500),
      }),
    )
    .max(20),
  created_at: timestamp,
})
export type Score = z.infer<typeof score>

/** A person's credit score from the credit bureaus. */
export const creditScore = z.object({ ...entityRecord, scores: z.array(score).nullable(), ...recordEnd })

const scoreExample = {
  score: 734,
  source: 'equifax',
  model: 'vantage_4',
  factors: [{ code: '00034', description: 'Few accounts have a long history of on-time payments.' }],
  created_at: times.created_at,
}

/** The credit score that the endpoint examples show. */
export const creditScoreExample = { id: 'crs_4kYq8ZbT1mXd4', entity_id: entity.id, ...record, scores: [scoreExample] }

export const creditScoreProduct = product({
  holder: 'entity',
  name: 'credit_score',
  path: 'credit_scores',
  prefixes: { credit_score: 'crs_' },
  events: [
    'credit_score.create',
    'credit_score.update',
    'credit_score.available',
    'credit_score.increased',
    'credit_score.decreased',
  ],
  resource: ['CreditScore', creditScore],
  pointers: { credit_score: pointer(creditScore).optional() },
  shares: 'credit_score',
  title: 'Credit scores',
  about:
    'Credit scores of a verified person. A record is initially `pending`, and a `credit_score.update` event is sent when it is complete.',
  records: {
    ids: ['CreditScore', 'CreditScores'],
    one: 'a credit score',
    many: 'credit scores',
    example: creditScoreExample,
    create: {
      description:
        'In the sandbox, a record stays `pending` until you complete it with `POST /simulate/entities/{ent}/credit_scores/{crs}`. A failed record has error 23001.',
    },
  },
})
