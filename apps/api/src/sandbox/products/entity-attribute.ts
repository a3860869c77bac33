/** Computes attributes of the people in the sandbox from their debts, as a credit bureau would. */

import type { AttributeValue } from '@causeway/connector/ports/entity-data'
import { DAY_MS } from '@causeway/contract/time'
import { debtAt } from '../debt-history.js'
import { pick } from '../digest.js'
import { findDebt } from '../liabilities.js'
import type { Debt } from '../tables/debts.js'
import { productOf } from '../tables/institutions.js'
import type { Person } from '../tables/people.js'
import type { SandboxProductWith } from './answer.js'

type Kind = 'cards' | 'personal_loan' | 'mortgage' | 'heloc' | 'overall' | 'installment' | 'other'

const sum = (debts: readonly Debt[], of: (debt: Debt) => number) => debts.reduce((total, debt) => total + of(debt), 0)
const percent = (part: number, whole: number) => Math.round((part / whole) * 1_000) / 10
const limit = (debt: Debt) => productOf(debt).size + (debt.limit ?? 0)

function groupDebts(debts: readonly Debt[]): Record<Kind, Debt[]> {
  const of = (...types: string[]) => debts.filter(debt => types.includes(productOf(debt).type))
  return {
    cards: of('credit_card'),
    personal_loan: of('personal_loan'),
    mortgage: of('mortgage'),
    heloc: debts.filter(debt => productOf(debt).sub_type === 'heloc'),
    overall: [...debts],
    installment: of('auto_loan', 'student_loan', 'student_loans'),
    other: of('bnpl', 'collection'),
  }
}

/** Functions that compute an amount across a group of debts, keyed by measure. */
const measures: Readonly<Record<string, (debts: readonly Debt[], about: string) => number>> = {
  balance_total: debts => sum(debts, debt => debt.balance),
  amount_total: debts => sum(debts, limit),
  limit_total: debts => sum(debts, limit),
  utilization: debts =>
    percent(
      sum(debts, debt => debt.balance),
      sum(debts, limit),
    ),
  apr: debts =>
    percent(
      sum(debts, debt => (debt.balance + 1) * productOf(debt).rate),
      sum(debts, debt => debt.balance + 1) * 100,
    ),
  available: debts => sum(debts, debt => Math.max(0, limit(debt) - debt.balance)),
  installments: debts => sum(debts, debt => Math.round(debt.balance / (productOf(debt).term ?? 36))),
  minimum: debts => sum(debts, debt => (debt.balance === 0 ? 0 : Math.max(2_500, Math.round(debt.balance / 50)))),
  balance_change: (debts, about) => pick(20_001, about, ...debts.map(debt => debt.reference)) - 10_000,
  drift: (debts, about) => (pick(61, about, ...debts.map(debt => debt.reference)) - 30) / 10,
}

/** Patterns for attribute names, each with a group of debts and a measure. The first matching pattern applies. */
const patterns: readonly [RegExp, Kind, string][] = [
  [/^(revolving_credit_card_balance_total)$/, 'cards', 'balance_total'],
  [/^credit_limit_total$/, 'cards', 'limit_total'],
  [/^(credit_card_utilization|utilization)$/, 'cards', 'utilization'],
  [/^(available_credit_limit_total|available_credit_total|purchasing_power)$/, 'cards', 'available'],
  [/^weighted_average_apr_credit_card$/, 'cards', 'apr'],
  [/^next_payment_minimum_total_credit_cards$/, 'cards', 'minimum'],
  [/^revolving_credit_card_balance_change/, 'cards', 'balance_change'],
  [/^revolving_credit_card_utilization/, 'cards', 'drift'],
  [/^available_loan_amount_personal_loans$/, 'personal_loan', 'available'],
  [/^personal_loan_monthly_installments_estimate$/, 'personal_loan', 'installments'],
  ...(['personal_loan', 'mortgage', 'heloc', 'overall', 'installment', 'other'] as const).flatMap(
    (kind): [RegExp, Kind, string][] => [
      [new RegExp(`^${kind}_balance_total$`), kind, 'balance_total'],
      [new RegExp(`^${kind}(_loan)?_amount_total$`), kind, 'amount_total'],
      [new RegExp(`^${kind}_utilization$`), kind, 'utilization'],
      [new RegExp(`^weighted_average_apr_${kind}$`), kind, 'apr'],
      [new RegExp(`^${kind}_balance_change`), kind, 'balance_change'],
      [new RegExp(`^${kind}_utilization_`), kind, 'drift'],
    ],
  ),
]

/**
 * Computes attributes that match no pattern: counts, labels and flags. Everyone in the sandbox pays on time, except
 * people with a debt in collections.
 */
function computeSingle(
  name: string,
  groups: Record<Kind, Debt[]>,
  soft: number,
  now: number,
): number | string | boolean | undefined {
  const { cards, overall, other } = groups
  const open = overall.filter(debt => !debt.closed_at)
  const late = other.filter(debt => productOf(debt).type === 'collection')
  const oldest = Math.min(...overall.map(debt => Date.parse(productOf(debt).opened_at)))
  const values: Record<string, number | string | boolean | undefined> = {
    usage_pattern: cards.some(debt => debt.balance > 0) ? 'revolver' : 'dormant',
    healthy_cards_count: cards.length,
    dormant_cards_count: cards.filter(debt => debt.balance === 0).length,
    delinquent_cards_count: 0,
    net_active_cards_count: cards.filter(debt => debt.balance > 0).length,
    payment_to_minimum_ratio_avg_credit_cards: 2,
    delinquency_flag_credit_cards: 'on_time',
    utilization_velocity_4_week: 'stable',
    utilization_velocity_8_week: 'stable',
    utilization_velocity_12_week: 'stable',
    any_delinquent_flag: late.length > 0,
    serious_delinquent_flag: late.length > 0,
    delinquency_recently_cured_flag: false,
    delinquency_progression_flag: false,
    delinquency_worst_dpd_bucket: late.length > 0 ? 'over_120' : 'none',
    delinquency_accounts_count: late.length,
    delinquent_balance_total: sum(late, debt => debt.balance),
    delinquent_outcome: late.length > 0 ? 'collection' : 'none',
    enrolled_in_direct_pay_previously: false,
    number_of_direct_pay_in_12_months: 0,
    credit_health_credit_card_usage: cards.length === 0 ? undefined : measures['utilization']!(cards, ''),
    credit_health_derogatory_marks: late.length,
    credit_health_hard_inquiries: overall.length % 3,
    credit_health_soft_inquiries: 2 + soft,
    credit_health_total_accounts: overall.length,
    credit_health_open_accounts: open.length,
    credit_health_credit_age: overall.length === 0 ? undefined : Math.floor((now - oldest) / (365.25 * DAY_MS)),
    credit_health_payment_history: late.length > 0 ? 91 : 100,
    credit_health_entity_delinquent: late.length,
  }
  return values[name]
}

/**
 * Computes the attributes in `names` that are available for a person.
 * @param soft the number of inquiries in addition to the two that everyone has
 */
function attributesOf(
  person: Person,
  names: readonly string[],
  soft: number,
  now: number,
): Record<string, AttributeValue> {
  const groups = groupDebts(person.debts.map(reference => debtAt(findDebt(reference)!, now)))
  const attributes: Record<string, AttributeValue> = {}
  for (const name of names) {
    const pattern = patterns.find(([matches]) => matches.test(name))
    const debts = pattern ? groups[pattern[1]] : groups.overall
    const value = pattern
      ? debts.length > 0
        ? measures[pattern[2]]!(debts, name)
        : undefined
      : computeSingle(name, groups, soft, now)
    if (value !== undefined)
      attributes[name] =
        name === 'credit_health_entity_delinquent' ? { value, metadata: { delinquent_accounts: [] } } : { value }
  }
  return attributes
}

export const entityAttribute: SandboxProductWith<'entityAttributes'> = {
  answers: world => ({
    async entityAttributes({ person: reference, names, soft_inquiries, now }) {
      const person = await world.person(reference)
      if (!person) return { status: 'failed', code: 24001 }
      return { status: 'completed', attributes: attributesOf(person, names, soft_inquiries, now) }
    },
  }),
}
