import { z } from 'zod'
import { counting, endpoint, expand, type Family, metadataInput, paging, sorting } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { MAX_AMOUNT, MAX_DESCRIPTION_LENGTH, MIN_AMOUNT } from '../money.js'
import { explanation, payment, paymentStatuses, postings, reversal } from '../resources/payment.js'
import { achText, idText } from '../text.js'

/** Text that a bank prints on a payment's statement line. */
const achDescription = achText(MAX_DESCRIPTION_LENGTH, 'INVALID_ACH_DESCRIPTION')

/** Errors related to a payment's source or destination. */
export const sourceErrors = [
  'INVALID_SOURCE',
  'INVALID_SOURCE_LIABILITY',
  'INVALID_SOURCE_HOLDER',
  'INVALID_SOURCE_HOLDER_CAPABILITIES',
  'INVALID_SOURCE_CAPABILITIES',
  'INSUFFICIENT_FUNDS',
] as const

const sides = expand([
  'source',
  'destination',
  'source.latest_verification_session',
  'destination.latest_verification_session',
])

export const endpoints = {
  createPayment: endpoint({
    method: 'POST',
    path: '/payments',
    scope: 'payments',
    summary: 'Create a payment',
    description:
      'Pays an amount in cents from an ACH account to a liability account. Send an `Idempotency-Key`: requests with the same key never pay twice, no matter when you send them. `dry_run` runs every check and stores nothing.',
    body: z
      .object({
        amount: z
          .int('INVALID_AMOUNT_TYPE')
          .min(MIN_AMOUNT, 'INVALID_AMOUNT')
          .max(MAX_AMOUNT, 'INVALID_AMOUNT')
          .describe('In cents'),
        source: idText.describe('The id of an ACH account'),
        destination: idText.describe('The id of a liability account that can receive payments'),
        description: achDescription,
        fee: z
          .object({ type: z.enum(['total', 'markup']), amount: z.int().min(0) })
          .nullable()
          .optional(),
        reversal_account: idText.nullable().optional(),
        dry_run: z.boolean().optional(),
        metadata: metadataInput('MAX_PAYMENT_METADATA_SIZE_EXCEEDED'),
      })
      .refine(({ fee, amount }) => !fee || fee.amount <= amount, 'fee.amount must be at most amount.')
      .refine(({ source, destination }) => source !== destination, 'INVALID_TRANSFER'),
    answer: payment,
    errors: [
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
    ],
    example: {
      request: { amount: 5000, source: examples.ach.id, destination: examples.liability.id, description: 'Loan' },
      answer: examples.payment,
    },
  }),
  listPayments: endpoint({
    method: 'GET',
    path: '/payments',
    summary: 'List payments',
    query: {
      ...paging,
      ...counting,
      ...sorting,
      ...sides,
      status: z.enum(paymentStatuses),
      type: z.enum(['standard', 'clearing']),
      source: z.string(),
      destination: z.string(),
      reversal_id: z.string(),
      source_holder_id: z.string(),
      destination_holder_id: z.string(),
      acc_id: z.string().describe('Only payments with this account as source or destination'),
      holder_id: z.string().describe('Only payments whose source or destination belongs to this holder'),
      session_id: z.string().describe('Only payments that the release of this session created'),
      fund_status: z.enum(['hold']).describe('Only pending payments that are on hold because payments are stopped'),
    },
    answer: payment,
    shape: 'list',
    example: { answer: [examples.payment] },
  }),
  retrievePayment: endpoint({
    method: 'GET',
    path: '/payments/:pmt_id',
    summary: 'Retrieve a payment',
    query: sides,
    answer: payment,
    example: { answer: { ...examples.payment, fund_status: 'pending' } },
  }),
  cancelPayment: endpoint({
    method: 'DELETE',
    path: '/payments/:pmt_id',
    scope: 'payments',
    summary: 'Cancel a payment',
    description: 'The payment must be `pending`. Returns the payment.',
    answer: payment,
    errors: ['INVALID_STATUS'],
    example: { answer: { ...examples.payment, status: 'canceled' } },
  }),
}

/** Endpoints that explain a payment to support staff. */
export const insight = {
  retrievePostings: endpoint({
    method: 'GET',
    path: '/payments/:pmt_id/postings',
    summary: "List a payment's ledger postings",
    answer: postings,
    example: {
      answer: {
        data: [
          { leg: 'processing', account: examples.ach.id, amount: -5000, created_at: examples.times.created_at },
          { leg: 'processing', account: 'clearing', amount: 5000, created_at: examples.times.created_at },
        ],
        sum: 0,
        agrees: true,
      },
    },
  }),
  retrieveExplanation: endpoint({
    method: 'GET',
    path: '/payments/:pmt_id/explanation',
    summary: 'Explain the state of a payment',
    description:
      'Returns codes for the problem, where the money is, the consequences, and the actions that this key can take.',
    answer: explanation,
    example: {
      answer: {
        cause: { code: 10009, side: 'destination' },
        money: { place: 'clearing', amount: 5000, account: examples.ach.id },
        reversal: { direction: 'credit', status: 'pending_approval' },
        consequences: ['destination_unpaid', 'others_unaffected'],
        actions: [{ name: 'approve_reversal', allowed: true, why_not: null }],
      },
    },
  }),
}

export const reversals = {
  listReversals: endpoint({
    method: 'GET',
    path: '/payments/:pmt_id/reversals',
    summary: 'List the reversals of a payment',
    description: 'Returns all reversals, oldest first. A returned payment has one reversal.',
    answer: reversal,
    shape: 'list',
    example: { answer: [examples.reversal] },
  }),
  retrieveReversal: endpoint({
    method: 'GET',
    path: '/payments/:pmt_id/reversals/:rvs_id',
    summary: 'Retrieve a reversal',
    answer: reversal,
    example: { answer: examples.reversal },
  }),
  updateReversal: endpoint({
    method: 'PUT',
    path: '/payments/:pmt_id/reversals/:rvs_id',
    scope: 'payments',
    summary: 'Approve a reversal',
    description:
      'The reversal must be `pending_approval`. Approving it moves the money back. The payment is `reversal_processing` until the reversal is complete.',
    body: z.object({ status: z.literal('pending', 'INVALID_REVERSAL_STATUS'), description: achDescription.optional() }),
    answer: reversal,
    example: { request: { status: 'pending' }, answer: { ...examples.reversal, status: 'pending' } },
  }),
}

export const paymentFamily: Family = {
  name: 'Payments',
  about: 'Payments from an ACH account to a liability account. The `payment.update` event reports each status.',
  endpoints: { ...endpoints, ...insight, ...reversals },
}
