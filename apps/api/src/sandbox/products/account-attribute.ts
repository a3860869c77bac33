/** Computes the value of each account attribute in the sandbox. */

import type { AttributeValue } from '@causeway/connector/ports/account-data'
import { DAY_MS } from '@causeway/contract/time'
import { pick } from '../digest.js'
import type { Debt } from '../tables/debts.js'
import { productOf } from '../tables/institutions.js'
import { updateBlock } from '../updates.js'
import type { SandboxProductWith } from './answer.js'

const MONTH_MS = 30.44 * DAY_MS

/**
 * Returns an attribute's value at a given time (in epoch milliseconds), or null if it cannot be computed for the debt.
 * Amounts are in cents, and rates are in percent.
 */
function attributeOf(debt: Debt, name: string, at: number): AttributeValue {
  const product = productOf(debt)
  const block = updateBlock(debt, 'direct', at)
  const utilization = Math.round((debt.balance / product.size) * 10_000) / 100
  const revolving = product.term === null
  const available = Math.max(0, product.size - debt.balance)
  const heloc = product.sub_type === 'heloc'
  const values: Readonly<Record<string, AttributeValue>> = {
    type: product.type,
    usage_pattern: debt.balance === 0 ? 'dormant' : utilization < 10 ? 'transactor' : 'revolver',
    account_standing: debt.closed_at ? 'closed' : 'good',
    delinquency_flag: 'on_time',
    delinquent_period: null,
    delinquent_outcome: null,
    delinquent_amount: 0,
    delinquency_worst_dpd_bucket: 'current',
    any_delinquent_flag: false,
    serious_delinquent_flag: false,
    delinquency_recently_cured_flag: false,
    delinquency_progression_flag: false,
    utilization,
    utilization_bucket: utilization < 10 ? '0_10' : utilization < 30 ? '10_30' : utilization < 50 ? '30_50' : '50_100',
    heloc_utilization: heloc ? utilization : null,
    available_credit_limit: revolving ? available : null,
    available_loan_amount: heloc || product.sub_type === 'line_of_credit' ? available : null,
    purchasing_power: revolving ? available : null,
    monthly_installments_estimate: product.term === null ? null : Math.round(product.size / product.term),
    next_payment_due_date: text(block['next_payment_due_date']),
    next_payment_minimum_amount: debt.balance === 0 ? 0 : Number(block['next_payment_minimum_amount'] ?? 0),
    estimated_apr: product.rate,
    account_age: Math.floor((at - Date.parse(product.opened_at)) / MONTH_MS),
    weeks_since_last_activity: debt.balance === 0 ? null : pick(5, 'activity', debt.reference),
    recent_balance_spike_flag: false,
    current_wallet_rank: 1 + pick(4, 'wallet', debt.reference),
    brand_category: revolving ? 'travel' : null,
    brand_tier: revolving ? 'signature' : null,
    enrolled_in_direct_pay_previously: false,
    last_direct_pay_date: null,
    last_direct_pay_amount: null,
    number_of_direct_pay_in_12_months: 0,
  }
  if (name in values) return values[name]!
  if (/^utilization_(trend|delta)_\d+d$/.test(name)) return pick(7, name, debt.reference) - 3
  if (/^utilization_velocity_\d+_week$/.test(name)) return 'stable'
  if (/^spend_concentration_\d+_week$/.test(name)) return pick(100, name, debt.reference)
  return null
}

const text = (value: unknown) => (typeof value === 'string' ? value : null)

export const accountAttribute: SandboxProductWith<'attributes'> = {
  supports: { attribute: ({ type }) => ['credit_card', 'personal_loan', 'mortgage'].includes(type) },
  answers: world => ({
    async attributes({ names, ...call }) {
      const debt = await world.debt(call)
      if (!debt) return { status: 'failed', code: 24001 }
      return {
        status: 'completed',
        values: Object.fromEntries(names.map(name => [name, attributeOf(debt, name, call.now)])),
      }
    },
  }),
}
