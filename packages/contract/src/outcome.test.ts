import { expect, it } from 'vitest'
import { isLost, outcomeOf } from './outcome.js'
import { paymentStatuses } from './resources/payment.js'

it('describes the outcome of a payment in every status', () => {
  expect(Object.fromEntries(paymentStatuses.map(status => [status, outcomeOf(status)]))).toEqual({
    pending: 'on_its_way',
    canceled: 'not_made',
    processing: 'on_its_way',
    failed: 'not_made',
    sent: 'on_its_way',
    posted: 'paid',
    cashed: 'paid',
    settled: 'paid',
    reversal_required: 'returning',
    reversal_processing: 'returning',
    reversed: 'returned',
    partial_reversal_processing: 'returning',
    partially_reversed: 'partly_returned',
  })
  expect(outcomeOf(null)).toBe('not_made')
})

it('counts a payment as lost unless it arrived or is in progress', () => {
  expect((['paid', 'on_its_way', 'not_made', 'returning', 'returned', 'partly_returned'] as const).map(isLost)).toEqual(
    [false, false, true, true, true, true],
  )
})
