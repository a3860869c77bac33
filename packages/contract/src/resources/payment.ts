import { z } from 'zod'
import { account } from './account.js'
import { cents, date, metadata, pointer, resourceError, timestamp } from './shared.js'

export const paymentStatuses = [
  'pending',
  'canceled',
  'processing',
  'failed',
  'sent',
  'posted',
  'cashed',
  'settled',
  'reversal_required',
  'reversal_processing',
  'reversed',
  'partial_reversal_processing',
  'partially_reversed',
] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export const fundStatuses = [
  'pending',
  'hold',
  'requested',
  'clearing',
  'sent',
  'posted',
  'cashed',
  'failed',
  'unknown',
] as const

/** The status of a payment at its source, or at its destination. */
const endStatuses = [
  'pending',
  'canceled',
  'processing',
  'failed',
  'sent',
  'posted',
  'cashed',
  'settled',
  'reversed',
] as const satisfies readonly PaymentStatus[]
export type EndStatus = (typeof endStatuses)[number]

export const payment = z.object({
  id: z.string(),
  source: pointer(account),
  destination: pointer(account),
  amount: cents,
  description: z.string(),
  status: z.enum(paymentStatuses),
  fund_status: z
    .enum(fundStatuses)
    .optional()
    .describe(
      'Only in the response to a GET of this payment, and in events. It stays `requested` while a payment is processing. `clearing` and `unknown` are not used, because rails do not report them',
    ),
  estimated_completion_date: date.nullable(),
  source_trace_id: z.string().nullable(),
  source_settlement_date: date.nullable(),
  source_status: z.enum(endStatuses).nullable(),
  destination_trace_id: z.string().nullable(),
  destination_settlement_date: date.nullable(),
  destination_status: z.enum(endStatuses).nullable(),
  destination_payment_method: z.enum(['electronic', 'paper']).nullable().optional(),
  destination_posted_date: date.nullable().optional(),
  reversal_id: z.string().nullable(),
  reversal_account: z.string().nullable().optional(),
  payment_instrument: z.string().nullable().optional(),
  fee: z.object({ type: z.enum(['total', 'markup']), amount: cents }).nullable(),
  type: z.enum(['standard', 'clearing']),
  error: resourceError.nullable(),
  idempotency_key: z.string().nullable().optional().describe('The Idempotency-Key that created it'),
  metadata: metadata.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})

const reversalStatuses = ['pending_approval', 'pending', 'processing', 'sent', 'failed'] as const
export type ReversalStatus = (typeof reversalStatuses)[number]

/** Money on its way back. Its exact keys are promised. */
export const reversal = z.object({
  id: z.string(),
  pmt_id: z.string(),
  target_account: z.string().nullable().describe('The account that is debited or credited'),
  trace_id: z.string().nullable(),
  direction: z.enum(['debit', 'credit']),
  description: z.string(),
  amount: cents.describe('The amount of the payment, or the part that was returned'),
  status: z.enum(reversalStatuses),
  error: resourceError.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
