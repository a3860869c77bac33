import { z } from 'zod'
import { liability, record } from '../declaration/examples.js'
import { liabilityTypes } from '../fields/liability.js'
import { cents, date, pointer, timestamp } from '../fields/shared.js'
import { accountRecord, product, recordEnd } from './product.js'

const amount = cents.nullable()
const day = date.nullable()
const percent = z.number().nullable()

const common = {
  sub_type: z.string().nullable(),
  opened_at: day,
  closed_at: day,
  balance: amount,
  last_payment_amount: amount,
  last_payment_date: day,
  next_payment_due_date: day,
  next_payment_minimum_amount: amount,
}
const kind = z.enum(['fixed', 'variable']).nullable()
const rate = {
  interest_rate_type: kind,
  interest_rate_percentage: percent,
  interest_rate_source: z.enum(['financial_institution', 'public_data', 'method']).nullable(),
}
const loan = {
  ...common,
  ...rate,
  original_loan_amount: amount,
  term_length: z.int().nullable().describe('In months'),
  expected_payoff_date: day,
}
const delinquency = z
  .object({
    delinquent_status: z.string().nullable(),
    delinquent_period: z.string().nullable(),
    delinquent_start_date: day,
    delinquent_action: z.string().nullable(),
    delinquent_amount: amount,
    delinquent_history: z.array(z.record(z.string(), z.unknown())).nullable(),
  })
  .partial().shape
const { sub_type: _sub_type, ...partOfLoan } = loan
const disbursement = z.object({ sequence: z.int(), disbursed_at: day, ...partOfLoan })

const blocks = {
  credit_card: {
    ...common,
    interest_rate_type: kind,
    interest_rate_percentage_max: percent,
    interest_rate_percentage_min: percent,
    available_credit: amount,
    credit_limit: amount,
    usage_pattern: z.enum(['transactor', 'revolver', 'dormant', 'unknown']).nullable(),
    ...delinquency,
  },
  auto_loan: { ...loan, ...delinquency },
  mortgage: { ...loan, ...delinquency },
  personal_loan: { ...loan, available_credit: amount, ...delinquency },
  student_loan: { ...loan, ...delinquency },
  student_loans: {
    ...loan,
    expected_payoff_date: day.optional(),
    disbursements: z.array(disbursement).nullable(),
  },
} satisfies Partial<Record<(typeof liabilityTypes)[number], z.ZodRawShape>>

const block = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).optional()
const plain = block(z.object(common).partial().shape)

/**
 * An institution's report on a debt, or a bureau's monthly report. Only the block for the debt's type is present.
 * Amounts are in cents.
 */
export const update = z.object({
  ...accountRecord,
  source: z
    .enum(['direct', 'snapshot'])
    .describe('`direct`: the data is from the institution. `snapshot`: the data is from the monthly report'),
  type: z.enum(liabilityTypes).nullable().describe('Null, with no block, after consent for the account is withdrawn'),
  credit_card: block(blocks.credit_card),
  auto_loan: block(blocks.auto_loan),
  mortgage: block(blocks.mortgage),
  personal_loan: block(blocks.personal_loan),
  student_loan: block(blocks.student_loan),
  student_loans: block(blocks.student_loans),
  loan: plain,
  bnpl: plain,
  collection: plain,
  credit_builder: plain,
  fintech: plain,
  insurance: plain,
  medical: plain,
  utility: plain,
  data_as_of: timestamp.nullable().describe('Null until completed'),
  ...recordEnd,
})

const example = {
  id: 'upt_4kYq8ZbT1mXcU',
  account_id: liability.id,
  ...record,
  source: 'direct',
  type: 'credit_card',
  credit_card: {
    sub_type: 'unsecured',
    opened_at: '2019-05-14',
    closed_at: null,
    balance: 128760,
    last_payment_amount: 5000,
    last_payment_date: '2026-02-11',
    next_payment_due_date: '2026-03-14',
    next_payment_minimum_amount: 2575,
    interest_rate_type: 'variable',
    interest_rate_percentage_max: 24.99,
    interest_rate_percentage_min: 17.99,
    available_credit: 371240,
    credit_limit: 500000,
    usage_pattern: 'revolver',
  },
  data_as_of: '2026-03-02T15:00:00.000Z',
}

export const updateProduct = product({
  holder: 'account',
  name: 'update',
  path: 'updates',
  prefixes: { update: 'upt_' },
  events: ['update.create', 'update.update'],
  resource: ['Update', update],
  pointers: { update: pointer(update).optional() },
  connectable: true,
  enrollable: ['update', 'update.snapshot'],
  element: 'update',
  shares: 'statement',
  title: 'Updates',
  about: 'Everything an institution reports about a liability account: balance, payments, interest and terms.',
  records: {
    ids: ['Update', 'Updates'],
    one: 'an update',
    many: 'updates',
    example,
    create: {
      description:
        'Requests a direct update from the institution. Amounts are in cents. A failed record has error 21001.',
    },
  },
})
