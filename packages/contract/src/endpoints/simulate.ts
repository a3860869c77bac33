import { z } from 'zod'
import { opalSession } from '../resources/opal.js'
import { payment, paymentStatuses } from '../resources/payment.js'
import { cents, timestamp } from '../resources/shared.js'
import { accountSimulations } from './account-products.js'
import { simulatedAmounts } from './accounts.js'
import type { Endpoint, Family } from './endpoint.js'
import * as examples from './examples.js'

const duration = z
  .string()
  .regex(/^P(?:\d{1,2}D)?(?:T(?:\d{1,2}H)?(?:\d{1,2}M)?(?:\d{1,2}S)?)?$/)
  .describe('ISO 8601, weeks to seconds')
const fault = {
  target: z.enum(['network', 'identity', 'rail', 'idempotency']),
  mode: z.enum(['slow', 'failing', 'flapping']),
}

const endpoints: Endpoint[] = [
  {
    method: 'POST',
    path: '/simulate/payments/:pmt_id',
    summary: 'Move a payment',
    description: 'To any status that can follow. One that fails takes an `error_code` of 10001 to 10010, not 10004.',
    body: z.object({
      status: z.enum(paymentStatuses),
      error_code: z.union([z.int(), z.string()]).nullable().optional(),
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
  endpoints: [...endpoints, ...accountSimulations, simulatedAmounts].map(endpoint => ({ ...endpoint, sandbox: true })),
}
