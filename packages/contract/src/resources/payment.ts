import { z } from 'zod'
import { cents, date, metadata, pointer, resourceError, timestamp } from '../fields/shared.js'
import { account } from '../products/account.js'

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

/** A payment's status at its source or at its destination. */
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
      'Returned only in events and when you retrieve a payment. Remains `requested` while a payment is processing. `clearing` and `unknown` are never returned, because rails do not report them',
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
  returned_as: z
    .object({
      code: z.string().describe('Such as `R03`, the ACH code for an account that does not exist'),
      at: timestamp,
      trace: z.string().nullable().describe("The return's trace number"),
    })
    .nullable()
    .optional()
    .describe(
      'The code with which the bank or the payment network described a return or a failure. `error` explains it',
    ),
  idempotency_key: z
    .string()
    .nullable()
    .optional()
    .describe('The Idempotency-Key of the request that created the payment'),
  metadata: metadata.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})

/** One line of a payment's double-entry ledger. */
const posting = z.object({
  leg: z.enum(paymentStatuses).describe('The payment status that caused this posting'),
  account: z.string().describe('The id of an account, or `clearing`, `transit`, `fees`, `receivable` or `outside`'),
  amount: z.int().describe('In cents; negative if money left the account'),
  created_at: timestamp,
})

/** A payment's ledger. */
export const postings = z.object({
  data: z.array(posting).describe('The postings, in the order in which they were made'),
  sum: z.int().describe('The sum of the postings; always 0'),
  agrees: z.boolean().describe('True if the postings match the status of the payment and of its reversal'),
})

const moneyPlaces = ['source', 'clearing', 'transit', 'destination', 'receivable', 'returned'] as const
const consequences = [
  'destination_unpaid',
  'destination_paid',
  'destination_paid_in_part',
  'others_unaffected',
  'account_disabled',
  'source_disabled',
] as const
const paymentActions = ['cancel', 'approve_reversal', 'retry'] as const
const actionRefusals = ['ALREADY_SUBMITTED', 'PAYMENTS_STOPPED', 'NEEDS_PAYMENTS_SCOPE'] as const

const reversalStatuses = ['pending_approval', 'pending', 'processing', 'sent', 'failed'] as const
export type ReversalStatus = (typeof reversalStatuses)[number]

/** The reason for a payment's current state, and the available actions. */
export const explanation = z.object({
  cause: z
    .object({
      code: z
        .union([z.int(), z.enum(['PAYMENTS_STOPPED', 'HELD'])])
        .describe('The code of the `error`, or the reason that the payment is held'),
      side: z.enum(['source', 'destination', 'rail', 'team']),
    })
    .nullable()
    .describe('Null if nothing is wrong'),
  money: z.object({
    place: z
      .enum(moneyPlaces)
      .describe('`receivable`: the destination has the money, and `account` will be debited for it'),
    amount: cents,
    account: z
      .string()
      .nullable()
      .describe(
        'The account that holds the money or will receive it next. For `receivable`, the account that will be debited',
      ),
  }),
  reversal: z
    .object({
      direction: z
        .enum(['debit', 'credit'])
        .describe('`debit`: the reversal debits an account. `credit`: the reversal credits the payer'),
      status: z.enum(reversalStatuses),
    })
    .nullable()
    .describe('Null if the payment was not returned'),
  consequences: z.array(z.enum(consequences)),
  actions: z.array(
    z.object({
      name: z.enum(paymentActions).describe('To `retry`, create a new payment'),
      allowed: z.boolean(),
      why_not: z.enum(actionRefusals).nullable(),
    }),
  ),
})

/** A return of money. The exact field names are part of the contract. */
export const reversal = z.object({
  id: z.string(),
  pmt_id: z.string(),
  target_account: z.string().nullable().describe('The account that the reversal debits or credits'),
  trace_id: z.string().nullable(),
  direction: z.enum(['debit', 'credit']),
  description: z.string(),
  amount: cents.describe('The amount of the payment, or of the part that was returned'),
  status: z.enum(reversalStatuses),
  fee: z.null().describe('Always null: the service charges no fee for a return'),
  error: resourceError.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
