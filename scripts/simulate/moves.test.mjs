import { expect, it } from 'vitest'
import { statusRules } from '../../apps/api/src/money/payments/payment.ts'
import { reversalTransitions } from '../../apps/api/src/money/reversals/reversal.ts'
import { allMoves, moves } from './moves.mjs'

const sorted = rules => Object.fromEntries(Object.entries(rules).map(([from, next]) => [from, [...next].sort()]))

it('the simulation allows a payment the moves that the service declares', () => {
  const declared = Object.entries(statusRules).map(([from, { next }]) => [from, next])
  expect(sorted(moves.payments)).toEqual(sorted(Object.fromEntries(declared)))
})

it('the simulation allows a reversal the moves that the service declares', () => {
  expect(sorted(moves.reversals)).toEqual(sorted(reversalTransitions))
})

it('every move leads to a status that is listed', () => {
  for (const [table, next] of Object.entries(moves))
    for (const status of Object.values(next).flat()) expect(next, table).toHaveProperty(status)
  expect(allMoves()).toContain('payments: pending → processing')
})
