import { paymentStatuses } from '@causeway/contract/resources/payment'
import { describe, expect, it } from 'vitest'
import { consequence, moves, movesInto, route } from './payment.js'

describe('the moves of a payment', () => {
  it('end in statuses that nothing leaves', () => {
    const ends = paymentStatuses.filter(status => moves[status].length === 0)
    expect(ends).toEqual(['canceled', 'failed', 'cashed', 'settled', 'reversed', 'partially_reversed'])
  })

  it('never lead back to where a payment was', () => {
    for (const from of paymentStatuses)
      for (const next of moves[from]) expect(route(next, from), `${from} → ${next} → ${from}`).toBeNull()
  })

  it('reach every status from pending', () => {
    for (const status of paymentStatuses) expect(route('pending', status)).not.toBeNull()
  })

  it('are found from either end', () => {
    for (const from of paymentStatuses)
      for (const to of paymentStatuses) expect(movesInto(to).includes(from)).toBe(moves[from].includes(to))
  })

  it('leave no step out on the way', () => {
    expect(route('pending', 'posted')).toEqual(['processing', 'sent', 'posted'])
    expect(route('pending', 'failed')).toEqual(['processing', 'failed'])
    expect(route('posted', 'posted')).toEqual([])
    expect(route('posted', 'sent')).toBeNull()
    expect(route('canceled', 'processing')).toBeNull()
  })

  it('let a posted payment still come back', () => {
    expect(moves.posted).toContain('reversal_required')
  })
})

it('an unauthorized payment speaks against account and holder, a wrong account against itself, too little money against nobody', () => {
  expect(consequence(10002)).toEqual({ side: 'source', account: 11003, holder: 12001 })
  expect(consequence(10006)).toEqual({ side: 'destination', account: 11003, holder: 12001 })
  expect(consequence(10007)).toEqual({ side: 'source', account: 11001, holder: null })
  expect(consequence(10008)).toEqual({ side: 'destination', account: 11001, holder: null })
  expect(consequence(10001)).toBeNull()
  expect(consequence(10009)).toBeNull()
})
