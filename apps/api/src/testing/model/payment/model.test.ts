import { describe, expect, it } from 'vitest'
import { explore, showViolation } from '../explore.js'
import { paymentModel, posted } from './model.js'
import { productRules as product, type Rules, type State } from './state.js'

const TIMEOUT_MS = 120_000

it('every reachable state of a payment keeps its promises, and from each one the payment can reach an end', {
  timeout: TIMEOUT_MS,
}, () => {
  const { states, violation } = explore(paymentModel())
  expect(violation && showViolation(violation)).toBeNull()
  expect(states).toBeGreaterThan(50_000)
})

const broken: [what: string, change: Partial<Rules>, sentence: string, start?: State][] = [
  ['a lost lease is ignored', { hasFence: false }, 'the rail receives dates that have since changed'],
  [
    'a stop is ignored',
    { submissionAction: view => product.submissionAction({ ...view, isStopped: false }) },
    'a payment is submitted although payments are stopped',
  ],
  [
    'a retried submission is held',
    { submissionAction: view => product.submissionAction({ ...view, attempt: 1 }) },
    'the dates of a payment change after the rail has received it',
  ],
  [
    'the retry of a submission ends when a push has moved the payment',
    {
      submissionAction(view) {
        const action = product.submissionAction(view)
        return action === 'follow' ? 'none' : action
      },
    },
    'a payment in progress has no job',
  ],
  [
    'a disabled source is ignored',
    { mustCancelAtRail: () => false },
    'a payment is submitted although its source is disabled',
  ],
  ['every attempt has an id of its own', { sendsSameId: false }, 'the payment is made twice'],
  [
    'a cancellation after the submission is saved without asking the rail',
    { asksRailFirst: false },
    'a canceled payment can still be made',
  ],
  ['a cancellation is not recorded', { recordsCancel: false }, 'a payment in progress has no job'],
  [
    'a request withdraws the cancellation of another request',
    { keepsCancel: false },
    'a payment in progress has no job',
  ],
  [
    'a canceled payment can be posted',
    {
      pathBetween: (from, to) => (from === 'canceled' && to === 'processing' ? [to] : product.pathBetween(from, to)),
      statusesThatAllow: (row, reversal, to, today) => [
        ...product.statusesThatAllow(row, reversal, to, today),
        ...(to === 'processing' ? (['canceled'] as const) : []),
      ],
      asksRailFirst: false,
    },
    'a canceled payment can still be made',
  ],
  ['a move is not posted', { postsMoves: false }, 'a payment that is processing has other postings: -1000, 1000'],
  [
    'a failed reversal is sent',
    {
      statusesThatAllow: (row, _reversal, to, today) => product.statusesThatAllow(row, undefined, to, today),
      movesAfterReversalReport: (payment, reversal, reported) =>
        product.movesAfterReversalReport(payment, reversal, reported === 'failed' ? 'sent' : reported),
    },
    'a payment is reversed, but its reversal is not sent',
    posted,
  ],
  [
    'a reversal that is processing counts as sent',
    {
      movesAfterReversalReport: (payment, reversal, reported) =>
        product.movesAfterReversalReport(payment, reversal, reported === 'processing' ? 'sent' : reported),
    },
    'a payment is reversed, but its reversal is not sent',
    posted,
  ],
]

describe('a violation is found if', () => {
  it.each(broken)('%s', { timeout: TIMEOUT_MS }, (_what, change, sentence, start) => {
    const { violation } = explore(paymentModel({ ...product, ...change }, start))
    expect(violation?.sentence, violation ? showViolation(violation) : '').toBe(sentence)
  })
})

it('prints the shortest trace, in which a stalled run puts a payment on hold while another run submits it', {
  timeout: TIMEOUT_MS,
}, () => {
  const { violation } = explore(paymentModel({ ...product, hasFence: false }))
  const names = showViolation(violation!)
    .split('\n')
    .map(line => line.split('  ').filter(Boolean)[0]!.trim())
  expect(names).toEqual([
    'Violation after 8 steps: the rail receives dates that have since changed',
    '0. start',
    '1. the operator stops payments',
    '2. A claims the submit job',
    '3. the operator lifts the stop',
    '4. B takes over the submit job',
    '5. A, submit job: save',
    '6. A claims the submit job',
    '7. A, submit job: save',
    '8. B, submit job: submit, accepted',
  ])
})
