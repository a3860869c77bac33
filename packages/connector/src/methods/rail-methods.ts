import { isPartialAmount } from '@causeway/contract/money'
import { text as matching } from '@causeway/contract/text'
import { z } from 'zod'
import type { Rail, RailPayment } from '../ports/rail.js'
import type { Methods } from './method.js'
import {
  cents,
  day,
  nullableText,
  paymentFailure,
  paymentRefusal,
  railAccount,
  railRefusals,
  returnFields,
  reversalFailure,
  text,
  time,
  transfers,
} from './shapes.js'

const payment = z
  .object({
    payment_id: text,
    amount: cents,
    fee: cents,
    source: railAccount.nullable(),
    destination: railAccount,
    created_at: time,
    source_date: day,
    destination_date: day,
  })
  .meta({ id: 'payment' })

const reversal = z
  .object({
    reversal_id: text,
    payment_id: text,
    amount: cents,
    direction: z.enum(['debit', 'credit']),
    target: railAccount.nullable(),
    approved_at: time,
    date: day,
  })
  .meta({ id: 'reversal' })

/** Fields that describe a payment in every status. */
const traceFields = {
  source_trace_id: nullableText,
  destination_trace_id: nullableText,
  next_at: time.nullable(),
  transfers,
  ...returnFields,
}

/** Fields that describe a reversal in every status. */
const reversalFields = { trace_id: nullableText, next_at: time.nullable(), transfers }

const transactionId = matching({
  max: 60,
  pattern: /^macc_txn_\w{1,40}$/,
  error: 'must be an id that begins with macc_txn_',
})

const simulated = z
  .array(z.object({ id: transactionId, amount: z.int(), at: time }))
  .max(1_000)
  .exactOptional()

export const railMethods = {
  accepts: {
    kind: 'read',
    what: 'Checks that the rail would accept this payment. Nothing is submitted.',
    question: z.object({ amount: cents, source: railAccount, destination: railAccount }),
    answer: z.discriminatedUnion('accepted', [
      z.object({ accepted: z.literal(true) }),
      z.object({ accepted: z.literal(false), sub_type: z.enum(railRefusals) }),
    ]),
  },
  submit: {
    kind: 'act',
    what: 'Submits a payment: `amount` leaves the source, and `amount` minus `fee` arrives. The team keeps the fee. `request_id` is the payment’s id: money moves only once per id, even if the payment is submitted again.',
    question: payment,
    answer: z.discriminatedUnion('status', [
      z.object({ status: z.literal('accepted') }),
      z.object({ status: z.literal('refused'), code: paymentRefusal }),
    ]),
  },
  cancel: {
    kind: 'act',
    what: 'Cancels a payment if the money has not left the source. If the payment has not been submitted yet, return `canceled`, and refuse its later `submit` with 10004. The payment’s creator requests the cancellation, or the service does if the source was disabled.',
    question: payment,
    answer: z.object({ status: z.enum(['canceled', 'too_late']) }),
  },
  status: {
    kind: 'read',
    what: "Returns a payment's status and the time to call again, in epoch milliseconds; null means to call only after a push. `returned`: for a partial return, the returned amount in cents, which is less than the amount that arrived. `returned_as`: the rail’s own code for a return. `noc`: a notification of change, which `corrected` details; later payments must use these details. `transfers`: the rail’s own ids of what it did, as its statement names them. A return or a notice can follow `posted`, so set `next_at` until neither can arrive any more.",
    question: payment,
    answer: z.discriminatedUnion('status', [
      z.object({
        status: z.enum(['pending', 'processing', 'sent', 'posted']),
        code: z.null(),
        returned: z.null(),
        ...traceFields,
      }),
      z.object({
        status: z.enum(['failed', 'reversal_required']),
        code: paymentFailure,
        returned: z.null(),
        ...traceFields,
      }),
      z.object({
        status: z.literal('partial_reversal_processing'),
        code: paymentFailure,
        returned: z.int().min(1),
        ...traceFields,
      }),
    ]),
    impossible({ amount, fee }: RailPayment, { returned }: { returned: number | null }) {
      return returned === null || isPartialAmount(returned, amount - fee)
        ? null
        : 'returned must be less than what arrived'
    },
  },
  reverse: {
    kind: 'act',
    what: 'Submits a reversal, which moves the money back. `request_id` is the reversal’s id.',
    question: reversal,
    answer: z.null(),
  },
  reversal: {
    kind: 'read',
    what: "Returns a reversal's status and the time to call again.",
    question: reversal,
    answer: z.discriminatedUnion('status', [
      z.object({
        status: z.enum(['pending', 'processing', 'sent']),
        code: z.null(),
        ...reversalFields,
      }),
      z.object({
        status: z.literal('failed'),
        code: reversalFailure,
        ...reversalFields,
      }),
    ]),
  },
  managedAccounts: {
    kind: 'read',
    what: 'Returns the accounts that the rail holds for the team, usually only a few. `simulated`: the transactions that the team requested in a test network. Other networks ignore them. Optional: a connector without managed accounts responds with `UNKNOWN_METHOD`.',
    question: z.object({ simulated }),
    answer: z.object({
      accounts: z
        .array(
          z.object({
            id: matching({ max: 60, pattern: /^macc_\w{1,40}$/, error: 'must be an id that begins with macc_' }),
            routing: text,
            number: text,
            current_balance: z.int(),
            available_balance: z.int(),
            opened_at: time,
          }),
        )
        .max(100),
    }),
    absent: { accounts: [] },
  },
  managedTransactions: {
    kind: 'read',
    what: 'Returns a page of an account’s transactions between two days, latest first. The page starts with the transaction that has the given id (null: the latest). `next` and `previous` are the first ids of the adjacent pages. Optional, like `rail/managed_accounts`.',
    question: z.object({
      account: text,
      from: day.nullable(),
      to: day.nullable(),
      start: nullableText,
      limit: z.int().min(1).max(100),
      simulated,
    }),
    answer: z.object({
      transactions: z.array(z.object({ id: transactionId, description: text, date: day, amount: z.int() })).max(100),
      next: transactionId.nullable(),
      previous: transactionId.nullable(),
    }),
    absent: { transactions: [], next: null, previous: null },
  },
} satisfies Methods<Rail>
