import type { Debt } from './debts.js'

/** The limits of a Northwind loan, in cents. */
export const MIN_LOAN_CENTS = 100_000
export const MAX_LOAN_CENTS = 5_000_000
/** The annual rate in percent. Northwind charges no fees, so the APR equals the interest rate. */
export const LOAN_APR_PERCENT = 11.99
/** The term in months. */
export const LOAN_TERM_MONTHS = 36

/** Returns the fixed monthly payment in cents, using the standard amortization formula. */
export function monthlyPayment(loan_amount: number): number {
  const rate = LOAN_APR_PERCENT / 100 / 12
  return Math.round((loan_amount * rate) / (1 - (1 + rate) ** -LOAN_TERM_MONTHS))
}

/** The largest part of a loan that may remain unallocated. */
const MAX_RESIDUAL_SHARE = 0.15

/** Returns the terms of a loan's balance transfer: at least $25 per account, and at most 15% left over. */
export const termsFor = (loan_amount: number) => ({
  loan_amount,
  minimum_payment: 2_500,
  maximum_payment: loan_amount,
  residual_amount_max: Math.round(loan_amount * MAX_RESIDUAL_SHARE),
  loan_apr: LOAN_APR_PERCENT,
})

/** The amounts, in cents, that show whether debts are large enough for a loan. */
export interface LoanFit {
  /** The largest total that the debts can receive. */
  most: number
  /** The smallest total that the terms require. */
  least: number
  /** The largest loan that the debts are large enough for; null if no loan of this lender is small enough. */
  largest: number | null
}

/**
 * Returns the amounts if the debts are too small for a loan, so that the borrower learns this before choosing any
 * payments. Returns null if they may be large enough, or if a balance is unknown.
 */
export function loanFitOf(debts: readonly Debt[], loan_amount: number): LoanFit | null {
  const { minimum_payment, residual_amount_max } = termsFor(loan_amount)
  const balances = debts.map(({ balance }) => balance)
  if (balances.includes(null)) return null
  const most = balances.reduce<number>((sum, balance) => sum + (balance! >= minimum_payment ? balance! : 0), 0)
  const least = loan_amount - residual_amount_max
  if (most >= least) return null
  const largest = Math.floor(most / (1 - MAX_RESIDUAL_SHARE) / 10_000) * 10_000
  return { most, least, largest: largest >= MIN_LOAN_CENTS ? largest : null }
}

/**
 * Estimates the payments before the borrower chooses them. Assumes that the loan pays off debts whose rates are higher
 * than its own, starting with the highest rate.
 */
export function estimatePayments(debts: readonly Debt[], loan_amount: number): Record<string, number> {
  let left = loan_amount
  const dearest = debts.filter(({ apr }) => (apr ?? 0) > LOAN_APR_PERCENT).sort((a, b) => (b.apr ?? 0) - (a.apr ?? 0))
  return Object.fromEntries(
    dearest.map(({ id, balance }) => {
      const amount = Math.min(balance ?? 0, left)
      left -= amount
      return [id, amount]
    }),
  )
}

export interface Saving {
  debt: Debt
  amount: number
  apr: number
  /** The savings in the first year, in cents; negative if the loan costs more than the debt. */
  saved: number
}

/** Estimates how much each payment saves in the first year: the amount times the difference in rates. */
export const savingsOf = (debts: readonly Debt[], amounts: Record<string, number>): Saving[] =>
  debts.flatMap(debt => {
    const amount = amounts[debt.id] ?? 0
    if (amount === 0 || debt.apr === null) return []
    return { debt, amount, apr: debt.apr, saved: Math.round((amount * (debt.apr - LOAN_APR_PERCENT)) / 100) }
  })
