import { z } from 'zod'
import { mayGainValues } from '../fields/names.js'
import { cents, requestError, timestamp } from '../fields/shared.js'
import { modes, steps } from '../session.js'

const bt = z.object({
  loan_amount: cents,
  minimum_payment: cents,
  maximum_payment: cents,
  residual_amount_max: cents,
  requested_loan_amount: cents
    .optional()
    .describe(
      'The largest loan that the person’s accounts can take, which the person asked for because `loan_amount` is larger. Omitted if the person did not ask',
    ),
  allocations: z.record(z.string(), cents),
  payout_status: z.enum(['pending_release', 'released']),
  payment_ids: z.record(z.string(), z.string().nullable()),
  payment_errors: z
    .record(z.string(), requestError)
    .optional()
    .describe('The error for each account whose payment could not be created. Omitted if there is none'),
  unpaid: z
    .array(z.string())
    .optional()
    .describe(
      'The accounts that the release could not pay and that no later payment has paid. A later payment counts if it has the same amount and the `session_id` in its metadata, unless it failed or was returned. Omitted if there is none, and in events',
    ),
  none_paid: z
    .literal(true)
    .optional()
    .describe(
      'True if no account was paid: each payment was refused, failed, was canceled or is returned. Omitted otherwise, without `unpaid`, and in events',
    ),
  rest_payment_ids: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'The later payment of each account that the release could not pay, keyed by account: the payment that pays the account, or the latest one if all of them failed or were returned. Omitted if there is none, and in events',
    ),
  released_at: timestamp.nullable(),
  completed: z.boolean(),
})

export const opalSession = z.object({
  id: z.string(),
  mode: z.enum(modes).describe(mayGainValues),
  entity_id: z
    .string()
    .nullable()
    .describe('Null until the person opens a session whose token was created without an entity'),
  step: z
    .enum(steps)
    .nullable()
    .describe(`The last screen that the person saw; null if they have not opened the session. ${mayGainValues}`),
  bt: bt.nullable(),
  completed_at: timestamp
    .optional()
    .describe(
      'When the person finished the session. Omitted until then, and for sessions with a loan, which use `bt.completed`',
    ),
  exited_at: timestamp
    .optional()
    .describe(
      'When the person closed the flow before finishing it. Omitted otherwise, and omitted again once they return',
    ),
  not_me_at: timestamp
    .optional()
    .describe(
      'When the person who opened the session said that they were not the entity. Omitted otherwise, and once another token opens the session',
    ),
  created_at: timestamp,
  updated_at: timestamp,
})

/** The person's current step in a session. */
export const sessionProgress = z.object({
  step: z.enum(steps).describe(`The screen that the person sees now or will see next. ${mayGainValues}`),
  since: timestamp,
  tries_left: z
    .int()
    .min(0)
    .nullable()
    .describe(
      'The number of attempts left at `code`, `details`, `questions`, `number`, `deposits` or `card`; null at other steps',
    ),
  tries_used: z
    .int()
    .min(0)
    .nullable()
    .describe('The number of incorrect attempts at that step that count toward the limit'),
  account: z
    .string()
    .nullable()
    .describe('The account for the `number`, `deposits` or `card` step; null at other steps'),
  can_skip: z
    .boolean()
    .describe('True if the person can skip that account and continue with the other accounts that they chose'),
  waits_for: z
    .enum(['person', 'network', 'release', 'nothing'])
    .describe('`release`: the person is done, and you must release the payments'),
  last_code: z.string().nullable().describe('The reason that the flow is `blocked`'),
  retry_at: timestamp
    .nullable()
    .describe(
      'When the person can try again in this session, if the flow is `blocked` because they used all their attempts; otherwise null',
    ),
  steps: z
    .array(
      z.object({
        step: z.enum(steps),
        at: timestamp.describe('When the step was first shown'),
        tries: z.int().describe('The number of times the step was shown'),
      }),
    )
    .describe('The steps that were shown, in the order shown'),
})
