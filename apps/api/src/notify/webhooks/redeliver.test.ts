import { beforeEach, describe, expect, it } from 'vitest'
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

describe('redelivery of a single delivery', () => {
  it('sends a failed one again, under its own id, with the whole retry schedule', async () => {
    const { id } = await hook()
    receiver.always('', 500)
    await happens()
    await passes(1, 2, 4, 8, 30, 120, 480)
    const [failed] = await deliveries(id)
    const path = `/webhooks/${id}/deliveries/${failed?.id}`
    expect(await bank.must('POST', `${path}/redeliver`)).toMatchObject({
      id: failed?.id,
      status: 'pending',
      attempts: 0,
    })
    await passes(1)
    receiver.always('', null)
    await passes(2)
    expect(await bank.must('GET', path)).toMatchObject({ status: 'delivered', attempts: 3 })
    expect(new Set(receiver.calls.map(call => call.headers['webhook-id']))).toEqual(new Set([failed?.id]))
  })

  it('sends a delivered one again, and sends a pending one immediately', async () => {
    const { id } = await hook()
    await happens()
    await passes()
    const [delivery] = await deliveries(id)
    receiver.reply([500])
    for (let count = 2; count <= 3; count += 1) {
      await bank.must('POST', `/webhooks/${id}/deliveries/${delivery?.id}/redeliver`)
      await passes()
      expect(receiver.calls).toHaveLength(count)
    }
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: 1 }])
  })

  it("is rejected while the webhook is disabled, and for another webhook's delivery", async () => {
    const { id } = await hook()
    const other = await hook()
    await happens()
    await passes()
    const [delivery] = await deliveries(id)
    expect(await bank.rejection('POST', `/webhooks/${other.id}/deliveries/${delivery?.id}/redeliver`)).toBe('NOT_FOUND')
    await bank.must('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    expect(await bank.rejection('POST', `/webhooks/${id}/deliveries/${delivery?.id}/redeliver`)).toBe('INVALID_STATUS')
    expect(await bank.rejection('POST', `/webhooks/${id}/redeliver`, { since: start })).toBe('INVALID_STATUS')
  })

  it('during an attempt loses nothing', async () => {
    const { id } = await hook()
    const release = receiver.hold('a.example')
    receiver.reply([500])
    await happens()
    const settled = service.settle()
    await expect.poll(() => receiver.calls.length).toBe(1)
    const [delivery] = await deliveries(id)
    await bank.must('POST', `/webhooks/${id}/deliveries/${delivery?.id}/redeliver`)
    release()
    await settled
    await passes(1)
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered' }])
  })
})

describe('redelivery since a given time', () => {
  it('sends failed and canceled deliveries and those missed while the webhook was disabled, but no delivered ones', async () => {
    const { id } = await hook()
    await happens()
    await passes()
    receiver.always('', 500)
    const failed = await happens()
    await passes(1, 2, 4, 8, 30, 120, 480)
    const canceled = await happens()
    await bank.must('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    const missed = await happens()
    await passes(60)
    receiver.always('', null)
    await bank.must('PATCH', `/webhooks/${id}`, { status: 'active' })
    const before = receiver.calls.length
    expect(await bank.must('POST', `/webhooks/${id}/redeliver`, { since: start })).toEqual({
      webhook_id: id,
      since: start,
      queued: 3,
    })
    await passes()
    const sent = receiver.calls.slice(before).map(call => call.json['id'])
    expect(sent.sort()).toEqual([failed.id, canceled.id, missed.id].sort())
    expect((await deliveries(id)).map(each => each['status'])).toEqual(Array(4).fill('delivered'))
    expect(await bank.must('POST', `/webhooks/${id}/redeliver`, { since: start })).toMatchObject({ queued: 0 })
  })

  it('omits earlier deliveries', async () => {
    const { id } = await hook()
    receiver.always('', 500)
    await happens()
    await passes(1, 2, 4, 8, 30, 120, 480)
    service.advance(60_000)
    const since = new Date(service.deps.clock()).toISOString()
    await happens()
    await passes(1, 2, 4, 8, 30, 120, 480)
    receiver.always('', null)
    expect(await bank.must('POST', `/webhooks/${id}/redeliver`, { since })).toMatchObject({ queued: 1 })
    await passes()
    expect((await deliveries(id)).map(each => each['status'])).toEqual(['delivered', 'failed'])
  })

  it('continues over more than one batch', async () => {
    await bank.must('PATCH', '/team', {})
    const { id } = await hook()
    await bank.must('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    for (let count = 0; count < 520; count += 1) await happens()
    await bank.must('PATCH', `/webhooks/${id}`, { status: 'active' })
    expect(await bank.must('POST', `/webhooks/${id}/redeliver`, { since: start })).toMatchObject({ queued: 520 })
    await passes()
    expect(new Set(receiver.calls.map(call => call.json['id'])).size).toBe(520)
    expect(receiver.calls).toHaveLength(520)
  }, 240_000)

  it.each([{}, { since: 'yesterday' }, { since: '2026-13-01T00:00:00.000Z' }, { since: 7 }])(
    'is rejected for %j',
    async body => {
      const { id } = await hook()
      expect(await bank.rejection('POST', `/webhooks/${id}/redeliver`, body)).toBe('INVALID_REQUEST')
    },
  )
})

describe('an endpoint', () => {
  it('that does not respond delays no other endpoint, and receives few calls at once', async () => {
    await hook({ url: 'https://dead.example/' })
    await hook({ url: 'https://well.example/' })
    const release = receiver.hold('dead.example')
    for (let count = 0; count < 30; count += 1) await happens()
    const to = (host: string) => receiver.calls.filter(call => call.url.includes(host)).length
    const settled = service.settle()
    await expect.poll(() => to('well.example')).toBe(30)
    expect(to('dead.example')).toBeLessThanOrEqual(8)
    release()
    await settled
    expect(to('dead.example')).toBe(30)
  })

  it('that does not respond delays no payment', async () => {
    await hook({ url: 'https://dead.example/' })
    const release = receiver.hold('dead.example')
    for (let count = 0; count < 10; count += 1) await happens()
    const settled = service.settle()
    await expect.poll(() => receiver.calls.length).toBe(8)
    expect((await bank.must('POST', '/simulate/clock', { advance: 'P1D' }))['ahead_seconds']).toBe(86_400)
    expect((await bank.must('GET', '/payments'))['data']).toEqual([])
    release()
    await settled
  })
})
