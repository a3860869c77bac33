import { expect, test } from 'vitest'
import { ach, call, liability, payment, testSandbox } from './fixtures.js'
import { inChicago, windowOn } from './timetable.js'

const { rail } = testSandbox()
const normal = '123456789'
const card = 'sbd_0001'

test.each([
  [normal, 1_000_000, card, true],
  ['1000000001', 5_000, card, true],
  ['1000000001', 5_001, card, 'INSUFFICIENT_FUNDS'],
  ['1000000002', 100, card, 'PAYMENT_REFUSED_BY_RAIL'],
  ['1000000003', 100_000, card, true],
  ['1000000003', 100_001, card, 'MAX_AMOUNT_EXCEEDED'],
  [normal, 10_000, 'sbd_1101', true],
  [normal, 10_000, 'sbd_1102', 'PAYMENT_REFUSED_BY_RAIL'],
  [normal, 10_000, 'sbd_0004', 'PAYMENT_REFUSED_BY_RAIL'],
  [normal, 10_000, 'sbd_1403', 'PAYMENT_REFUSED_BY_RAIL'],
])('from %s, %i cents to %s: %s', async (source, amount, destination, expected) => {
  const answer = await rail.accepts({ ...call, amount, source: ach(source), destination: liability(destination) })
  expect(answer.accepted || answer.sub_type).toBe(expected)
})

test('a submitted payment is accepted, even if it is submitted again', async () => {
  const handed = { ...call, ...payment(normal, card) }
  expect(await rail.submit(handed)).toEqual({ status: 'accepted' })
  expect(await rail.submit(handed)).toEqual({ status: 'accepted' })
})

test.each([
  ['1000000001', card, 10001],
  ['1000000004', card, 10003],
  [normal, 'sbd_1102', 10008],
])('a payment from %s to %s is rejected on submission with %i', async (source, destination, code) => {
  expect(await rail.submit({ ...call, ...payment(source, destination) })).toEqual({ status: 'refused', code })
})

/** Returns each status found by polling at `next_at`, with its time in UTC. */
async function course(source: string, destination: string) {
  const seen: string[] = []
  let now: number | null = call.now
  while (now !== null) {
    const answer = await rail.status({ ...call, ...payment(source, destination), now })
    seen.push(`${new Date(now).toISOString().slice(0, 16)} ${answer.status} ${answer.code ?? ''}`.trim())
    if (answer.next_at !== null) expect(answer.next_at).toBeGreaterThan(now)
    now = answer.next_at
  }
  return seen
}

test('a payment is pulled at the first window, sent that evening and posted on its posting date', async () => {
  expect(await course(normal, card)).toEqual([
    '2026-01-14T15:00 pending',
    '2026-01-14T16:30 processing',
    '2026-01-15T00:00 sent',
    '2026-01-16T19:30 posted',
  ])
})

test('a payment to the account that returns payments is posted, and returned three days later', async () => {
  expect((await course(normal, 'sbd_1002')).slice(-2)).toEqual([
    '2026-01-16T19:30 posted',
    '2026-01-19T19:30 reversal_required 10009',
  ])
})

test.each([
  ['1000000005', 10001],
  ['1000000006', 10005],
  ['1000000007', 10007],
])('a payment from %s fails with %i and is never sent', async (source, code) => {
  expect((await course(source, card)).slice(1)).toEqual([
    '2026-01-14T16:30 processing',
    `2026-01-15T00:00 failed ${code}`,
  ])
})

test('a disputed debit requires a reversal after the payment was sent', async () => {
  expect((await course('1000000008', card)).slice(-2)).toEqual([
    '2026-01-15T00:00 sent',
    '2026-01-15T15:00 reversal_required 10002',
  ])
})

test.each([
  ['more than the returned part', 101, 0, 'partial_reversal_processing', 100],
  ['exactly the returned part', 100, 0, 'reversal_required', null],
  ['exactly the returned part, less the fee', 200, 100, 'reversal_required', null],
])('a partial return if %s arrived', async (_what, amount, fee, status, returned) => {
  const paid = { ...payment('1000000016', card), amount, fee }
  const late = await rail.status({ ...call, ...paid, now: call.now + 90 * 86_400_000 })
  expect(late).toMatchObject({ status, returned, code: 10010 })
})

test('skipping past every step shows the final state immediately', async () => {
  const late = await rail.status({ ...call, ...payment(normal, 'sbd_1002'), now: call.now + 90 * 86_400_000 })
  expect(late).toMatchObject({ status: 'reversal_required', code: 10009, next_at: null })
})

test('trace ids appear one after another, have fifteen digits and do not change', async () => {
  const at = (now: number) => rail.status({ ...call, ...payment(normal, card), now })
  expect(await at(call.now)).toMatchObject({ source_trace_id: null, destination_trace_id: null })
  const processing = await at(Date.parse('2026-01-14T16:30:00.000Z'))
  expect(processing.source_trace_id).toMatch(/^\d{15}$/)
  expect(processing.destination_trace_id).toBeNull()
  const sent = await at(Date.parse('2026-01-15T00:00:00.000Z'))
  expect(sent.source_trace_id).toBe(processing.source_trace_id)
  expect(sent.destination_trace_id).toMatch(/^\d{15}$/)
  expect(sent.destination_trace_id).not.toBe(sent.source_trace_id)
})

test('a payment with known dates can be canceled until its window starts, but not afterward', async () => {
  const window = Date.parse('2026-01-14T16:30:00.000Z')
  const cancel = (now: number) => rail.cancel({ ...call, ...payment(normal, card), now })
  expect(await cancel(window - 1)).toEqual({ status: 'canceled' })
  expect(await cancel(window)).toEqual({ status: 'too_late' })
})

test('windows follow Chicago time, in summer and winter', () => {
  const utc = (at: number) => new Date(at).toISOString().slice(11, 16)
  expect(utc(inChicago('2026-01-14', '10:30'))).toBe('16:30')
  expect(utc(inChicago('2026-07-14', '10:30'))).toBe('15:30')
  expect(utc(inChicago('2026-03-08', '10:30'))).toBe('15:30')
  expect(utc(inChicago('2026-11-01', '10:30'))).toBe('16:30')
})

test('a payment created after a window uses the next one; after the last window, it uses the last one', () => {
  const date = '2026-01-14'
  expect(windowOn(date, inChicago(date, '10:31'))).toBe(inChicago(date, '13:30'))
  expect(windowOn(date, inChicago('2026-01-13', '20:00'))).toBe(inChicago(date, '10:30'))
  expect(windowOn(date, inChicago(date, '17:00'))).toBe(inChicago(date, '16:30'))
})
