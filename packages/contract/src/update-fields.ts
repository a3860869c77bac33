/**
 * The fields in an update's block, by liability type. In a pending update, every field is null. Source: contract,
 * updates.
 */
const common = [
  'sub_type',
  'opened_at',
  'closed_at',
  'balance',
  'last_payment_amount',
  'last_payment_date',
  'next_payment_due_date',
  'next_payment_minimum_amount',
]
const loan = [
  ...common,
  'interest_rate_type',
  'interest_rate_percentage',
  'interest_rate_source',
  'original_loan_amount',
  'term_length',
]

const fields: Record<string, readonly string[]> = {
  credit_card: [
    ...common,
    'interest_rate_type',
    'interest_rate_percentage_max',
    'interest_rate_percentage_min',
    'available_credit',
    'credit_limit',
    'usage_pattern',
  ],
  auto_loan: [...loan, 'expected_payoff_date'],
  mortgage: [...loan, 'expected_payoff_date'],
  personal_loan: [...loan, 'expected_payoff_date', 'available_credit'],
  student_loan: [...loan, 'expected_payoff_date'],
  student_loans: [...loan, 'disbursements'],
  bnpl: ['balance', 'opened_at', 'closed_at'],
  fintech: ['balance', 'opened_at', 'closed_at'],
}

const delinquency = [
  'delinquent_status',
  'delinquent_period',
  'delinquent_start_date',
  'delinquent_action',
  'delinquent_amount',
  'delinquent_history',
]
const delinquent = ['credit_card', 'auto_loan', 'personal_loan', 'mortgage', 'student_loan']

/** Returns every field that a block of this type can include. */
export const fieldsOfBlock = (type: string): string[] => [
  ...(fields[type] ?? common),
  ...(delinquent.includes(type) ? delinquency : []),
]

/**
 * Returns a block with exactly the fields for its type. Unknown values are null, as are all values in a pending update.
 */
export function showBlock(
  type: string,
  source: unknown,
  data: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  const more = source === 'snapshot' && delinquent.includes(type) ? delinquency : []
  return Object.fromEntries([...(fields[type] ?? common), ...more].map(name => [name, data?.[name] ?? null]))
}
