import { paymentStatuses } from '@causeway/contract/resources/payment'
import { describe, expect, it } from 'vitest'
import { consequence, mayMove, movesInto, route, table } from './payment.js'

describe("a payment's moves", () => {
  it('end in terminal statuses', () => {
    const ends = paymentStatuses.filter(status => table[status].next.length === 0)
    expect(ends).toEqual(['canceled', 'failed', 'cashed', 'settled', 'reversed', 'partially_reversed'])
  })

  it('never return to an earlier status', () => {
    for (const from of paymentStatuses)
      for (const next of table[from].next) expect(route(next, from), `${from} → ${next} → ${from}`).toBeNull()
  })

  it('reach every status from pending', () => {
    for (const status of paymentStatuses) expect(route('pending', status)).not.toBeNull()
  })

  it('are the same in both directions', () => {
    for (const from of paymentStatuses)
      for (const to of paymentStatuses) expect(movesInto(to).includes(from)).toBe(table[from].next.includes(to))
  })

  it('skip no step', () => {
    expect(route('pending', 'posted')).toEqual(['processing', 'sent', 'posted'])
    expect(route('pending', 'failed')).toEqual(['processing', 'failed'])
    expect(route('posted', 'posted')).toEqual([])
    expect(route('posted', 'sent')).toBeNull()
    expect(route('canceled', 'processing')).toBeNull()
  })

  it('allow a posted payment to be returned for sixty days', () => {
    const posted = { status: 'posted', destination_payment_method: null, destination_posted_date: '2026-03-04' }
    for (const to of ['reversal_required', 'reversal_processing', 'partial_reversal_processing'] as const) {
      expect(mayMove(posted, to, '2026-05-03')).toBe(true)
      expect(mayMove(posted, to, '2026-05-04')).toBe(false)
    }
    expect(mayMove(posted, 'settled', '2027-01-01')).toBe(true)
  })

  it('to cashed are allowed only for a paper check', () => {
    const sent = { status: 'sent', destination_posted_date: null }
    expect(mayMove({ ...sent, destination_payment_method: 'paper' }, 'cashed', '2026-03-04')).toBe(true)
    expect(mayMove({ ...sent, destination_payment_method: 'electronic' }, 'cashed', '2026-03-04')).toBe(false)
  })
})

it('an unauthorized payment disables the account and holder, a wrong account only itself, insufficient funds only when repeated', () => {
  expect(consequence(10002)).toEqual({ side: 'source', account: 11003, holder: 12001 })
  expect(consequence(10006)).toEqual({ side: 'destination', account: 11003, holder: 12001 })
  expect(consequence(10007)).toEqual({ side: 'source', account: 11001, holder: null })
  expect(consequence(10008)).toEqual({ side: 'destination', account: 11001, holder: null })
  expect(consequence(10001)).toEqual({ side: 'source', account: 11005, holder: null, after: 3 })
  expect(consequence(10009)).toBeNull()
})
