import { expect, it } from 'vitest'
import { changesOf } from './changes.js'

it('names each changed field by its path', () => {
  const before = { status: 'open', bt: { payout_status: 'pending_release', loan_amount: 5 }, error: null, gone: 1 }
  const after = { status: 'done', bt: { payout_status: 'released', loan_amount: 5 }, error: null, added: true }
  expect(changesOf({ before, after })).toEqual([
    { path: 'status', before: 'open', after: 'done' },
    { path: 'bt.payout_status', before: 'pending_release', after: 'released' },
    { path: 'gone', before: 1, after: null },
    { path: 'added', before: null, after: true },
  ])
})

it('shows the size of a list, and the fields of an object that was added or removed', () => {
  const before = { accounts: ['acc_1'], error: null, bt: { amount: 1 } }
  expect(changesOf({ before, after: { accounts: [], error: { code: 1 }, bt: null } })).toEqual([
    { path: 'accounts', before: 1, after: 0 },
    { path: 'error.code', before: null, after: 1 },
    { path: 'bt.amount', before: 1, after: null },
  ])
})

it('omits the time of the change, and everything about a new or an erased resource', () => {
  expect(changesOf({ before: { updated_at: '1' }, after: { updated_at: '2' } })).toEqual([])
  expect(changesOf({ before: null, after: { status: 'open' } })).toEqual([])
  expect(changesOf({ before: null, after: null })).toEqual([])
})

it('shows at most six changes', () => {
  const body = (value: number) => Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`field_${index}`, value]))
  expect(changesOf({ before: body(1), after: body(2) })).toHaveLength(6)
})
