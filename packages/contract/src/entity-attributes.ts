/**
 * The names of the attributes that the service can compute for a person, grouped by type of value. Source: contract,
 * entity attributes.
 */

/**
 * The credit health attributes in versions up to 2025-12-01. In those versions, a request must name the attributes to
 * compute.
 */
export const creditHealth = [
  'credit_health_credit_card_usage',
  'credit_health_derogatory_marks',
  'credit_health_hard_inquiries',
  'credit_health_soft_inquiries',
  'credit_health_total_accounts',
  'credit_health_credit_age',
  'credit_health_payment_history',
  'credit_health_open_accounts',
  'credit_health_entity_delinquent',
] as const
export type CreditHealth = (typeof creditHealth)[number]

const cards = [
  'revolving_credit_card_balance_total',
  'credit_limit_total',
  'credit_card_utilization',
  'available_credit_limit_total',
  'available_credit_total',
  'weighted_average_apr_credit_card',
  'utilization',
  'purchasing_power',
  'healthy_cards_count',
  'dormant_cards_count',
  'delinquent_cards_count',
  'net_active_cards_count',
  'next_payment_minimum_total_credit_cards',
  'payment_to_minimum_ratio_avg_credit_cards',
  'revolving_credit_card_balance_change_30d',
  'revolving_credit_card_balance_change_60d',
  'revolving_credit_card_balance_change_90d',
  'revolving_credit_card_utilization_trend_30d',
  'revolving_credit_card_utilization_trend_90d',
  'revolving_credit_card_utilization_delta_30d',
  'revolving_credit_card_utilization_delta_60d',
  'revolving_credit_card_utilization_delta_90d',
] as const
const cardWords = [
  'usage_pattern',
  'utilization_velocity_4_week',
  'utilization_velocity_8_week',
  'utilization_velocity_12_week',
  'delinquency_flag_credit_cards',
] as const

/**
 * Numeric attributes: cents, percentages and counts. Only numeric attributes have `increased` and `decreased` events.
 */
export const numericAttributes = [
  ...cards,
  'delinquency_accounts_count',
  'delinquent_balance_total',
  'personal_loan_balance_total',
  'personal_loan_amount_total',
  'available_loan_amount_personal_loans',
  'personal_loan_monthly_installments_estimate',
  'personal_loan_utilization',
  'weighted_average_apr_personal_loan',
  'personal_loan_balance_change_30d',
  'personal_loan_balance_change_60d',
  'personal_loan_balance_change_90d',
  'personal_loan_utilization_trend_30d',
  'personal_loan_utilization_trend_90d',
  'personal_loan_utilization_delta_30d',
  'personal_loan_utilization_delta_60d',
  'personal_loan_utilization_delta_90d',
  'mortgage_balance_total',
  'mortgage_loan_amount_total',
  'weighted_average_apr_mortgage',
  'mortgage_balance_change_30d',
  'mortgage_balance_change_60d',
  'mortgage_balance_change_90d',
  'mortgage_utilization_trend_30d',
  'mortgage_utilization_trend_90d',
  'mortgage_utilization_delta_30d',
  'mortgage_utilization_delta_60d',
  'mortgage_utilization_delta_90d',
  'heloc_balance_total',
  'heloc_utilization',
  'overall_loan_amount_total',
  'overall_utilization',
  'overall_utilization_trend_30d',
  'overall_utilization_trend_90d',
  'overall_utilization_delta_30d',
  'overall_utilization_delta_60d',
  'overall_utilization_delta_90d',
  'installment_balance_total',
  'installment_balance_change_30d',
  'installment_balance_change_60d',
  'installment_balance_change_90d',
  'other_balance_total',
  'other_balance_change_30d',
  'other_balance_change_60d',
  'other_balance_change_90d',
  'last_direct_pay_amount',
  'number_of_direct_pay_in_12_months',
] as const
export type NumericAttribute = (typeof numericAttributes)[number]

/** Attributes with non-numeric values: text, days and flags. */
const others = [
  ...cardWords,
  'delinquency_worst_dpd_bucket',
  'delinquent_outcome',
  'any_delinquent_flag',
  'serious_delinquent_flag',
  'delinquency_recently_cured_flag',
  'delinquency_progression_flag',
  'enrolled_in_direct_pay_previously',
  'last_direct_pay_date',
] as const

export const entityAttributes = [...numericAttributes, ...others] as const
export type EntityAttribute = (typeof entityAttributes)[number]

/** Attribute groups that can be requested by a single name. */
export const attributeBundles = {
  portfolio_intelligence: entityAttributes,
  wallet_intelligence: [...cards, ...cardWords],
} as const satisfies Record<string, readonly EntityAttribute[]>
