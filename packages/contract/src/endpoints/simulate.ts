import { z } from 'zod'
import { MAX_AMOUNT } from '../money.js'
import { creditScore, score } from '../resources/entity-products.js'
import { opalSession } from '../resources/opal.js'
import { payment, paymentStatuses } from '../resources/payment.js'
import { cents, timestamp } from '../resources/shared.js'
import { accountSimulations } from './account-products.js'
import { simulatedAmounts } from './accounts.js'
import type { Endpoint, Family } from './endpoint.js'
import * as of from './entity-examples.js'
import * as examples from './examples.js'

const duration = z
  .string()
  .regex(/^P(?:\d{1,2}D)?(?:T(?:\d{1,2}H)?(?:\d{1,2}M)?(?:\d{1,2}S)?)?$/)
  .describe('ISO 8601, weeks to seconds')
const fault = {
  target: z.enum(['network', 'identity', 'rail', 'idempotency']),
  mode: z.enum(['slow', 'failing', 'flapping']),
}

/** Client libraries append the entity's id once more, so each has a second path. */
const both = (endpoint: Endpoint): Endpoint[] => [endpoint, { ...endpoint, path: `${endpoint.path}/:again` }]

const entities: Endpoint[] = [
  ...both({
    method: 'POST',
    path: '/simulate/entities/:ent_id/connect',
    summary: 'Open accounts that the next connect finds',
    description: 'At most five wait for an entity. One that is subscribed to `connect` finds them at once.',
    body: z.object({
      behaviors: z
        .array(
          z.enum([
            'new_credit_card_account',
            'new_auto_loan_account',
            'new_mortgage_account',
            'new_student_loan_account',
            'new_personal_loan_account',
          ]),
        )
        .min(1)
        .max(5),
    }),
    answer: z.null(),
    shape: 'gone',
    example: { request: { behaviors: ['new_auto_loan_account'] }, answer: null },
  }),
  ...both({
    method: 'POST',
    path: '/simulate/entities/:ent_id/attributes',
    summary: 'Add inquiries that the next attributes count',
    body: z.object({ behaviors: z.array(z.literal('new_soft_inquiry')).min(1).max(5) }),
    answer: z.null(),
    shape: 'gone',
    example: { request: { behaviors: ['new_soft_inquiry'] }, answer: null },
  }),
  {
    method: 'POST',
    path: '/simulate/entities/:ent_id/credit_scores/:crs_id',
    summary: 'Complete a pending credit score',
    body: z.object({ scores: z.array(score).min(1).max(10) }),
    answer: creditScore,
    errors: ['INVALID_STATUS'],
    example: { request: of.scores, answer: of.creditScore },
  },
  {
    method: 'POST',
    path: '/simulate/events',
    summary: 'Tell of something as if it had happened',
    description:
      '`account.opened`, `credit_score.increased` and `.decreased`, and those of an attribute, take `entity_id`; `account.closed` takes `account_id`. Nothing changes.',
    body: z.object({ type: z.string(), entity_id: z.string().optional(), account_id: z.string().optional() }),
    answer: z.null(),
    shape: 'gone',
    errors: [
      'NOT_FOUND',
      'SIMULATION_RESTRICTED_MISSING_PRODUCT_REQUEST',
      'SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION',
    ],
    example: { request: { type: 'account.opened', entity_id: examples.entity.id }, answer: null },
  },
]

/** Manuals name the path in the singular too. */
const inbound = (path: string): Endpoint => ({
  method: 'POST',
  path,
  summary: 'Let money come in through an instrument',
  description:
    'Through an open one of type `inbound_achwire_payment`, from outside: the payment has no `source`, and moves on by itself. Versions before 2025-12-01 do not have it.',
  since: '2025-12-01',
  body: z.object({
    amount: z.int().min(1).max(MAX_AMOUNT).describe('Cents'),
    description: z.string().max(80).optional(),
  }),
  answer: payment,
  errors: ['INVALID_AMOUNT_TYPE', 'INVALID_AMOUNT', 'INVALID_STATUS', 'PAYMENTS_STOPPED'],
  example: {
    request: { amount: 5000, description: 'Rent' },
    answer: { ...examples.payment, source: null, status: 'processing', payment_instrument: 'pmt_inst_4kYq8ZbT1mXd5' },
  },
})

const endpoints: Endpoint[] = [
  inbound('/simulate/payments/payment_instruments/:id'),
  inbound('/simulate/payments/payment_instrument/:id'),
  {
    method: 'POST',
    path: '/simulate/payments/:pmt_id',
    summary: 'Move a payment',
    description:
      'To any status that can follow. One that fails or comes back takes an `error_code` of 10001 to 10010, not 10004; `partial_reversal_processing` takes the `amount` that came back, half of it unless told.',
    body: z.object({
      status: z.enum(paymentStatuses),
      error_code: z.union([z.int(), z.string()]).nullable().optional(),
      amount: z.int().min(1).optional().describe('Cents'),
    }),
    answer: payment,
    errors: ['INVALID_STATUS'],
    example: { request: { status: 'processing' }, answer: { ...examples.payment, status: 'processing' } },
  },
  {
    method: 'POST',
    path: '/simulate/opal/sessions/:id',
    summary: 'Confirm a balance transfer as its person would',
    body: z.object({ allocations: z.record(z.string().max(64), cents).describe('Account ids to cents') }),
    answer: opalSession,
    shape: 'wrapped',
    errors: [
      'INVALID_MODE_CONFIG',
      'INVALID_STATUS',
      'BT_NO_ALLOCATIONS',
      'BT_ACCOUNT_NOT_PAYABLE',
      'BT_AMOUNT_OUT_OF_BOUNDS',
      'BT_ALLOCATIONS_EXCEED_LOAN',
      'BT_RESIDUAL_EXCEEDS_MAX',
    ],
    example: { request: { allocations: { [examples.liability.id]: 128760 } }, answer: examples.opal },
  },
  {
    method: 'POST',
    path: '/simulate/clock',
    summary: "Move the team's clock forward",
    description: 'Settlements, expiries and retries happen as if the time had passed. At most 400 days.',
    body: z.object({ advance: duration }),
    answer: z.object({ now: timestamp, ahead_seconds: z.number() }),
    example: { request: { advance: 'P3D' }, answer: { now: '2026-03-05T15:00:00.000Z', ahead_seconds: 259200 } },
  },
  {
    method: 'POST',
    path: '/simulate/faults',
    summary: 'Let a part misbehave for a while',
    description: 'For this team alone, for a day at most.',
    body: z.object({ ...fault, for: duration }),
    answer: z.object({ ...fault, until: timestamp }),
    example: {
      request: { target: 'network', mode: 'slow', for: 'PT30S' },
      answer: { target: 'network', mode: 'slow', until: '2026-03-02T15:00:30.000Z' },
    },
  },
]

export const simulateFamily: Family = {
  name: 'Simulation',
  about: 'What the sandbox can be told. In production each is 403.',
  endpoints: [...endpoints, ...entities, ...accountSimulations, simulatedAmounts].map(endpoint => ({
    ...endpoint,
    sandbox: true,
  })),
}
