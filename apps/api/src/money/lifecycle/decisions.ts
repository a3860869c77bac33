/**
 * The decisions of the jobs that move payments and reversals. Pure: the jobs, and the exhaustive model of them, read the
 * same rules.
 */
import { type ResourceErrorCode, resourceCodes } from '@causeway/contract/errors'
import type { PaymentStatus, ReversalStatus } from '@causeway/contract/resources/payment'
import { canTransition, isTracked, statusesBefore, statusRules } from '../payments/payment.js'
import { reversalTransitions, statusAfterReversal } from '../reversals/reversal.js'

/**
 * Returns the statuses from which a payment with this row can move to `to`. Empty if its reversal can't make the same
 * move. A failed reversal, for example, can't move to `sent`.
 * @param reversal the status of the payment's reversal, or undefined if it has none
 * @param today `YYYY-MM-DD`
 */
export function statusesThatAllow(
  row: Omit<Parameters<typeof canTransition>[0], 'status'>,
  reversal: ReversalStatus | undefined,
  to: PaymentStatus,
  today: string,
): PaymentStatus[] {
  const next = statusRules[to].reversal
  const isReversalReady =
    reversal === undefined || next === undefined || reversal === next || reversalTransitions[reversal].includes(next)
  // mutant: failed-reversal-is-not-sent (drop 1)
  if (!isReversalReady || statusesBefore(to).length === 0) return []
  return statusesBefore(to).filter(status => canTransition({ ...row, status }, to, today))
}

/** Returns true if a payment must be canceled at the rail, because its source may no longer be debited. */
export const mustCancelAtRail = (status: PaymentStatus, sourceError: ResourceErrorCode | null): boolean =>
  /* mutant: disabled-source-is-not-charged (false) */ status === 'pending' && sourceError !== null

/** The data that decides what a submission job does. */
interface SubmissionView {
  status: PaymentStatus
  isHeld: boolean
  isStopped: boolean
  /** 1 if no earlier run can have reached the rail. */
  attempt: number
}

/**
 * Returns the action of a submission job, after {@link mustCancelAtRail}: `cancel` cancels the payment at the rail;
 * `wait` checks again later; `hold` and `resume` begin and end a hold. A payment that an earlier attempt may have
 * submitted keeps its dates, so it waits without a hold. `follow` only queries the rail: an earlier attempt submitted the
 * payment, and a push has since moved it.
 */
export function submissionAction({
  status,
  isHeld,
  isStopped,
  attempt,
}: SubmissionView): 'none' | 'cancel' | 'wait' | 'wait submitted' | 'hold' | 'resume' | 'submit' | 'follow' {
  if (status === 'canceled') return 'cancel'
  if (status !== 'pending')
    return /* mutant: pushed-payment-is-followed (false) */ isTracked(status) ? 'follow' : 'none'
  if (isStopped && isHeld) return 'wait'
  // mutant: stopped-payments-wait (false)
  if (isStopped) return attempt > 1 ? 'wait submitted' : 'hold'
  return isHeld ? 'resume' : 'submit'
}

/**
 * Returns the move that ends a pending payment that the rail canceled, or that it rejected because of a cancellation.
 * If the payment's creator canceled it, the payment has no error.
 */
export function endOfPayment(
  isCancelRequested: boolean,
  code: ResourceErrorCode,
): { to: PaymentStatus; code: ResourceErrorCode | null } {
  // mutant: canceled-payment-does-not-fail (false)
  if (isCancelRequested) return { to: 'canceled', code: null }
  return { to: code === resourceCodes.PAYMENT_CANCELED_INSUFFICIENT_FUNDS ? 'canceled' : 'failed', code }
}

/**
 * Returns the moves that a report from the rail about a reversal leads to: the reversal's own move, and then the
 * payment's, which also moves the reversal.
 */
export function movesAfterReversalReport(
  payment: Parameters<typeof statusAfterReversal>[0],
  reversal: Parameters<typeof statusAfterReversal>[1] & { status: ReversalStatus },
  reported: 'pending' | 'processing' | 'sent' | 'failed',
): { reversal: ReversalStatus | null; payment: PaymentStatus | null } {
  if (reported === 'sent' && statusRules[payment.status as PaymentStatus].next.length > 0)
    return {
      reversal: reversal.status === 'pending' ? 'processing' : null,
      payment: statusAfterReversal(payment, reversal),
    }
  const isNews = reported !== 'pending' && reported !== reversal.status
  return { reversal: isNews ? reported : null, payment: null }
}
