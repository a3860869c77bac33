import { DAY_MS, HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Route, Transfer } from './client.js'
import { isKnownStatus, stateOf } from './status.js'

const T = Date.parse('2026-11-30T15:00:00Z')
const at = (ms: number) => new Date(T + ms).toISOString()
const transfer = (members: Record<string, unknown>): Transfer => ({
  id: 't',
  status: 'pending_submission',
  idempotency_key: 'k',
  created_at: at(0),
  ...members,
})
const stateAt = (route: Route, members: Record<string, unknown>, now = T + DAY_MS, seenAt: number | null = T) =>
  stateOf(route, transfer(members), { now, realNow: now, seenAt })

const submission = { submitted_at: at(0) }
const settled = {
  submission: { ...submission, administrative_returns_expected_by: at(3 * DAY_MS) },
  settlement: { settled_at: at(HOUR_MS) },
}

describe('the state of a transfer', () => {
  it.each([
    ['ach_transfers', { status: 'pending_approval' }, 'pending', null],
    ['ach_transfers', { status: 'pending_reviewing' }, 'pending', null],
    ['ach_transfers', { status: 'requires_attention' }, 'pending', null],
    ['ach_transfers', { status: 'submitted', submission }, 'processing', null],
    ['ach_transfers', { status: 'submitted', submission, acknowledgement: { acknowledged_at: at(1) } }, 'sent', null],
    ['ach_transfers', { status: 'submitted', ...settled }, 'posted', null],
    ['ach_transfers', { status: 'canceled' }, 'failed', 10009],
    ['ach_transfers', { status: 'rejected' }, 'failed', 10009],
    [
      'ach_transfers',
      {
        status: 'returned',
        ...settled,
        return: { created_at: at(1), raw_return_reason_code: 'R03', trace_number: '9' },
      },
      'reversal_required',
      10008,
    ],
    ['ach_transfers', { status: 'new', submission }, 'processing', null],
    ['check_transfers', { status: 'pending_mailing', submission }, 'processing', null],
    ['check_transfers', { status: 'mailed', submission, mailing: { mailed_at: at(1) } }, 'sent', null],
    ['check_transfers', { status: 'deposited', submission, mailing: { mailed_at: at(1) } }, 'posted', null],
    ['check_transfers', { status: 'returned', submission, mailing: { mailed_at: at(1) } }, 'reversal_required', 10009],
    ['check_transfers', { status: 'rejected' }, 'failed', 10009],
    ['check_transfers', { status: 'canceled' }, 'failed', 10009],
    [
      'check_transfers',
      { status: 'stopped', submission, stop_payment_request: { requested_at: at(1), reason: 'unknown' } },
      'failed',
      10009,
    ],
    [
      'check_transfers',
      {
        status: 'stopped',
        mailing: { mailed_at: at(1) },
        stop_payment_request: { requested_at: at(2), reason: 'unknown' },
      },
      'reversal_required',
      10009,
    ],
    ['card_push_transfers', { status: 'submitted', submission }, 'processing', null],
    ['card_push_transfers', { status: 'complete', acceptance: { accepted_at: at(1) } }, 'posted', null],
    [
      'card_push_transfers',
      { status: 'declined', submission, decline: { declined_at: at(1), reason: 'closed_account' } },
      'failed',
      10008,
    ],
    ['account_transfers', { status: 'pending_approval' }, 'pending', null],
    ['account_transfers', { status: 'complete' }, 'posted', null],
  ] as const)('%s %j is %s', (route, members, status, code) => {
    expect(stateAt(route, members)).toMatchObject({ status, code })
  })

  it('asks again when the transfer is expected to change', () => {
    const now = T + 2 * HOUR_MS
    const next = (route: Route, members: Record<string, unknown>, when = now) => stateAt(route, members, when).next_at
    const expected = { ...submission, expected_funds_settlement_at: at(5 * HOUR_MS) }
    const acknowledgement = { acknowledged_at: at(1) }
    expect(next('ach_transfers', {})).toBe(now + 30 * MINUTE_MS)
    expect(next('ach_transfers', { submission: expected })).toBe(now + 30 * MINUTE_MS)
    expect(next('ach_transfers', { submission: expected, acknowledgement })).toBe(T + 5 * HOUR_MS)
    const late = T + 6 * HOUR_MS
    expect(next('ach_transfers', { submission: expected, acknowledgement }, late)).toBe(late + 30 * MINUTE_MS)
    expect(next('ach_transfers', settled)).toBe(T + DAY_MS)
    expect(next('ach_transfers', settled, T + 2.5 * DAY_MS)).toBe(T + 3 * DAY_MS)
    expect(next('ach_transfers', settled, T + 63 * DAY_MS)).toBe(T + HOUR_MS + 63 * DAY_MS)
    expect(next('ach_transfers', settled, T + 64 * DAY_MS)).toBeNull()
    expect(next('ach_transfers', { status: 'rejected' })).toBeNull()
    expect(next('check_transfers', { submission })).toBe(T + 6 * HOUR_MS)
    expect(next('check_transfers', { mailing: { mailed_at: at(1) } })).toBe(T + DAY_MS)
    expect(next('card_push_transfers', { acceptance: { accepted_at: at(1) } })).toBeNull()
  })

  it('asks again at times that do not depend on when it was asked', () => {
    // A caller whose clock was moved ahead by whole days must not be told to ask again within milliseconds.
    for (const later of [1, 5, 900]) {
      const now = T + 4 * DAY_MS + later
      expect(stateAt('ach_transfers', settled, now).next_at).toBe(T + 5 * DAY_MS)
      const past = { now: T + 2 * DAY_MS, realNow: now, seenAt: null }
      expect(stateOf('ach_transfers', transfer(settled), past).next_at).toBe(T + 5 * DAY_MS)
    }
    const undated = transfer({ ...settled, created_at: undefined })
    const { next_at } = stateOf('ach_transfers', undated, { now: T, realNow: T + 5 * DAY_MS, seenAt: null })
    expect(next_at).toBeGreaterThan(T)
  })

  it('points from the past to the next change', () => {
    const now = T + MINUTE_MS
    const state = stateOf('ach_transfers', transfer(settled), { now, realNow: T + DAY_MS, seenAt: null })
    expect(state).toMatchObject({ status: 'processing', next_at: T + HOUR_MS })
  })

  it('ignores time stamps that are not times', () => {
    expect(stateAt('ach_transfers', { submission: { submitted_at: 'soon' }, settlement: 7 })).toMatchObject({
      status: 'pending',
    })
  })

  it('knows Increase’s statuses, and no others', () => {
    expect(isKnownStatus('ach_transfers', transfer({ status: 'submitted' }))).toBe(true)
    expect(isKnownStatus('ach_transfers', transfer({ status: 'mailed' }))).toBe(false)
    expect(isKnownStatus('check_transfers', transfer({ status: 'mailed' }))).toBe(true)
  })

  it('never moves backwards, and never changes its word about an earlier time', () => {
    const order = ['pending', 'processing', 'sent', 'posted', 'failed', 'reversal_required']
    const time = fc.option(fc.integer({ min: 0, max: 90 * 24 }), { nil: null })
    fc.assert(
      fc.property(
        fc.record({ submitted: time, acknowledged: time, settled: time, returned: time }),
        fc.array(fc.integer({ min: 0, max: 100 * 24 }), { minLength: 2, maxLength: 8 }),
        ({ submitted, acknowledged, settled: settlement, returned }, hours) => {
          const stamp = (name: string, hour: number | null) => (hour === null ? null : { [name]: at(hour * HOUR_MS) })
          const members = {
            submission: stamp('submitted_at', submitted),
            acknowledgement: stamp('acknowledged_at', acknowledged),
            settlement: stamp('settled_at', settlement),
            return: stamp('created_at', returned),
          }
          const states = [...hours]
            .sort((a, b) => a - b)
            .map(hour => stateAt('ach_transfers', members, T + hour * HOUR_MS))
          const ranks = states.map(({ status }) => order.indexOf(status))
          expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
          const real = T + 200 * DAY_MS
          for (const hour of hours) {
            const now = T + hour * HOUR_MS
            const early = stateOf('ach_transfers', transfer(members), { now, realNow: now, seenAt: null })
            const later = stateOf('ach_transfers', transfer(members), { now, realNow: real, seenAt: null })
            expect({ ...later, next_at: null }).toEqual({ ...early, next_at: null })
            if (early.next_at !== null) expect(early.next_at).toBeGreaterThan(now)
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is asked for again at the time of a notification of change', () => {
    const notified = { ...settled, notifications_of_change: [{ change_code: 'x', created_at: at(2 * HOUR_MS) }] }
    expect(stateAt('ach_transfers', notified, T + HOUR_MS).next_at).toBe(T + 2 * HOUR_MS)
    expect(stateAt('ach_transfers', notified, T + 2 * HOUR_MS).next_at).toBeGreaterThan(T + 2 * HOUR_MS)
  })
})
