/** Explains a payment's state and the available actions. Pure. */
import type { ResourceErrorCode } from '@causeway/contract/errors'
import type { explanation, PaymentStatus, ReversalStatus } from '@causeway/contract/resources/payment'
import type { z } from 'zod'
import { sideOf, statusRules } from '../payments/payment.js'

export type Explanation = z.infer<typeof explanation>
type Action = Explanation['actions'][number]

/** The payment data that the explanation uses. Amounts are in cents. */
export interface ExplainedPayment {
  status: PaymentStatus
  held: boolean
  amount: number
  source: string | null
  destination: string | null
  error: ResourceErrorCode | null
  reversal: { direction: 'debit' | 'credit'; target: string | null; amount: number; status: ReversalStatus } | null
  /** The ends of the payment (source or destination) that are currently disabled. */
  disabled: { source: boolean; destination: boolean }
  /** True if payments are stopped for the team. */
  stopped: boolean
  /** True if the caller is allowed to move money. */
  mayPay: boolean
}

function causeOf({ error, held, stopped }: ExplainedPayment): Explanation['cause'] {
  if (error !== null) return { code: error, side: sideOf(error) }
  if (!held) return null
  return stopped ? { code: 'PAYMENTS_STOPPED', side: 'team' } : { code: 'HELD', side: 'rail' }
}

function moneyOf({ status, amount, source, destination, reversal }: ExplainedPayment): Explanation['money'] {
  const target = reversal?.target ?? source
  const part = reversal?.amount ?? 0
  switch (statusRules[status].money) {
    case 'untouched':
      return { place: 'source', amount, account: source }
    case 'pulled':
      return { place: 'clearing', amount, account: destination }
    case 'sent':
      return { place: 'transit', amount, account: destination }
    case 'arrived':
      return { place: 'destination', amount, account: destination }
    case 'coming back':
      if (reversal?.direction === 'debit') return { place: 'receivable', amount, account: target }
      return { place: status === 'reversal_required' ? 'clearing' : 'transit', amount, account: target }
    case 'back':
      // After a debit reversal, the payer has been repaid, and the debited account has covered the loss.
      return { place: 'returned', amount, account: reversal?.direction === 'debit' ? source : target }
    case 'coming back in part':
      return { place: 'transit', amount: part, account: target }
    case 'back in part':
      return { place: 'returned', amount: part, account: target }
  }
}

function consequencesOf(payment: ExplainedPayment): Explanation['consequences'] {
  const { status, error, disabled, reversal } = payment
  const { money } = statusRules[status]
  const isKept = reversal?.direction === 'debit' && reversal.target !== payment.destination
  const isPaid = money === 'arrived' || (isKept && (money === 'coming back' || money === 'back'))
  const consequences: Explanation['consequences'] = money.endsWith('in part')
    ? ['destination_paid_in_part']
    : [isPaid ? 'destination_paid' : 'destination_unpaid']
  if (disabled.destination) consequences.push('account_disabled')
  if (disabled.source) consequences.push('source_disabled')
  if (error !== null && !disabled.destination && !disabled.source) consequences.push('others_unaffected')
  return consequences
}

function actionsOf({ status, reversal, stopped, mayPay }: ExplainedPayment): Action[] {
  const action = (name: Action['name'], refusal: Action['why_not'] = null): Action => {
    const why_not = refusal ?? (mayPay ? null : 'NEEDS_PAYMENTS_SCOPE')
    return { name, allowed: why_not === null, why_not }
  }
  const actions: Action[] = []
  if (status === 'pending') actions.push(action('cancel'))
  if (status === 'processing' || status === 'sent') actions.push(action('cancel', 'ALREADY_SUBMITTED'))
  if (reversal?.status === 'pending_approval') actions.push(action('approve_reversal'))
  if (status === 'failed' || status === 'canceled' || status === 'reversed')
    actions.push(action('retry', stopped ? 'PAYMENTS_STOPPED' : null))
  return actions
}

export const explain = (payment: ExplainedPayment): Explanation => ({
  cause: causeOf(payment),
  money: moneyOf(payment),
  reversal: payment.reversal && { direction: payment.reversal.direction, status: payment.reversal.status },
  consequences: consequencesOf(payment),
  actions: actionsOf(payment),
})
