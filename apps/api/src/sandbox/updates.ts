/** Builds the update block for each liability type. */

import { pick } from './digest.js'
import type { Debt } from './tables/debts.js'
import { productOf } from './tables/institutions.js'

const common = [
  'sub_type',
  'opened_at',
  'closed_at',
  'balance',
  'last_payment_amount',
  'last_payment_date',
  'next_payment_due_date',
  'next_payment_minimum_amount',
] as const
const rate = ['interest_rate_type', 'interest_rate_percentage', 'interest_rate_source'] as const
const loan = [...common, ...rate, 'original_loan_amount', 'term_length', 'expected_payoff_date'] as const
const delinquency = [
  'delinquent_status',
  'delinquent_period',
  'delinquent_start_date',
  'delinquent_action',
  'delinquent_amount',
  'delinquent_history',
] as const

/** The exact keys in a direct update, by liability type. */
export const updateKeys: Readonly<Record<string, readonly string[]>> = {
  credit_card: [
    ...common,
    'interest_rate_type',
    'interest_rate_percentage_max',
    'interest_rate_percentage_min',
    'available_credit',
    'credit_limit',
    'usage_pattern',
  ],
  auto_loan: loan,
  mortgage: loan,
  personal_loan: [...loan, 'available_credit'],
  student_loan: loan,
  student_loans: [...common, ...rate, 'original_loan_amount', 'term_length', 'disbursements'],
  bnpl: ['balance', 'opened_at', 'closed_at'],
  collection: common,
}

/** Additional keys in a snapshot, by liability type. */
export const snapshotKeys: Readonly<Record<string, readonly string[]>> = {
  credit_card: delinquency,
  auto_loan: delinquency,
  mortgage: delinquency,
  personal_loan: delinquency,
  student_loan: delinquency,
}

/** Returns the update block at a given time (in epoch milliseconds). Amounts are in cents. */
export function updateBlock(debt: Debt, source: 'direct' | 'snapshot', at: number): Record<string, unknown> {
  const { type } = productOf(debt)
  const keys = [...updateKeys[type]!, ...(source === 'snapshot' ? (snapshotKeys[type] ?? []) : [])]
  const values: Record<string, unknown> = { ...valuesOf(debt, source, at), ...debt.update }
  return Object.fromEntries(keys.map(key => [key, values[key] ?? null]))
}

/** Returns the time of the latest snapshot: the start of the month in UTC, in epoch milliseconds. */
export function snapshotTime(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

function valuesOf(debt: Debt, source: 'direct' | 'snapshot', at: number): Record<string, unknown> {
  const product = productOf(debt)
  const { opened_at } = product
  const minimum = Math.min(debt.balance, Math.max(2_500, Math.round(debt.balance / 50)))
  const owes = debt.balance > 0 && !debt.closed_at
  const revolving = product.term === null
  const limit = product.size + (debt.limit ?? 0)
  return {
    sub_type: product.sub_type,
    opened_at,
    closed_at: debt.closed_at,
    balance: debt.balance,
    ...(owes ? paymentDates(debt, at) : {}),
    last_payment_amount: owes ? minimum * 2 : null,
    next_payment_minimum_amount: owes ? minimum : null,
    interest_rate_type: revolving ? 'variable' : 'fixed',
    interest_rate_percentage: product.rate,
    interest_rate_percentage_max: product.rate,
    interest_rate_percentage_min: Math.round((product.rate - 7) * 100) / 100,
    interest_rate_source: source === 'direct' ? 'financial_institution' : 'public_data',
    original_loan_amount: revolving ? null : product.size,
    term_length: product.term,
    expected_payoff_date: product.term === null ? null : addMonths(opened_at, product.term),
    available_credit: revolving ? Math.max(0, limit - debt.balance) : null,
    credit_limit: limit,
    usage_pattern: owes ? 'revolver' : 'dormant',
    disbursements: disbursements(debt, opened_at),
    delinquent_history: [],
  }
}

/** Returns the day of the month on which a debt is due, from 1 to 28. */
export const dueDay = ({ reference }: Debt): number => 1 + pick(28, 'due day', reference)

/** Returns the next due date after `at`, and the date of the last payment: three days before the previous due date. */
function paymentDates(debt: Debt, at: number) {
  const today = new Date(at)
  const day = dueDay(debt)
  const month = today.getUTCMonth() + (day > today.getUTCDate() ? 0 : 1)
  const date = (months: number, days: number) => dateOf(Date.UTC(today.getUTCFullYear(), month + months, day + days))
  return { next_payment_due_date: date(0, 0), last_payment_date: date(-1, -3) }
}

/** Returns the two parts of a consolidated student loan: 60% was disbursed at opening, and the rest a year later. */
function disbursements(debt: Debt, opened_at: string) {
  const { rate: interest, size, term } = productOf(debt)
  const first = Math.round(debt.balance * 0.6)
  const firstSize = Math.round(size * 0.6)
  const part = (sequence: number, disbursed_at: string, balance: number, original_loan_amount: number) => ({
    sequence,
    disbursed_at,
    balance,
    opened_at: disbursed_at,
    closed_at: null,
    last_payment_amount: null,
    last_payment_date: null,
    next_payment_due_date: null,
    next_payment_minimum_amount: null,
    expected_payoff_date: term === null ? null : addMonths(disbursed_at, term),
    interest_rate_percentage: interest,
    interest_rate_source: 'financial_institution',
    interest_rate_type: 'fixed',
    original_loan_amount,
    term_length: term,
  })
  return [
    part(1, opened_at, first, firstSize),
    part(2, addMonths(opened_at, 12), debt.balance - first, size - firstSize),
  ]
}

function addMonths(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  return dateOf(Date.UTC(year, month - 1 + months, day))
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
