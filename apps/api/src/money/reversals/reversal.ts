import type { ResourceErrorCode } from '@causeway/contract/errors'
import type { PaymentStatus, ReversalStatus } from '@causeway/contract/resources/payment'
import { sideOf } from '../payments/payment.js'

/** The direction of a reversal: take the money from an account, or give it to one. */
export interface Plan {
  direction: 'debit' | 'credit'
  /** Null: where the money came from outside. */
  target: string | null
}

/**
 * Corrects a payment that was returned. The destination sent it back: the payer gets it. The payer's bank took it back:
 * an ach destination returns it, and a debt, which never does, stays paid while the payer is debited again. The payer's
 * side is the account for reversals, where one was named.
 */
export function planReversal(
  payment: { source: string | null; destination: string | null; reversal_account: string | null },
  destination: 'ach' | 'liability',
  code: ResourceErrorCode,
): Plan {
  const payer = payment.reversal_account ?? payment.source
  if (sideOf(code) === 'destination') return { direction: 'credit', target: payer }
  return { direction: 'debit', target: destination === 'ach' ? payment.destination : payer }
}

/** The status of a payment when its reversal was sent. */
export function endOf(
  payment: { status: string; destination: string | null },
  { direction, target }: Plan,
): PaymentStatus {
  if (payment.status === 'partial_reversal_processing') return 'partially_reversed'
  return direction === 'credit' || target === payment.destination ? 'reversed' : 'settled'
}

/** Every move that a reversal can make. One that failed stays failed. */
export const reversalMoves: Readonly<Record<ReversalStatus, readonly ReversalStatus[]>> = {
  pending_approval: ['pending'],
  pending: ['processing', 'sent', 'failed'],
  processing: ['sent', 'failed'],
  sent: [],
  failed: [],
}

/** The reversals that a payment in this status can have. */
export const reversalsOf: Readonly<Partial<Record<PaymentStatus, readonly ReversalStatus[]>>> = {
  reversal_required: ['pending_approval'],
  reversal_processing: ['pending', 'processing', 'failed'],
  partial_reversal_processing: ['pending', 'processing', 'failed'],
  reversed: ['sent'],
  partially_reversed: ['sent'],
  settled: ['sent'],
}
