/** The fields of an update's block by liability type, so that a pending one shows each of them as null. Source: contract, updates. */
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
}

export function blankUpdate(type: string): Record<string, null> {
  return Object.fromEntries((fields[type] ?? common).map(name => [name, null]))
}
