/**
 * The exhaustive model of one payment: its two workers, a request that cancels it, a stop, its source, its reversal, and
 * the rail. It runs the product's own rules.
 */
import { findFaults } from '../../../money/ledger/ledger.js'
import { isInProgress } from '../../../money/payments/payment.js'
import type { Model } from '../explore.js'
import { cancelAtRail, isKnown, railSteps } from './rail.js'
import { dropIneffective, runSteps } from './runs.js'
import {
  advance,
  disturbance,
  ledgerOf,
  type PaymentStep,
  productRules,
  type Rules,
  readPosted,
  type State,
  transition,
} from './state.js'

const initial: State = {
  ...{ status: 'pending', isHeld: false, error: null, reversal: null, posted: '[]' },
  ...{
    job: 'waiting',
    kind: 'submit',
    attempts: 0,
    look: 'none',
    cancelJob: 'none',
    reversalJob: 'none',
    isCancelKept: false,
  },
  ...{ A: '', B: '', request: 'none', isToldCanceled: false },
  ...{ isSourceDisabled: false, isStopped: false, isLate: false },
  ...{ rail: 'none', debits: 0, railReversal: 'none' },
  ...{ destination: null, mistake: null },
}

/** The request that cancels the payment. It records the cancellation, calls the rail, and then saves. */
function requestSteps(state: State, rules: Rules): PaymentStep[] {
  const { request, status, cancelJob } = state
  const ended = (to: State): State => ({ ...to, request: 'none' })
  const killed = disturbance('the process of the cancellation is killed', ended(state))
  if (request === 'none') {
    if (status !== 'pending') return []
    const job = rules.recordsCancel && cancelJob === 'none' ? 'waiting' : cancelJob
    const isCancelKept = rules.keepsCancel && cancelJob !== 'none'
    const next = rules.asksRailFirst ? 'recorded' : 'canceled'
    const to: State = { ...state, cancelJob: job, isCancelKept, request: next }
    return [disturbance('the creator requests a cancellation', to)]
  }
  if (request === 'recorded') {
    const { answer, to } = cancelAtRail(state)
    const after = answer === 'canceled' ? { ...to, request: 'canceled' as const } : ended(to)
    return [
      { name: `the request cancels at the rail: ${answer}`, to: after },
      disturbance('the request cancels at the rail, and the answer is lost', ended(to)),
      disturbance('the request does not reach the rail', { ...state, request: 'unreached' }),
      killed,
    ]
  }
  const withoutJob = cancelJob === 'waiting' ? ({ cancelJob: 'none', isCancelKept: false } as const) : null
  if (request === 'unreached') {
    const to = ended(state.isCancelKept ? state : { ...state, ...withoutJob })
    return [{ name: 'the request withdraws its record', to }, killed]
  }
  const isCanceled = status === 'canceled' && cancelJob !== 'none'
  const after = isCanceled ? state : transition(state, 'canceled', rules)
  return [
    after
      ? {
          name: 'the request saves the cancellation',
          to: ended({ ...after, ...withoutJob, isToldCanceled: true }),
        }
      : { name: 'the request reports that the payment is not pending', to: ended(state) },
    killed,
  ]
}

function otherSteps(state: State, rules: Rules): PaymentStep[] {
  const { status, isStopped, isSourceDisabled } = state
  const steps: PaymentStep[] = []
  if (isStopped) steps.push({ name: 'the operator lifts the stop', to: { ...state, isStopped: false } })
  else if (status === 'pending' || state.reversal === 'pending')
    steps.push(disturbance('the operator stops payments', { ...state, isStopped: true }))
  if (!isSourceDisabled && status === 'pending')
    steps.push(
      disturbance('the source is disabled', {
        ...{ ...state, isSourceDisabled: true },
        look: 'waiting',
      }),
    )
  if (status === 'reversal_required' && state.reversal === 'pending_approval') {
    const to = transition(state, 'reversal_processing', rules)
    if (to) steps.push({ name: 'the team approves the reversal', to })
  }
  return steps
}

/** Returns the violated invariants. Each sentence names what must never be true. */
function violations(state: State, rules: Rules): string[] {
  const { status, rail, reversal, railReversal, job, look, cancelJob, request, mistake } = state
  const found = mistake === null ? [] : [mistake]
  const check = (isBroken: boolean, sentence: string) => {
    if (isBroken) found.push(sentence)
  }
  const isSubmitted = isKnown(rail)
  check(state.debits > 1, 'the payment is made twice')
  check(status === 'canceled' && rail !== 'canceled' && rail !== 'refused', 'a canceled payment can still be made')
  check(status === 'failed' && isSubmitted && rail !== 'failed', 'a failed payment is made')
  check(status === 'failed' && rail === 'none', 'a failed payment can still be made')
  check(
    state.isToldCanceled && status !== 'canceled',
    'a cancellation was acknowledged, but the payment is not canceled',
  )
  const isAhead = isSubmitted ? rules.pathBetween(status, rail) === null : status !== 'pending'
  check(rules.isTracked(status) && isAhead, 'the payment is ahead of the rail')
  const isCanceling = rail === 'canceled' && (cancelJob !== 'none' || request === 'canceled')
  const isWaiting = rules.isTracked(status) && !(status === 'posted' && rail === 'posted' && state.isLate)
  check(isWaiting && job === 'none' && look === 'none' && !isCanceling, 'a payment in progress has no job')
  const isReversing = reversal === 'pending' || reversal === 'processing'
  check(isReversing && state.reversalJob === 'none', 'a reversal in progress has no job')
  check(
    railReversal !== 'none' && (reversal === null || reversal === 'pending_approval'),
    'a reversal is made that nobody approved',
  )
  const isBack = status === 'reversed' || status === 'partially_reversed' || status === 'settled'
  check(isBack && railReversal !== 'sent', 'a payment is reversed, but its reversal is not sent')
  found.push(...findFaults(ledgerOf(state, rules), readPosted(state.posted)))
  return found
}

function isEnd(state: State): boolean {
  const { status, reversal } = state
  const isIdle = state.A === '' && state.B === '' && state.request === 'none'
  const hasJob = [state.job, state.look, state.cancelJob, state.reversalJob].some(row => row !== 'none')
  // The team decides about a reversal that needs approval, or that failed.
  const isWaiting = status === 'reversal_required' || reversal === 'failed'
  return isIdle && !hasJob && (isWaiting || !isInProgress(status))
}

/**
 * Returns the same text for states that behave the same: the workers are alike, a stop and the source matter only while
 * something can still be submitted, and attempts count only submissions.
 */
function keyOf(state: State): string {
  const { status, kind, A, B } = state
  const isPending = status === 'pending'
  const [first, second, a, b] = A > B ? [B, A, 'b', 'a'] : [A, B, 'a', 'b']
  const row = (of: State['job']) => (of === 'A' ? a : of === 'B' ? b : of)
  const flags = [
    ...[state.isHeld, state.isCancelKept, state.isToldCanceled, state.isLate, isPending && state.isSourceDisabled],
    (isPending || state.reversal === 'pending') && state.isStopped,
  ]
  return `${status}|${state.error}|${state.reversal}|${state.posted}|${first}|${second}|${kind}|${
    isPending && kind === 'submit' && state.attempts
  }|${row(state.job)}|${row(state.look)}|${row(state.cancelJob)}|${row(state.reversalJob)}|${state.request}|${state.rail}|${state.debits}|${state.railReversal}|${state.destination}|${state.mistake}|${flags.map(Number).join('')}`
}

/** A payment that has arrived. It can still be returned. */
export const posted: State = {
  ...advance(initial, 'posted', productRules, null),
  ...{ rail: 'posted', job: 'waiting', kind: 'follow', debits: 1 },
}

/**
 * @param rules the product's rules, or a copy in which a test has broken one
 * @param start the state in which the exploration begins; by default, a new payment
 */
export const paymentModel = (rules: Rules = productRules, start: State = initial): Model<State> => ({
  initial: [start],
  steps: state =>
    [...runSteps(state, rules), ...requestSteps(state, rules), ...railSteps(state), ...otherSteps(state, rules)].map(
      step => ({
        ...step,
        to: dropIneffective(step.to, rules),
      }),
    ),
  violations: state => violations(state, rules),
  isEnd,
  keyOf,
})
