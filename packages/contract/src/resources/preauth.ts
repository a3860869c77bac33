import { z } from 'zod'
import { metadata, resourceError, timestamp } from '../fields/shared.js'

export const ownershipResults = ['match', 'no_match', 'fuzzy_match', 'identity_not_found', 'unknown'] as const
export const cardStandings = ['open', 'closed'] as const

/** What the network expects of a charge to a card. */
export const preauth = z.object({
  id: z.string(),
  account_id: z.string().nullable().describe('Null if the request named a card'),
  status: z.enum(['completed', 'failed']),
  verified_ownership: z
    .enum(ownershipResults)
    .nullable()
    .describe('How the person matches the owner of the card. `unknown`: the network could not tell'),
  card_standing: z.enum(cardStandings).nullable(),
  success_likelihood: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('The likelihood that a charge succeeds now; null if it is not known'),
  optimal_retry_date: timestamp.nullable().describe('The best time to try again; null if there is no better time'),
  error: resourceError.nullable(),
  metadata: metadata.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
