/**
 * The rules of a balance transfer, in one place: the frame uses them while the person types, the service when it
 * confirms and when it releases. Pure, in whole cents, no dependency. Source: specification 4.2 and 8.
 */

export interface Terms {
  /** Total that can be allocated, in cents. */
  loan_amount: number
  /** Least that one account can get, in cents; 0 always means "do not pay this account". */
  minimum_payment: number
  /** Most that one account can get, in cents. */
  maximum_payment: number
  /** Most that may stay unallocated, in cents. */
  residual_amount_max: number
  /** True if an account may get more than its known balance. */
  allow_over_balance: boolean
}

export interface Payable {
  id: string
  /** Cents owed, or null if unknown. */
  balance: number | null
}

/** A payable account with its rate. */
export interface Debt extends Payable {
  /** Percent a year, or null where it is unknown. */
  apr: number | null
}

/** The order in which a suggested split pays accounts. */
export const suggestions = ['highest_rate', 'highest_balance', 'lowest_balance'] as const
export type Suggestion = (typeof suggestions)[number]

export type Allocations = Record<string, number>

/** Why a set of allocations can't be confirmed. `limit` is the number that would be right, in cents. */
export type Problem =
  | { code: 'not_an_amount'; account: string }
  | { code: 'unknown_account'; account: string }
  | { code: 'below_minimum'; account: string; limit: number }
  | { code: 'above_maximum'; account: string; limit: number }
  | { code: 'above_balance'; account: string; limit: number; over: number }
  | { code: 'nothing_allocated' }
  | { code: 'exceeds_loan'; limit: number; over: number }
  | { code: 'residual_too_large'; limit: number; needed: number }

/** The most that an account can be given under the terms, in cents; 0 where even that is below the minimum. */
export function ceiling(account: Payable, terms: Terms): number {
  const owed = terms.allow_over_balance || account.balance === null ? terms.maximum_payment : account.balance
  const most = Math.min(owed, terms.maximum_payment, terms.loan_amount)
  return most >= terms.minimum_payment ? most : 0
}

/** Highest first; unknown values last. */
const descending = (a: number | null, b: number | null): number => (b ?? -1) - (a ?? -1)
/** Lowest first; unknown values last. */
const ascending = (a: number | null, b: number | null): number => (a === null || b === null ? descending(a, b) : a - b)

const orders: Readonly<Record<Suggestion, (a: Debt, b: Debt) => number>> = {
  highest_rate: (a, b) => descending(a.apr, b.apr) || descending(a.balance, b.balance),
  highest_balance: (a, b) => descending(a.balance, b.balance),
  lowest_balance: (a, b) => ascending(a.balance, b.balance),
}

/** Returns suggested amounts: fills accounts in the order of the suggestion, ties by id. An amount under the minimum stays 0. */
export function suggest(accounts: readonly Debt[], terms: Terms, suggestion: Suggestion): Allocations {
  const order = orders[suggestion]
  const ordered = [...accounts].sort((a, b) => order(a, b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  let remaining = terms.loan_amount
  const out: Allocations = {}
  for (const account of ordered) {
    const wanted = Math.min(account.balance ?? terms.maximum_payment, terms.maximum_payment, remaining)
    const amount = wanted >= terms.minimum_payment ? wanted : 0
    out[account.id] = amount
    remaining -= amount
  }
  return out
}

/** The sum of all amounts, in cents. */
export function total(allocations: Allocations): number {
  return Object.values(allocations).reduce((sum, amount) => sum + amount, 0)
}

/**
 * Estimates the interest saved in the first year, in cents: each amount times the difference between the account's rate and
 * the loan's, together never below 0. Returns null where no amount goes to an account with a known rate.
 */
export function interestSaved(allocations: Allocations, accounts: readonly Debt[], loan_apr: number): number | null {
  const known = accounts.filter(({ id, apr }) => apr !== null && (allocations[id] ?? 0) > 0)
  if (known.length === 0) return null
  const saved = known.reduce((sum, { id, apr }) => sum + ((allocations[id] ?? 0) * (apr! - loan_apr)) / 100, 0)
  return Math.max(0, Math.round(saved))
}

/** Everything that keeps these allocations from being confirmed, accounts first, then totals. Empty: they can be. */
export function problems(allocations: Allocations, accounts: readonly Payable[], terms: Terms): Problem[] {
  const found: Problem[] = []
  const known = new Map(accounts.map(account => [account.id, account]))
  for (const [id, amount] of Object.entries(allocations)) {
    const account = known.get(id)
    if (!account) found.push({ code: 'unknown_account', account: id })
    else if (!Number.isSafeInteger(amount) || amount < 0) found.push({ code: 'not_an_amount', account: id })
    else if (amount === 0) continue
    else if (amount > terms.maximum_payment)
      found.push({ code: 'above_maximum', account: id, limit: terms.maximum_payment })
    else if (!terms.allow_over_balance && account.balance !== null && amount > account.balance)
      found.push({ code: 'above_balance', account: id, limit: account.balance, over: amount - account.balance })
    else if (amount < terms.minimum_payment)
      found.push({ code: 'below_minimum', account: id, limit: terms.minimum_payment })
  }
  if (found.some(problem => problem.code === 'not_an_amount')) return found
  const sum = total(allocations)
  if (sum === 0) found.push({ code: 'nothing_allocated' })
  if (sum > terms.loan_amount)
    found.push({ code: 'exceeds_loan', limit: terms.loan_amount, over: sum - terms.loan_amount })
  const residual = terms.loan_amount - sum
  if (residual > terms.residual_amount_max)
    found.push({
      code: 'residual_too_large',
      limit: terms.residual_amount_max,
      needed: residual - terms.residual_amount_max,
    })
  return found
}

/** The least that must go to accounts, in cents. */
export const leastTotal = (terms: Terms): number =>
  Math.max(terms.loan_amount - terms.residual_amount_max, terms.minimum_payment, 1)

/**
 * The number of cents the accounts fall short of what the terms force to be placed; 0 where some selection of amounts
 * satisfies them. A person who can never confirm must learn it before they type. With k accounts every total from k
 * minimums to the k highest ceilings can be reached and none outside, so it is not enough to add the ceilings up: two
 * accounts can be too much where one is too little.
 */
export function shortfall(accounts: readonly Payable[], terms: Terms): number {
  const ceilings = accounts.map(account => ceiling(account, terms)).sort((a, b) => b - a)
  let capacity = 0
  let most = 0
  for (const [index, amount] of ceilings.entries()) {
    if (amount === 0 || terms.minimum_payment * (index + 1) > terms.loan_amount) break
    capacity += amount
    most = Math.max(most, Math.min(capacity, terms.loan_amount))
  }
  return Math.max(0, leastTotal(terms) - most)
}
