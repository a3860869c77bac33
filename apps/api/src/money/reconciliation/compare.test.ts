import { expect, it } from 'vitest'
import { compareStatement, type ExpectedTransfer } from './compare.js'

const payment = (id: string, status: string, amount = 5_000): ExpectedTransfer => ({
  ...{ kind: 'payment', id, status, amount, created_at: 1 },
})
const line = (id: string, transfer: string | null, amount: number, category = 'ach_transfer_intention') => ({
  ...{ id, transfer, amount, category, at: 2 },
})
const compare = (lines: ReturnType<typeof line>[], ...payments: ExpectedTransfer[]) =>
  compareStatement({
    lines,
    transfers: new Map(payments.map(each => [`t_${each.id}`, each])),
    expected: payments,
  })

it('matches a payment that left once, and one that came back', () => {
  const { matched, exceptions } = compare(
    [line('l1', 't_p1', -5_000), line('l2', 't_p2', -5_000), line('l3', 't_p2', 5_000)],
    payment('p1', 'posted'),
    payment('p2', 'reversal_required'),
  )
  expect({ matched, exceptions }).toEqual({ matched: 3, exceptions: [] })
})

it('accepts a payment that has not left yet', () => {
  expect(compare([], payment('p1', 'processing')).exceptions).toEqual([])
})

it('counts lines that no payment caused, by category', () => {
  const { other, exceptions } = compare([line('l1', null, -250, 'fee_payment'), line('l2', null, -250, 'fee_payment')])
  expect({ other, exceptions }).toEqual({ other: { fee_payment: { count: 2, sum: -500 } }, exceptions: [] })
})

it.each([
  ['missing_here', [line('l1', 't_unknown', -5_000)], []],
  ['missing_there', [], [payment('p1', 'posted')]],
  ['different_amount', [line('l1', 't_p1', -4_000)], [payment('p1', 'posted')]],
  ['repeated', [line('l1', 't_p1', -5_000), line('l2', 't_p1', -5_000)], [payment('p1', 'posted')]],
  ['returned_there', [line('l1', 't_p1', -5_000), line('l2', 't_p1', 5_000)], [payment('p1', 'posted')]],
])('reports %s', (kind, lines, payments) => {
  expect(compare(lines, ...payments).exceptions).toEqual([expect.objectContaining({ kind })])
})
