import type { ResourceErrorCode } from '@causeway/contract/errors'
import type { PaymentStatus, ReversalStatus } from '@causeway/contract/resources/payment'
import { sideOf } from '../payments/payment.js'

/** A reversal's direction (debit or credit) and the account to debit or credit. */
export interface ReversalPlan {
  direction: 'debit' | 'credit'
  /** Null if the money came from an external account. */
  target: string | null
}

/**
 * Plans how to correct a returned payment. If the destination sent the money back, the payer is credited. If the
 * payer's bank took the money back, an `ach` destination is debited. Money paid toward a debt can't be recovered, so
 * the debt stays paid and the payer is debited again. If a reversal account was specified, it replaces the payer's
 * account.
 */
export function planReversal(
  payment: { source: string | null; destination: string | null; reversal_account: string | null },
  destination: 'ach' | 'liability',
  code: ResourceErrorCode,
): ReversalPlan {
  const payer = payment.reversal_account ?? payment.source
  if (sideOf(code) === 'destination') return { direction: 'credit', target: payer }
  return { direction: 'debit', target: destination === 'ach' ? payment.destination : payer }
}

/** Returns the status that a payment reaches when its reversal is sent. */
export function statusAfterReversal(
  payment: { status: string; destination: string | null },
  { direction, target }: ReversalPlan,
): PaymentStatus {
  if (payment.status === 'partial_reversal_processing') return 'partially_reversed'
  return direction === 'credit' || target === payment.destination ? 'reversed' : 'settled'
}

/** Every move that a reversal can make. A failed reversal stays failed. */
export const reversalTransitions: Readonly<Record<ReversalStatus, readonly ReversalStatus[]>> = {
  pending_approval: ['pending'],
  pending: ['processing', 'sent', 'failed'],
  processing: ['sent', 'failed'],
  sent: [],
  failed: [],
}

/** The statuses that a reversal can have, for each status of its payment. */
export const reversalStatuses: Readonly<Partial<Record<PaymentStatus, readonly ReversalStatus[]>>> = {
  reversal_required: ['pending_approval'],
  reversal_processing: ['pending', 'processing', 'failed'],
  partial_reversal_processing: ['pending', 'processing', 'failed'],
  reversed: ['sent'],
  partially_reversed: ['sent'],
  settled: ['sent'],
}
