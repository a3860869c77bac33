import { DAY_MS } from '@causeway/contract/time'
import { expect, it } from 'vitest'
import { compareLine, type ExpectedTransfer, isDue, type LinkedTransfer } from './compare.js'

const now = 100 * DAY_MS
const old = now - 5 * DAY_MS
const transfer = (
  status: ExpectedTransfer['status'],
  { seen = {}, ...changes }: Partial<ExpectedTransfer> & { seen?: Partial<LinkedTransfer['seen']> } = {},
): LinkedTransfer => ({
  resource: { kind: 'payment', id: 'p1', status, amount: 5_000, isSimulated: false, ...changes },
  seen: { line_id: null, return_line_id: null, ...seen },
})
const line = (amount: number, at = old, id = 'l1') => ({ id, transfer: 't1', amount, category: 'ach', at })

it.each([
  ['leaves', line(-5_000), transfer('posted'), 'line_id'],
  ['leaves before its status is read', line(-5_000), transfer('pending'), 'line_id'],
  ['leaves, in a line that was seen before', line(-5_000), transfer('posted', { seen: { line_id: 'l1' } }), 'line_id'],
  ['comes back', line(5_000), transfer('reversal_required', { seen: { line_id: 'l0' } }), 'return_line_id'],
  ['comes back after a rejection', line(5_000), transfer('failed'), 'return_line_id'],
  ['leaves to send returned money on', line(-5_000), transfer('sent', { kind: 'reversal' }), 'line_id'],
  ['arrives on another own account', line(5_000), transfer('sent', { kind: 'reversal' }), 'return_line_id'],
  [
    'comes back, but was moved by a simulation',
    line(5_000),
    transfer('posted', { isSimulated: true }),
    'return_line_id',
  ],
])('matches money that %s', (_, each, known, remember) => {
  expect(compareLine(each, known, now)).toEqual({ result: 'matched', remember })
})

it.each([
  ['names no transfer', { ...line(-250), transfer: null }, undefined],
  ['belongs to a micro-deposit', line(-12), { resource: null, seen: { line_id: null, return_line_id: null } }],
])('counts a line that %s by its category', (_, each, known) => {
  expect(compareLine(each, known, now)).toEqual({ result: 'other' })
})

// kills: unknown-transfer-is-reported
// kills: second-line-is-reported
// kills: unnoticed-return-is-reported
it.each([
  ['missing_here', line(-5_000), undefined, null],
  ['different_amount', line(-4_000), transfer('posted'), 5_000],
  ['repeated', line(-5_000), transfer('posted', { seen: { line_id: 'l0' } }), null],
  ['repeated', line(5_000), transfer('reversal_required', { seen: { return_line_id: 'l0' } }), null],
  ['returned_there', line(5_000), transfer('posted', { seen: { line_id: 'l0' } }), null],
])('reports %s', (kind, each, known, expected_amount) => {
  const verdict = compareLine(each, known, now)
  const resource_id = known?.resource?.id ?? null
  expect(verdict).toMatchObject({
    result: { kind, subject: 'l1', line_id: 'l1', resource_id, amount: each.amount, expected_amount, at: old },
  })
})

it.each([
  ['an unknown transfer of the last minutes', line(-5_000, now - 60_000), undefined],
  ['a return of today', line(5_000, now - DAY_MS), transfer('posted')],
])('waits before it reports %s', (_, each, known) => {
  expect(compareLine(each, known, now).result).toBe('recent')
})

it('expects a line once a payment is posted: a mailed check has left nothing yet', () => {
  const statuses = ['pending', 'processing', 'sent', 'posted', 'failed'] as const
  expect(statuses.filter(status => isDue(transfer(status).resource!))).toEqual(['posted'])
  expect(isDue(transfer('sent', { kind: 'reversal' }).resource!)).toBe(true)
  expect(isDue(transfer('posted', { isSimulated: true }).resource!)).toBe(false)
})
