import { beforeEach, expect, it } from 'vitest'
import { type Hooks, startHooks } from '../../testing/hooks.js'

let service: Hooks['service']
let receiver: Hooks['receiver']
let bank: Hooks['bank']
let hook: Hooks['hook']
let happens: Hooks['happens']
let deliveries: Hooks['deliveries']
let passes: Hooks['passes']
beforeEach(async () => {
  ;({ service, receiver, bank, hook, happens, deliveries, passes } = await startHooks())
})

const start = '2026-03-02T00:00:00.000Z'

it("lists all of a delivery's attempts, latest first", async () => {
  const { id } = await hook()
  receiver.reply([500, 503])
  await happens()
  await passes(1, 2)
  const [delivery] = await deliveries(id)
  const path = `/webhooks/${id}/deliveries/${delivery?.id}/attempts`
  const { data } = (await bank.must('GET', path)) as unknown as { data: { at: string; ms: number }[] }
  expect(data).toMatchObject([
    { number: 3, response_status: 200, failure: null },
    { number: 2, response_status: 503, failure: null },
    { number: 1, response_status: 500, failure: null },
  ])
  expect(data.every(each => each.ms >= 0)).toBe(true)
  expect(data.map(each => each.at)).toEqual(
    data
      .map(each => each.at)
      .toSorted()
      .toReversed(),
  )
  const other = await hook()
  expect(await bank.rejection('GET', `/webhooks/${other.id}/deliveries/${delivery?.id}/attempts`)).toBe('NOT_FOUND')
})

it('counts deliveries by hour, and shows how close the webhook is to being disabled', async () => {
  const { id } = await hook()
  await happens()
  await passes()
  receiver.always('', 500)
  await happens()
  await passes(1, 2, 4, 8, 30, 120, 480)
  expect(await bank.must('GET', `/webhooks/${id}/stats`)).toMatchObject({
    bucket: 'hour',
    buckets: [
      {
        at: '2026-03-02T15:00:00.000Z',
        delivered: 1,
        failed: 1,
        canceled: 0,
        p50_ms: expect.any(Number),
        p95_ms: expect.any(Number),
      },
    ],
    failures_in_row: 1,
    failing_since: '2026-03-02T15:00:00.000Z',
    switch_off_at: '2026-03-05T15:00:00.000Z',
    switched_off_at: null,
  })
  const { id: quiet } = await hook()
  expect(await bank.must('GET', `/webhooks/${quiet}/stats`)).toMatchObject({ buckets: [], failures_in_row: 0 })
})

it('shows the reason and end time of a pause, and the time when the webhook was disabled', async () => {
  const { id } = await hook()
  receiver.always('', 500)
  await happens()
  await passes(1, 2, 4, 8, 30, 120, 480)
  service.advance(3 * 86_400_000)
  await happens()
  await passes()
  expect(await bank.must('GET', `/webhooks/${id}/stats`)).toMatchObject({
    failures_in_row: 1,
    switch_off_at: null,
    switched_off_at: expect.stringMatching(/^2026-03-05T15:/),
  })
})

it('a redelivery sends nothing in a dry run, and can end at a given time', async () => {
  const { id } = await hook()
  receiver.always('', 500)
  await happens()
  await passes(1, 2, 4, 8, 30, 120, 480)
  const until = new Date(service.deps.clock()).toISOString()
  service.advance(60_000)
  await happens()
  await passes(1, 2, 4, 8, 30, 120, 480)
  receiver.always('', null)
  const before = receiver.calls.length
  const path = `/webhooks/${id}/redeliver`
  expect(await bank.must('POST', path, { since: start, dry_run: true })).toMatchObject({ queued: 2 })
  expect(await bank.must('POST', path, { since: start, until, dry_run: true })).toMatchObject({ queued: 1 })
  await passes()
  expect(receiver.calls).toHaveLength(before)
  expect(await bank.must('POST', path, { since: start, until })).toMatchObject({ queued: 1 })
  await passes()
  expect((await deliveries(id)).map(each => each['status'])).toEqual(['failed', 'delivered'])
})

it('keeps a failure in its hour after the delivery is sent again, and counts canceled deliveries', async () => {
  const { id } = await hook()
  receiver.always('', 500)
  await happens()
  await passes(1, 2, 4, 8, 30, 120, 480)
  receiver.always('', null)
  service.advance(3_600_000)
  const [delivery] = await deliveries(id)
  await bank.must('POST', `/webhooks/${id}/deliveries/${delivery?.id}/redeliver`)
  await passes()
  receiver.always('', 500)
  await happens()
  await service.settle()
  await bank.must('PATCH', `/webhooks/${id}`, { status: 'disabled' })
  expect((await bank.must('GET', `/webhooks/${id}/stats`))['buckets']).toMatchObject([
    { at: '2026-03-02T15:00:00.000Z', delivered: 0, failed: 1, canceled: 0 },
    { at: '2026-03-02T16:00:00.000Z', delivered: 1, failed: 0, canceled: 1 },
  ])
})

it('counts each delivery once by its current status: one that was resent successfully is no longer failed', async () => {
  const { id } = await hook()
  receiver.always('', 500)
  await happens()
  await happens()
  await passes(1, 2, 4, 8, 30, 120, 480)
  receiver.always('', null)
  await happens()
  await passes()
  const outcomes = async () => {
    // The service caches the counts briefly.
    service.advance(60_000)
    return (await bank.must('GET', `/webhooks/${id}/stats`))['outcomes']
  }
  expect(await outcomes()).toEqual({ delivered: 1, failed: 2, canceled: 0 })
  await bank.must('POST', `/webhooks/${id}/redeliver`, { since: start })
  await passes()
  expect(await outcomes()).toEqual({ delivered: 3, failed: 0, canceled: 0 })
  // A second successful attempt at the same delivery is not counted.
  const [delivery] = await deliveries(id)
  await bank.must('POST', `/webhooks/${id}/deliveries/${delivery?.id}/redeliver`)
  await passes()
  expect(await outcomes()).toEqual({ delivered: 3, failed: 0, canceled: 0 })
})

it('counts what a redelivery would send even while the webhook is disabled', async () => {
  const { id } = await hook()
  await happens()
  await bank.must('PATCH', `/webhooks/${id}`, { status: 'disabled' })
  await happens()
  const path = `/webhooks/${id}/redeliver`
  expect(await bank.must('POST', path, { since: start, dry_run: true })).toMatchObject({ queued: 2 })
  expect(await bank.rejection('POST', path, { since: start })).toBe('INVALID_STATUS')
})
