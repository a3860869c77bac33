/** Account attributes by liability type. Source: contract, account attributes. */

/** The attributes available in versions up to 2025-12-01. */
export const classicAccountAttributes = [
  'usage_pattern',
  'account_standing',
  'delinquent_period',
  'delinquent_outcome',
  'delinquent_amount',
  'utilization',
] as const

const days = (name: string, spans: readonly number[]) => spans.map(span => `${name}_${span}d`)
const weeks = (name: string) => [4, 8, 12].map(span => `${name}_${span}_week`)

const use = ['utilization', ...days('utilization_trend', [30, 90]), ...days('utilization_delta', [30, 60, 90])]
const next = ['next_payment_due_date', 'next_payment_minimum_amount']
const wallet = [
  'utilization_bucket',
  'purchasing_power',
  ...weeks('utilization_velocity'),
  'weeks_since_last_activity',
  'recent_balance_spike_flag',
  ...weeks('spend_concentration'),
  'current_wallet_rank',
  'brand_category',
  'brand_tier',
]
const common = [
  'type',
  'delinquency_flag',
  'any_delinquent_flag',
  'serious_delinquent_flag',
  'delinquency_recently_cured_flag',
  'delinquency_worst_dpd_bucket',
  'delinquency_progression_flag',
  'delinquent_outcome',
  ...next,
  'estimated_apr',
  'account_age',
  'enrolled_in_direct_pay_previously',
  'last_direct_pay_date',
  'last_direct_pay_amount',
  'number_of_direct_pay_in_12_months',
]
const loan = [...common, ...use, 'monthly_installments_estimate']

/** The attributes of each liability type. A type that is not listed has no attributes. */
export const accountAttributes: Readonly<Record<string, readonly string[]>> = {
  credit_card: [...common, 'usage_pattern', ...use, 'available_credit_limit', ...wallet],
  personal_loan: [...loan, 'heloc_utilization', 'available_loan_amount'],
  mortgage: loan,
}

/** Attribute groups that can be requested by a single name. */
export const accountAttributeBundles: Readonly<Record<string, readonly string[]>> = {
  wallet_intelligence: wallet,
  statement: [...next, 'delinquency_flag', 'estimated_apr'],
}

export const accountAttributeNames: readonly string[] = [...new Set(Object.values(accountAttributes).flat())]
