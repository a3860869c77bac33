/** The rules of a release. Pure: the release, and the exhaustive model of sessions, read the same rules. */
import { type Allocations, type Terms, total } from '@causeway/contract/allocations'
import { ServiceError } from '@causeway/contract/errors'
import { formatMoney } from '@causeway/contract/money'

/**
 * Returns `released` if the session was released before, `unconfirmed` if there is nothing to release, and otherwise
 * `confirmed`.
 */
export function releaseState(
  { payout_status, completed_at }: { payout_status: string; completed_at: number | null },
  allocations: Allocations,
): 'released' | 'unconfirmed' | 'confirmed' {
  // mutant: release-pays-once (remove)
  if (payout_status === 'released') return 'released'
  // mutant: release-needs-confirmation (false)
  if (completed_at === null || Object.keys(allocations).length === 0) return 'unconfirmed'
  return 'confirmed'
}

/**
 * Throws if the confirmed allocations no longer fit the session's terms, which may have changed since. Errors:
 * BT_AMOUNT_OUT_OF_BOUNDS, BT_ALLOCATIONS_EXCEED_LOAN, BT_RESIDUAL_EXCEEDS_MAX.
 */
export function checkTerms(allocations: Allocations, terms: Terms): void {
  // mutant: release-amount-in-bounds (false)
  for (const [account, amount] of Object.entries(allocations))
    if (amount > terms.maximum_payment || amount < terms.minimum_payment)
      throw new ServiceError(
        'BT_AMOUNT_OUT_OF_BOUNDS',
        `The allocation of ${account} is ${formatMoney(amount)}. It must be from ${formatMoney(terms.minimum_payment)} to ${formatMoney(terms.maximum_payment)}.`,
      )
  const sum = total(allocations)
  // mutant: release-within-loan (false)
  if (sum > terms.loan_amount)
    throw new ServiceError(
      'BT_ALLOCATIONS_EXCEED_LOAN',
      `The allocations total ${formatMoney(sum)}. They must total at most loan_amount, ${formatMoney(terms.loan_amount)}.`,
    )
  if (terms.loan_amount - sum > terms.residual_amount_max)
    throw new ServiceError(
      'BT_RESIDUAL_EXCEEDS_MAX',
      `The unallocated amount is ${formatMoney(terms.loan_amount - sum)}. It must be at most ${formatMoney(terms.residual_amount_max)}.`,
    )
}
