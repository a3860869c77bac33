import { z } from 'zod'
import { modes } from '../session.js'
import { cents, requestError, timestamp } from './shared.js'

const bt = z.object({
  loan_amount: cents,
  minimum_payment: cents,
  maximum_payment: cents,
  residual_amount_max: cents,
  allocations: z.record(z.string(), cents),
  payout_status: z.enum(['pending_release', 'released']),
  payment_ids: z.record(z.string(), z.string().nullable()),
  payment_errors: z
    .record(z.string(), requestError)
    .optional()
    .describe('Why an account received no payment; present only then'),
  released_at: timestamp.nullable(),
  completed: z.boolean(),
})

export const opalSession = z.object({
  id: z.string(),
  mode: z.enum(modes),
  bt: bt.nullable(),
  exited_at: timestamp
    .optional()
    .describe('When the person closed the flow before its end; present only then, until they return'),
  not_me_at: timestamp
    .optional()
    .describe(
      'When the person who opened it said that they are not the entity; present only then, until it is opened with another token',
    ),
  created_at: timestamp,
  updated_at: timestamp,
})
