import { z } from 'zod'
import { MAX_AMOUNT, MIN_AMOUNT } from '../money.js'
import { payment, paymentStatuses, reversal } from '../resources/payment.js'
import { type Endpoint, expand, type Family, metadataInput, paging } from './endpoint.js'
import * as examples from './examples.js'

/** What the ends of a payment are refused for. */
export const sourceErrors = [
  'INVALID_SOURCE',
  'INVALID_SOURCE_LIABILITY',
  'INVALID_SOURCE_HOLDER',
  'INVALID_SOURCE_HOLDER_CAPABILITIES',
  'INVALID_SOURCE_CAPABILITIES',
  'INVALID_TRANSFER',
  'INSUFFICIENT_FUNDS',
] as const

const sides = expand([
  'source',
  'destination',
  'source.latest_verification_session',
  'destination.latest_verification_session',
])

const endpoints: Endpoint[] = [
  {
    method: 'POST',
    path: '/payments',
    summary: 'Create a payment',
    description:
      'From an ach account to a debt, in cents. Send an `Idempotency-Key`: the same key never pays twice, however late it comes. `dry_run` checks everything and keeps nothing.',
    body: z.object({
      amount: z.int().min(MIN_AMOUNT).max(MAX_AMOUNT).describe('Cents'),
      source: z.string().describe('An ach account'),
      destination: z.string().describe('A debt that can be paid'),
      description: z.string().max(10).describe('At most 10 characters'),
      fee: z
        .object({ type: z.enum(['total', 'markup']), amount: z.int().min(0) })
        .nullable()
        .optional(),
      reversal_account: z.string().nullable().optional(),
      dry_run: z.boolean().optional(),
      metadata: metadataInput,
    }),
    answer: payment,
    errors: [
      'INVALID_AMOUNT_TYPE',
      'INVALID_AMOUNT',
      'INVALID_ACH_DESCRIPTION',
      ...sourceErrors,
      'INVALID_DESTINATION',
      'INVALID_DESTINATION_HOLDER',
      'INVALID_DESTINATION_CAPABILITIES',
      'INVALID_ACH_DESTINATION_NOT_ALLOWED',
      'INVALID_DESTINATION_BALANCE',
      'MAX_AMOUNT_EXCEEDED',
      'MAX_REQUEST_LIMIT',
      'PAYMENT_REFUSED_BY_RAIL',
      'PAYMENTS_STOPPED',
      'MAX_PAYMENT_METADATA_SIZE_EXCEEDED',
    ],
    example: {
      request: { amount: 5000, source: examples.ach.id, destination: examples.liability.id, description: 'Loan' },
      answer: examples.payment,
    },
  },
  {
    method: 'GET',
    path: '/payments',
    summary: 'List payments',
    query: {
      ...paging,
      ...sides,
      status: z.enum(paymentStatuses),
      type: z.enum(['standard', 'clearing']),
      source: z.string(),
      destination: z.string(),
      reversal_id: z.string(),
      source_holder_id: z.string(),
      destination_holder_id: z.string(),
      acc_id: z.string().describe('At either end'),
      holder_id: z.string().describe('At either end'),
    },
    answer: payment,
    shape: 'list',
    example: { answer: [examples.payment] },
  },
  {
    method: 'GET',
    path: '/payments/:pmt_id',
    summary: 'Retrieve a payment',
    query: sides,
    answer: payment,
    example: { answer: { ...examples.payment, fund_status: 'pending' } },
  },
  {
    method: 'DELETE',
    path: '/payments/:pmt_id',
    summary: 'Cancel a payment',
    description: 'While it is `pending`. Answers the payment.',
    answer: payment,
    errors: ['INVALID_STATUS'],
    example: { answer: { ...examples.payment, status: 'canceled' } },
  },
]

const reversals: Endpoint[] = [
  {
    method: 'GET',
    path: '/payments/:pmt_id/reversals',
    summary: 'List the reversals of a payment',
    description: 'All of them, in the order that they were made; there is one where a payment came back.',
    answer: reversal,
    shape: 'list',
    example: { answer: [examples.reversal] },
  },
  {
    method: 'GET',
    path: '/payments/:pmt_id/reversals/:rvs_id',
    summary: 'Retrieve a reversal',
    answer: reversal,
    example: { answer: examples.reversal },
  },
  {
    method: 'PUT',
    path: '/payments/:pmt_id/reversals/:rvs_id',
    summary: 'Approve a reversal',
    description:
      'While it is `pending_approval`: the money then moves back, and the payment is `reversal_processing` until it has.',
    body: z.object({ status: z.literal('pending'), description: z.string().max(10).optional() }),
    answer: reversal,
    errors: ['INVALID_REVERSAL_STATUS', 'INVALID_ACH_DESCRIPTION'],
    example: { request: { status: 'pending' }, answer: { ...examples.reversal, status: 'pending' } },
  },
]

export const paymentFamily: Family = {
  name: 'Payments',
  about: 'Money from an ach account to a debt. `payment.update` tells of every step.',
  endpoints: [...endpoints, ...reversals],
}
