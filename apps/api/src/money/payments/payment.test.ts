import { paymentStatuses } from '@causeway/contract/resources/payment'
import { describe, expect, it } from 'vitest'
import { canTransition, failureConsequence, pathBetween, statusesBefore, statusRules } from './payment.js'

describe("a payment's moves", () => {
  it('end in terminal statuses', () => {
    const ends = paymentStatuses.filter(status => statusRules[status].next.length === 0)
    expect(ends).toEqual(['canceled', 'failed', 'cashed', 'settled', 'reversed', 'partially_reversed'])
  })

  it('never return to an earlier status', () => {
    for (const from of paymentStatuses)
      for (const next of statusRules[from].next)
        expect(pathBetween(next, from), `${from} → ${next} → ${from}`).toBeNull()
  })

  it('reach every status from pending', () => {
    for (const status of paymentStatuses) expect(pathBetween('pending', status)).not.toBeNull()
  })

  it('are the same in both directions', () => {
    for (const from of paymentStatuses)
      for (const to of paymentStatuses)
        expect(statusesBefore(to).includes(from)).toBe(statusRules[from].next.includes(to))
  })

  it('skip no step', () => {
    expect(pathBetween('pending', 'posted')).toEqual(['processing', 'sent', 'posted'])
    expect(pathBetween('pending', 'failed')).toEqual(['processing', 'failed'])
    expect(pathBetween('posted', 'posted')).toEqual([])
    expect(pathBetween('posted', 'sent')).toBeNull()
    expect(pathBetween('canceled', 'processing')).toBeNull()
  })

  it('allow a posted payment to be returned for sixty days', () => {
    const posted = { status: 'posted', destination_payment_method: null, destination_posted_date: '2026-03-04' }
    for (const to of ['reversal_required', 'reversal_processing', 'partial_reversal_processing'] as const) {
      expect(canTransition(posted, to, '2026-05-03')).toBe(true)
      expect(canTransition(posted, to, '2026-05-04')).toBe(false)
    }
    expect(canTransition(posted, 'settled', '2027-01-01')).toBe(true)
  })

  it('to cashed are allowed only for a paper check', () => {
    const sent = { status: 'sent', destination_posted_date: null }
    expect(canTransition({ ...sent, destination_payment_method: 'paper' }, 'cashed', '2026-03-04')).toBe(true)
    expect(canTransition({ ...sent, destination_payment_method: 'electronic' }, 'cashed', '2026-03-04')).toBe(false)
  })
})

it('an unauthorized payment disables the account and holder, a wrong account only itself, insufficient funds only when repeated', () => {
  expect(failureConsequence(10002)).toEqual({ side: 'source', account: 11003, holder: 12001 })
  expect(failureConsequence(10006)).toEqual({ side: 'destination', account: 11003, holder: 12001 })
  expect(failureConsequence(10007)).toEqual({ side: 'source', account: 11001, holder: null })
  expect(failureConsequence(10008)).toEqual({ side: 'destination', account: 11001, holder: null })
  expect(failureConsequence(10001)).toEqual({ side: 'source', account: 11005, holder: null, after: 3 })
  expect(failureConsequence(10009)).toBeNull()
})
