/** Splits a loan evenly, in whole cents. */
import { type Allocations, ceiling, type Payable, type Terms } from '@causeway/contract/allocations'

/**
 * Splits the loan equally among the accounts, up to each account's limit. The other accounts share any excess. Leftover
 * cents go to the first accounts. If the loan is too small to cover all accounts, the last ones get nothing.
 */
export function splitEvenly(accounts: readonly Payable[], terms: Terms): Allocations {
  const out: Allocations = Object.fromEntries(accounts.map(account => [account.id, 0]))
  let open = accounts.filter(account => ceiling(account, terms) > 0)
  open = open.slice(0, Math.max(1, Math.floor(terms.loan_amount / Math.max(1, terms.minimum_payment))))
  let left = terms.loan_amount
  while (open.length > 0 && left > 0) {
    const share = Math.floor(left / open.length)
    const full = open.filter(account => ceiling(account, terms) <= share)
    if (full.length === 0) {
      open.forEach((account, i) => {
        out[account.id] = share + (i < left - share * open.length ? 1 : 0)
      })
      break
    }
    for (const account of full) {
      out[account.id] = ceiling(account, terms)
      left -= ceiling(account, terms)
    }
    open = open.filter(account => !full.includes(account))
  }
  for (const [id, amount] of Object.entries(out)) if (amount < terms.minimum_payment) out[id] = 0
  return out
}
