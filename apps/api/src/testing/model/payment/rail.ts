/** The rail, as its contract in docs/connectors.md describes it. */
import type { RailStatus } from '@causeway/connector/ports/rail'
import { statusRules } from '../../../money/payments/payment.js'
import type { PaymentStep, Rules, Side, State } from './state.js'

const railStatuses: readonly string[] = [
  'pending',
  'processing',
  'sent',
  'posted',
  'failed',
  'reversal_required',
  'partial_reversal_processing',
] satisfies RailStatus[]

/** True once the rail has the payment. A payment that was refused or canceled is not known. */
export const isKnown = (rail: State['rail']): rail is RailStatus => railStatuses.includes(rail)

const isReturn = (status: string) => status === 'reversal_required' || status === 'partial_reversal_processing'

/** Returns the statuses that the rail can report next, according to the product's own table. */
function nextOf({ rail, isLate }: State): RailStatus[] {
  if (!isKnown(rail)) return []
  const next = statusRules[rail].next.filter((status): status is RailStatus => railStatuses.includes(status))
  return next.filter(status => !isReturn(status) || !isLate)
}

/** Returns the rail's own moves. */
export function railSteps(state: State): PaymentStep[] {
  const steps: PaymentStep[] = nextOf(state).map(rail => ({
    name: `the rail moves the payment to ${rail}`,
    to: { ...state, rail },
  }))
  if (state.rail === 'posted' && state.status === 'posted' && !state.isLate)
    steps.push({ name: '60 days pass', to: { ...state, isLate: true } })
  const { railReversal } = state
  const reversalMoves = {
    none: [],
    pending: ['processing'],
    processing: ['sent', 'failed'],
    sent: [],
    failed: [],
  } as const
  for (const next of reversalMoves[railReversal])
    steps.push({ name: `the rail moves the reversal to ${next}`, to: { ...state, railReversal: next } })
  return steps
}

/** Cancels the payment if the money has not left. */
export function cancelAtRail(state: State): { answer: 'canceled' | 'too_late'; to: State } {
  const { rail } = state
  if (rail === 'none' || rail === 'pending') return { answer: 'canceled', to: { ...state, rail: 'canceled' } }
  return { answer: rail === 'canceled' || rail === 'refused' ? 'canceled' : 'too_late', to: state }
}

/** Returns every answer that the rail can give to a submission. */
export function submitAtRail(
  state: State,
  { sendsSameId }: Rules,
): { answer: 'accepted' | 'refused' | 'was canceled'; to: State }[] {
  const { rail } = state
  const debits = Math.min(2, state.debits + 1)
  if (rail === 'canceled') return [{ answer: 'was canceled', to: state }]
  if (rail === 'refused') return [{ answer: 'refused', to: state }]
  if (rail !== 'none') return [{ answer: 'accepted', to: sendsSameId ? state : { ...state, debits } }]
  return [
    { answer: 'accepted', to: { ...state, rail: 'pending', debits } },
    { answer: 'refused', to: { ...state, rail: 'refused' } },
  ]
}

/** Returns the rail's report of a payment, and whether it needs no further query. It reports nothing of a canceled payment. */
export const reportOf = (state: State): { status: RailStatus; isLast: boolean } => ({
  status: isKnown(state.rail) ? state.rail : 'pending',
  isLast: nextOf(state).length === 0,
})

/**
 * Returns each way in which the rail can have reached a status: the side that caused it, and the type of the
 * destination, which matters only to a return.
 */
export function ways(status: string): { error: Side | null; destination: State['destination'] }[] {
  if (status === 'failed') return [{ error: 'source', destination: null }]
  if (status === 'partial_reversal_processing') return [{ error: 'destination', destination: null }]
  if (status !== 'reversal_required') return [{ error: null, destination: null }]
  return [
    { error: 'destination', destination: 'liability' },
    { error: 'source', destination: 'liability' },
    { error: 'source', destination: 'ach' },
  ]
}
