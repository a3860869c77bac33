import type { RailStatus } from '@causeway/connector/ports/rail'
import { resourceCodes } from '@causeway/contract/errors'
import type { PaymentStatus, ReversalStatus } from '@causeway/contract/resources/payment'
import { type LedgerPayment, type Position, position, postingsBetween } from '../../../money/ledger/ledger.js'
import {
  endOfPayment,
  movesAfterReversalReport,
  mustCancelAtRail,
  statusesThatAllow,
  submissionAction,
} from '../../../money/lifecycle/decisions.js'
import { isTracked, pathBetween, statusRules } from '../../../money/payments/payment.js'
import { planReversal, reversalTransitions } from '../../../money/reversals/reversal.js'
import type { Step } from '../explore.js'

export const workers = ['A', 'B'] as const
export type Worker = (typeof workers)[number]
/** A job's row: absent, waiting, or leased to a running worker. A dead worker's job waits. */
type Row = 'none' | 'waiting' | Worker
export type JobField = 'job' | 'look' | 'cancelJob' | 'reversalJob'
export const jobFields: readonly JobField[] = ['job', 'look', 'cancelJob', 'reversalJob']

/** A payment, everything that acts on it, and the rail's own record of it. */
export interface State {
  [field: string]: string | number | boolean | null
  // The payment's row, its reversal, and its postings as text.
  status: PaymentStatus
  isHeld: boolean
  error: Side | null
  reversal: ReversalStatus | null
  posted: string
  // The jobs' rows. `kind` and `attempts` belong to `job`. More than two attempts are the same as two.
  job: Row
  kind: 'submit' | 'follow'
  attempts: number
  look: Row
  cancelJob: Row
  reversalJob: Row
  /** The run of each worker, as {@link showRun} writes it. */
  A: string
  B: string
  /** True if another request or a job has taken up the cancellation, so that its request may not withdraw it. */
  isCancelKept: boolean
  /** The request that cancels the payment: the last thing that it did. */
  request: 'none' | 'recorded' | 'canceled' | 'unreached'
  isToldCanceled: boolean
  isSourceDisabled: boolean
  isStopped: boolean
  /** True once the payment can no longer be returned. */
  isLate: boolean
  // The rail.
  rail: 'none' | 'refused' | 'canceled' | RailStatus
  debits: number
  railReversal: 'none' | 'pending' | 'processing' | 'sent' | 'failed'
  /** The destination's type. It matters only to a return, so it is chosen then. */
  destination: 'ach' | 'liability' | null
  /** The sentence of a step that must never happen. */
  mistake: string | null
}

export type Side = 'source' | 'destination'
export const codes = {
  source: resourceCodes.PAYMENT_UNAUTHORIZED_SOURCE,
  destination: resourceCodes.PAYMENT_REJECTED_BY_DESTINATION_INSTITUTION,
  canceled: resourceCodes.PAYMENT_CANCELED_INSUFFICIENT_FUNDS,
}

/** The rules of the product that the model runs, and the guarantees of the code around them. Tests break one at a time. */
export const productRules = {
  ...{ endOfPayment, movesAfterReversalReport, mustCancelAtRail, statusesThatAllow, submissionAction },
  ...{ isTracked, pathBetween, planReversal, position },
  /** A run whose job another worker has since claimed has no effect. */
  hasFence: true,
  /** The rail moves money once per id, and every attempt sends the payment's id. */
  sendsSameId: true,
  /** A cancellation is recorded before the rail is called. */
  recordsCancel: true,
  /** No request withdraws a cancellation that another request or a job has taken up. */
  keepsCancel: true,
  /** A request reports a cancellation only after the rail has canceled the payment. */
  asksRailFirst: true,
  /** Each move is posted. */
  postsMoves: true,
}
export type Rules = typeof productRules

const AMOUNT = 1_000
const FEE = 100
/** The day on which the payment was posted, if it was. */
const POSTED_DATE = '2026-01-05'

const row = ({ status }: Pick<State, 'status'>) => ({
  destination_payment_method: 'electronic',
  destination_posted_date: status === 'posted' ? POSTED_DATE : null,
})
const todayOf = ({ isLate }: State) => (isLate ? '2026-04-01' : '2026-01-06')

/** Returns the plan of the payment's reversal. */
export function planOf(state: State, rules: Rules) {
  const code = codes[state.error ?? 'destination']
  const ends = { source: 'source', destination: 'destination', reversal_account: null }
  return rules.planReversal(ends, state.destination ?? 'liability', code)
}

export function ledgerOf(state: State, rules: Rules): LedgerPayment {
  const ends = { source: 'source', destination: 'destination', amount: AMOUNT, fee: FEE }
  const isPart = ['partial_reversal_processing', 'partially_reversed'].includes(state.status)
  const amount = isPart ? AMOUNT / 2 : AMOUNT
  const reversal = state.reversal && { ...planOf(state, rules), amount, status: state.reversal }
  return { ...ends, status: state.status, reversal }
}

export const readPosted = (posted: string): Position => new Map(JSON.parse(posted) as [string, number][])
const writePosted = (posted: Position) => JSON.stringify([...posted].sort(([one], [other]) => (one < other ? -1 : 1)))

/** Makes one move, as `transitionPayment` does. Returns undefined if the move is not allowed. */
export function transition(before: State, to: PaymentStatus, rules: Rules, error?: Side | null): State | undefined {
  const from = rules.statusesThatAllow(row(before), before.reversal ?? undefined, to, todayOf(before))
  if (!from.includes(before.status)) return undefined
  const rule = statusRules[to]
  let after: State = { ...before, status: to, error: error ?? before.error }
  if (rule.reversal && before.reversal === null && rule.error) after = { ...after, reversal: rule.reversal }
  else if (rule.reversal && before.reversal && reversalTransitions[before.reversal].includes(rule.reversal))
    after = { ...after, reversal: rule.reversal }
  if (after.reversal === 'pending' && before.reversal !== 'pending') after = { ...after, reversalJob: 'waiting' }
  if (!rules.postsMoves) return after
  const posted = new Map(readPosted(before.posted))
  const ledgerBefore = { ...ledgerOf(after, rules), status: before.status }
  const changes = postingsBetween(rules.position(ledgerBefore), rules.position(ledgerOf(after, rules)))
  for (const [account, amount] of changes) {
    const total = (posted.get(account) ?? 0) + amount
    if (total === 0) posted.delete(account)
    else posted.set(account, total)
  }
  return { ...after, posted: writePosted(posted) }
}

/** Makes each move on the path to a status, as `advancePayment` does. */
export function advance(before: State, to: PaymentStatus, rules: Rules, error: Side | null): State {
  let state = before
  for (const next of rules.pathBetween(before.status, to) ?? []) {
    const after = transition(state, next, rules, next === to ? error : null)
    if (!after) return state
    state = after
  }
  return state
}

/** Ends a pending payment that the rail canceled, as `endPayment` does. */
export function end(state: State, code: keyof typeof codes, rules: Rules): State {
  if (state.status !== 'pending') return state
  const move = rules.endOfPayment(state.cancelJob !== 'none', codes[code])
  return advance(state, move.to, rules, move.code === null || code === 'canceled' ? null : code)
}

export type PaymentStep = Step<State>
/** Returns a step that a fault or a new request causes. */
export const disturbance = (name: string, to: State): PaymentStep => ({ name, to, disturbs: true })
