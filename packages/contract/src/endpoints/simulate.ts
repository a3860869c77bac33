import { z } from 'zod'
import { aliasOf, type Endpoint, endpoint, type Family } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { resourceErrors } from '../errors.js'
import { webhookTypes } from '../events.js'
import { cents, timestamp } from '../fields/shared.js'
import { simulatedAmounts } from '../methods/micro-deposits.js'
import { MAX_AMOUNT } from '../money.js'
import { cardBrandSimulations } from '../products/card-brand.js'
import { creditScore, creditScoreExample, score } from '../products/credit-score.js'
import { transactionSimulations } from '../products/transaction.js'
import { opalSession } from '../resources/opal.js'
import { payment, paymentStatuses } from '../resources/payment.js'
import { achText, idText } from '../text.js'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time.js'
import { managedAccountSimulations } from './managed-accounts.js'

const pattern = /^P(?=.)(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/
const units = [7 * DAY_MS, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS]

/**
 * Converts an ISO 8601 duration in weeks, days, hours, minutes and seconds, such as `P3D` or `PT30S`, to milliseconds.
 * Returns NaN for any other text.
 */
export function millisecondsOf(text: string): number {
  const parts = pattern.exec(text)
  return parts ? units.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0) : Number.NaN
}

const duration = (example: string, days: number) => {
  const says = `must be an ISO 8601 duration such as ${example}`
  return z
    .string(says)
    .max(64, { error: says, abort: true })
    .refine(text => !Number.isNaN(millisecondsOf(text)), says)
    .refine(text => !(millisecondsOf(text) > days * DAY_MS), `must be at most ${days} days`)
    .meta({
      pattern: '^P(\\d{1,5}W)?(\\d{1,5}D)?(T(\\d{1,6}H)?(\\d{1,7}M)?(\\d{1,9}S)?)?$',
      description: 'An ISO 8601 duration in weeks, days, hours, minutes and seconds',
    })
}
const fault = {
  target: z.enum(['network', 'identity', 'rail', 'idempotency']),
  mode: z.enum(['slow', 'failing', 'flapping']),
}

const simulatedFault = z.object({ ...fault, until: timestamp })
const simulatedClock = z.object({ now: timestamp, ahead_seconds: z.number() })

/** A test person in the sandbox. */
const simulatedPerson = z.object({
  phone: z.string(),
  last4: z.string().describe('The last four digits of `phone`'),
  title: z.string(),
  hint: z.string().nullable(),
  accounts: z.int().describe('The number of accounts that a connect finds'),
})

const simulatedTypes: readonly string[] = [
  'account.opened',
  'account.closed',
  'credit_score.increased',
  'credit_score.decreased',
]
/** True for event types that can be simulated. Accepts attribute events with or without the `entity_` prefix. */
const isSimulated = (type: string) =>
  simulatedTypes.includes(type) || (/^(entity_)?attribute\.\w+\.\w+$/.test(type) && webhookTypes.has(type))

/** Error codes that a payment can fail with. Only the service sets 10004. */
const failures = Object.keys(resourceErrors).filter(code => /^100\d\d$/.test(code) && code !== '10004')

/** Marks every endpoint as sandbox-only. */
const inSandbox = <E extends Record<string, Endpoint>>(all: E) =>
  Object.fromEntries(Object.entries(all).map(([id, each]) => [id, { ...each, sandbox: true }])) as unknown as {
    [K in keyof E]: E[K] & { sandbox: true }
  }

const simulateConnect = endpoint({
  method: 'POST',
  path: '/simulate/entities/:ent_id/connect',
  summary: 'Simulate newly opened accounts',
  description:
    'At most five accounts can be pending for an entity. If the entity is subscribed to `connect`, the accounts are found immediately.',
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
})

const simulateEntityAttributes = endpoint({
  method: 'POST',
  path: '/simulate/entities/:ent_id/attributes',
  summary: 'Simulate new credit inquiries',
  body: z.object({ behaviors: z.array(z.literal('new_soft_inquiry')).min(1).max(5) }),
  answer: z.null(),
  shape: 'gone',
  example: { request: { behaviors: ['new_soft_inquiry'] }, answer: null },
})

const entities = {
  simulateConnect,
  /** Client libraries append the entity id a second time. */
  simulateConnectAgain: aliasOf(simulateConnect, '/simulate/entities/:ent_id/connect/:again'),
  simulateEntityAttributes,
  /** Client libraries append the entity id a second time. */
  simulateEntityAttributesAgain: aliasOf(simulateEntityAttributes, '/simulate/entities/:ent_id/attributes/:again'),
  simulateCreditScore: endpoint({
    method: 'POST',
    path: '/simulate/entities/:ent_id/credit_scores/:crs_id',
    summary: 'Complete a pending credit score',
    description:
      'Send `scores`, or `score` for a single score of Equifax with the VantageScore 4.0 model. With the status `failed`, send neither.',
    body: z
      .object({
        scores: z.array(score).min(1).max(10).optional(),
        score: score.shape.score.nullish(),
        status: z.enum(['completed', 'failed']).optional().describe('Default: `completed`'),
      })
      .refine(
        ({ scores, score: single, status }) =>
          [scores, single ?? undefined].filter(each => each !== undefined).length === (status === 'failed' ? 0 : 1),
        'Send either scores or score. Send neither with the status failed.',
      ),
    answer: creditScore,
    errors: ['INVALID_STATUS', 'PRODUCT_CONSENT_MISSING'],
    example: { request: { scores: creditScoreExample.scores }, answer: creditScoreExample },
  }),
  simulateEvent: endpoint({
    method: 'POST',
    path: '/simulate/events',
    summary: 'Create an event without a change',
    description:
      '`account.opened`, `credit_score.increased`, `credit_score.decreased` and attribute types require `entity_id`; `account.closed` requires `account_id`. No resource changes.',
    body: z
      .object({
        type: z
          .string()
          .max(200, { abort: true })
          .refine(
            isSimulated,
            `must be one of: ${simulatedTypes.join(', ')}, or the type of an attribute, such as entity_attribute.credit_health_credit_age_value.increased`,
          ),
        entity_id: idText.optional(),
        account_id: idText.optional(),
      })
      .refine(
        ({ type, account_id }) => type !== 'account.closed' || account_id !== undefined,
        'account_id is required for account.closed.',
      )
      .refine(
        ({ type, entity_id }) => type === 'account.closed' || entity_id !== undefined,
        'entity_id is required for every type except account.closed.',
      ),
    answer: z.null(),
    shape: 'gone',
    errors: [
      'NOT_FOUND',
      'PRODUCT_CONSENT_MISSING',
      'SIMULATION_RESTRICTED_MISSING_PRODUCT_REQUEST',
      'SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION',
    ],
    example: { request: { type: 'account.opened', entity_id: examples.entity.id }, answer: null },
  }),
}

const simulateInboundPayment = endpoint({
  method: 'POST',
  path: '/simulate/payments/payment_instruments/:id',
  summary: 'Receive a payment through an instrument',
  description:
    'The instrument must be open and of type `inbound_achwire_payment`. The payment has no `source`, because the money comes from outside the service. The payment progresses automatically. Available from version 2025-12-01.',
  since: '2025-12-01',
  body: z.object({
    amount: z
      .int('INVALID_AMOUNT_TYPE')
      .min(1, 'INVALID_AMOUNT')
      .max(MAX_AMOUNT, 'INVALID_AMOUNT')
      .describe('In cents'),
    description: achText(80).optional(),
  }),
  answer: payment,
  errors: ['INVALID_STATUS', 'PAYMENTS_STOPPED'],
  example: {
    request: { amount: 5000, description: 'Rent' },
    answer: { ...examples.payment, source: null, status: 'processing', payment_instrument: 'pmt_inst_4kYq8ZbT1mXd5' },
  },
})

const endpoints = {
  simulateInboundPayment,
  simulateInboundPaymentSingular: aliasOf(simulateInboundPayment, '/simulate/payments/payment_instrument/:id'),
  simulatePayment: endpoint({
    method: 'POST',
    path: '/simulate/payments/:pmt_id',
    summary: 'Change the status of a payment',
    description:
      'Accepts any status that can follow the current one. For a failed or returned payment, send an `error_code` from 10001 to 10010, except 10004. For `partial_reversal_processing`, send the returned `amount`; the default is half of the amount that arrived.',
    body: z.object({
      status: z.enum(paymentStatuses),
      error_code: z
        .union([z.int(), z.string().max(64)])
        .refine(code => failures.includes(String(code)), `must be one of: ${failures.join(', ')}`)
        .nullable()
        .optional(),
      amount: z.int().min(1).optional().describe('In cents'),
    }),
    answer: payment,
    errors: ['INVALID_STATUS'],
    example: { request: { status: 'processing' }, answer: { ...examples.payment, status: 'processing' } },
  }),
  simulateOpalSession: endpoint({
    method: 'POST',
    path: '/simulate/opal/sessions/:id',
    summary: 'Confirm a balance transfer as the person',
    body: z.object({
      allocations: z
        .record(z.string().max(64), cents)
        .refine(amounts => Object.keys(amounts).length <= 500, 'must have at most 500 accounts')
        .meta({ maxProperties: 500 })
        .describe('The amounts in cents, keyed by account id'),
    }),
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
  }),
  simulateClock: endpoint({
    method: 'POST',
    path: '/simulate/clock',
    summary: "Move the team's clock forward",
    description: 'Settlements, expirations and retries happen as if the time had passed. At most 400 days.',
    body: z.object({
      advance: duration('P3D', 400).refine(text => millisecondsOf(text) !== 0, 'must be longer than zero'),
    }),
    answer: simulatedClock,
    example: { request: { advance: 'P3D' }, answer: { now: '2026-03-05T15:00:00.000Z', ahead_seconds: 259200 } },
  }),
  retrieveSimulatedClock: endpoint({
    method: 'GET',
    path: '/simulate/clock',
    summary: "Retrieve the team's clock",
    answer: simulatedClock,
    example: { answer: { now: '2026-03-05T15:00:00.000Z', ahead_seconds: 259200 } },
  }),
  simulateFault: endpoint({
    method: 'POST',
    path: '/simulate/faults',
    summary: 'Simulate faults in a part of the service',
    description: 'Affects only this team, for at most one day.',
    body: z.object({ ...fault, for: duration('PT30S', 1) }),
    answer: simulatedFault,
    example: {
      request: { target: 'network', mode: 'slow', for: 'PT30S' },
      answer: { target: 'network', mode: 'slow', until: '2026-03-02T15:00:30.000Z' },
    },
  }),
  listSimulatedFaults: endpoint({
    method: 'GET',
    path: '/simulate/faults',
    summary: 'List active simulated faults',
    description: 'Returns the simulated faults that are still active for this team.',
    answer: simulatedFault,
    shape: 'list',
    example: { answer: [{ target: 'network', mode: 'slow', until: '2026-03-02T15:00:30.000Z' }] },
  }),
  listSimulatedPeople: endpoint({
    method: 'GET',
    path: '/simulate/people',
    summary: "List the sandbox's test people",
    description: "To run a test person's scenario, create an entity with that person's phone number.",
    answer: simulatedPerson,
    shape: 'list',
    example: {
      answer: [{ phone: '+12025550143', last4: '0143', title: 'Four accounts, all payable', hint: null, accounts: 4 }],
    },
  }),
}

/** Simulations are available only in the sandbox. */
export const simulations = inSandbox({
  ...endpoints,
  ...entities,
  ...transactionSimulations,
  ...cardBrandSimulations,
  ...simulatedAmounts,
  ...managedAccountSimulations,
})

export const simulateFamily: Family = {
  name: 'Simulation',
  about: 'Controls for the sandbox. In production, these endpoints return 403.',
  endpoints: simulations,
}
