import { z } from 'zod'
import { modes, steps } from '../session.js'
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
  completed_at: timestamp
    .optional()
    .describe('When the person finished a session without a loan; present only then. With a loan, see `bt.completed`'),
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

/** The current step of the person in a session. */
export const sessionProgress = z.object({
  step: z.enum(steps).describe('The screen that the person sees, or sees next'),
  since: timestamp,
  tries_left: z
    .int()
    .min(0)
    .nullable()
    .describe('Attempts left at `code`, `details`, `questions`, `number`, `deposits` or `card`; null at other steps'),
  tries_used: z.int().min(0).nullable().describe('Wrong attempts at that step that count against the limit'),
  account: z
    .string()
    .nullable()
    .describe('The account that `number`, `deposits` or `card` is about; null at other steps'),
  waits_for: z
    .enum(['person', 'network', 'release', 'nothing'])
    .describe('`release`: the person is done, and you release the payments'),
  last_code: z.string().nullable().describe('Why the flow is `blocked`'),
  steps: z
    .array(
      z.object({
        step: z.enum(steps),
        at: timestamp.describe('When it was shown first'),
        tries: z.int().describe('How often it was shown'),
      }),
    )
    .describe('Steps that were shown, in that order'),
})
