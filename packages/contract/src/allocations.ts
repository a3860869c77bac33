/**
 * The rules of a balance transfer. The frame applies them while the person types, and the service applies them on
 * confirmation and release. All functions are pure and calculate in whole cents. The module has no dependencies.
 */

export interface Terms {
  /** Total that can be allocated, in cents. */
  loan_amount: number
  /** Smallest amount for one account, in cents. An amount of 0 is always allowed and leaves the account unpaid. */
  minimum_payment: number
  /** Largest amount for one account, in cents. */
  maximum_payment: number
  /** Largest amount that may remain unallocated, in cents. */
  residual_amount_max: number
  /** True if an account may receive more than its known balance. */
  allow_over_balance: boolean
}

export interface Payable {
  id: string
  /** Cents owed, or null if unknown. */
  balance: number | null
}

/** A payable account with its interest rate. */
export interface Debt extends Payable {
  /** Annual percentage rate, or null if unknown. */
  apr: number | null
}

/** The order in which accounts are paid in a suggested split. */
export const suggestions = ['highest_rate', 'highest_balance', 'lowest_balance'] as const
export type Suggestion = (typeof suggestions)[number]

export type Allocations = Record<string, number>

/** The reason that a set of allocations can't be confirmed. `limit` is the nearest allowed amount, in cents. */
export type AllocationProblem =
  | { code: 'not_an_amount'; account: string }
  | { code: 'unknown_account'; account: string }
  | { code: 'below_minimum'; account: string; limit: number }
  | { code: 'above_maximum'; account: string; limit: number }
  | { code: 'above_balance'; account: string; limit: number; over: number }
  | { code: 'nothing_allocated' }
  | { code: 'exceeds_loan'; limit: number; over: number }
  | { code: 'residual_too_large'; limit: number; needed: number }

/** Returns the largest amount that the terms allow for an account, in cents, or 0 if that is below the minimum. */
export function ceiling(account: Payable, terms: Terms): number {
  const owed = terms.allow_over_balance || account.balance === null ? terms.maximum_payment : account.balance
  const most = Math.min(owed, terms.maximum_payment, terms.loan_amount)
  return most >= terms.minimum_payment ? most : 0
}

/** Sorts highest first, with unknown values last. */
const descending = (a: number | null, b: number | null): number => (b ?? -1) - (a ?? -1)
/** Sorts lowest first, with unknown values last. */
const ascending = (a: number | null, b: number | null): number => (a === null || b === null ? descending(a, b) : a - b)

const orders: Readonly<Record<Suggestion, (a: Debt, b: Debt) => number>> = {
  highest_rate: (a, b) => descending(a.apr, b.apr) || descending(a.balance, b.balance),
  highest_balance: (a, b) => descending(a.balance, b.balance),
  lowest_balance: (a, b) => ascending(a.balance, b.balance),
}

/**
 * Suggests amounts by filling accounts in the strategy's order, with ties broken by id. An account gets 0 if its amount
 * would be below the minimum.
 */
export function suggestAllocations(accounts: readonly Debt[], terms: Terms, suggestion: Suggestion): Allocations {
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
 * Estimates the interest saved in the first year, in cents. Multiplies each amount by the difference between its
 * account's rate and the loan's rate, adds up the results, and returns 0 if the sum is negative. Omits accounts without
 * a known rate, and returns null if no other account receives an amount.
 */
export function interestSaved(allocations: Allocations, accounts: readonly Debt[], loan_apr: number): number | null {
  const known = accounts.filter(({ id, apr }) => apr !== null && (allocations[id] ?? 0) > 0)
  if (known.length === 0) return null
  const saved = known.reduce((sum, { id, apr }) => sum + ((allocations[id] ?? 0) * (apr! - loan_apr)) / 100, 0)
  return Math.max(0, Math.round(saved))
}

/**
 * Returns every problem with these allocations. Problems with individual accounts come before problems with the totals.
 * Returns an empty list if the allocations can be confirmed.
 */
export function problemsOf(allocations: Allocations, accounts: readonly Payable[], terms: Terms): AllocationProblem[] {
  const found: AllocationProblem[] = []
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

/**
 * Returns the largest loan, in cents, for which some set of amounts satisfies the terms, with `residual_amount_max`
 * unchanged. Returns `loan_amount` if the terms can be met, or 0 if no account can receive the minimum payment.
 */
export function feasibleLoan(accounts: readonly Payable[], terms: Terms): number {
  const missing = shortfall(accounts, terms)
  return missing < minimumTotal(terms) ? terms.loan_amount - missing : 0
}

/** The smallest total that must be allocated, in cents. */
export const minimumTotal = (terms: Terms): number =>
  Math.max(terms.loan_amount - terms.residual_amount_max, terms.minimum_payment, 1)

/**
 * Returns how many cents the accounts fall short of the total that the terms require, or 0 if some set of amounts
 * satisfies the terms. If no split can satisfy the terms, the person must find out before typing anything. With k
 * accounts, the possible totals range from k times the minimum to the sum of the k highest ceilings. Comparing the sum
 * of all ceilings with the required total is therefore not enough: one account's ceiling may be below that total, while
 * the minimums of two accounts exceed the loan.
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
  return Math.max(0, minimumTotal(terms) - most)
}
