import { beforeEach, describe, expect, it } from 'vitest'
import { countMissingJobs } from '../../platform/jobs/missing.js'
import { type Hooks, startHooks } from '../../testing/hooks.js'
import { lender } from '../../testing/money.js'

let service: Hooks['service']
let receiver: Hooks['receiver']
let bank: Hooks['bank']
let hook: Hooks['hook']
let happens: Hooks['happens']
let deliveries: Hooks['deliveries']
let passes: Hooks['passes']
let shown: Hooks['shown']
beforeEach(async () => {
  ;({ service, receiver, bank, hook, happens, deliveries, passes, shown } = await startHooks())
})

const type = 'entity.create'
const whole = [1, 2, 4, 8, 30, 120, 480]
const DAY_S = 86_400

describe('a delivery', () => {
  it('names the event and the path of its resource, and is listed as delivered', async () => {
    const { id } = await hook()
    const entity = await happens()
    await passes()
    expect(receiver.calls).toHaveLength(1)
    const [call] = receiver.calls
    expect(call).toMatchObject({ method: 'POST', url: 'https://a.example/hook', timeout: 5_000, limit: 16_384 })
    expect(call?.headers['Content-Type']).toBe('application/json')
    const [delivery] = await deliveries(id)
    expect(call?.json).toEqual({
      webhook_id: id,
      id: entity.id,
      type,
      op: 'create',
      path: `/entities/${entity.id}`,
      event: delivery?.['event_id'],
      refs: { entity: entity.id },
    })
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, response_status: 200, failure: null })
    expect(await bank.must('GET', `/events/${delivery?.['event_id']}`)).toMatchObject({ type, resource_id: entity.id })
  })

  it('goes once to every active webhook of its type and team, and to no other', async () => {
    await hook()
    await hook({ url: 'https://b.example/hook' })
    await hook({ type: 'entity.update' })
    const off = await hook()
    await bank.must('PATCH', `/webhooks/${off.id}`, { status: 'disabled' })
    const gone = await hook()
    await bank.must('DELETE', `/webhooks/${gone.id}`)
    await lender(service, (await service.anotherTeam()).key).must('POST', '/webhooks', {
      type,
      url: 'https://other.example/',
    })
    await happens()
    await passes()
    expect(receiver.calls.map(call => call.url).sort()).toEqual(['https://a.example/hook', 'https://b.example/hook'])
  })

  it('is not sent for a rolled-back change', async () => {
    await hook()
    expect(await bank.rejection('POST', '/entities', { type: 'corporation', corporation: { name: 7 } })).toBeDefined()
    await passes()
    expect(receiver.calls).toEqual([])
  })

  it("contains the event in the team's version, if requested", async () => {
    await hook({ type: 'payment.create', expand_event: true })
    const source = (await bank.source()).id
    await bank.must('PATCH', '/team', { ach_destinations: true })
    const destination = (await bank.source('987654321')).id
    const pay = () => bank.must('POST', '/payments', { amount: 100, source, destination, description: 'x' })
    await pay()
    await passes()
    await bank.must('PATCH', '/team', { version: '2026-03-30' })
    await pay()
    await passes()
    const [old, recent] = receiver.calls.map(call => call.json['event'] as Record<string, Record<string, unknown>>)
    expect(old).toMatchObject({ type: 'payment.create', resource_type: 'payment', diff: { before: null } })
    expect(old?.['data']).not.toHaveProperty('idempotency_key')
    expect(recent?.['data']).toHaveProperty('idempotency_key')
    expect(recent?.['diff']?.['after']).toEqual(recent?.['data'])
  })

  it("reaches webhooks that use the type name from the team's version", async () => {
    await hook({ type: 'attribute.update' })
    await bank.debts()
    const [entity] = (await bank.must('GET', '/entities'))['data'] as { id: string }[]
    await bank.must('POST', `/entities/${entity?.id}/attributes`, { attributes: ['credit_health_credit_card_usage'] })
    await passes()
    expect(receiver.calls.map(call => call.json['type'])).toEqual(['attribute.update'])
    expect(receiver.calls[0]?.json['path']).toMatch(/^\/entities\/ent_\w+\/attributes\/attr_\w+$/)
  })
})

describe('a failed delivery', () => {
  it.each([
    ['a server error', 500, 500, null],
    ['a client error', 404, 404, null],
    ['a redirect', 302, 302, 'redirect'],
    ['a timeout', 'timeout', null, 'timeout'],
    ['a connection error', 'connection', null, 'connection'],
    ['a blocked address', 'refused', null, 'refused'],
  ] as const)('by %s is retried seven times within eleven minutes', async (_what, reply, status, failure) => {
    const { id } = await hook()
    receiver.always('', reply)
    await happens()
    await passes()
    for (const [index, seconds] of whole.entries()) {
      expect((await deliveries(id))[0]).toMatchObject({ status: 'pending', attempts: index + 1 })
      await passes(seconds - 0.001)
      expect(receiver.calls).toHaveLength(index + 1)
      await passes(0.001)
      expect(receiver.calls).toHaveLength(index + 2)
    }
    expect((await deliveries(id))[0]).toMatchObject({
      status: 'failed',
      attempts: 8,
      response_status: status,
      failure,
      next_attempt_at: null,
    })
    await passes(100_000)
    expect(receiver.calls).toHaveLength(8)
  })

  it.each([200, 201, 202, 204, 299])('does not include one with the response %i', async status => {
    const { id } = await hook()
    receiver.reply([status])
    await happens()
    await passes(60)
    expect(receiver.calls).toHaveLength(1)
    expect((await deliveries(id))[0]).toMatchObject({ status: 'delivered' })
  })

  it('follows the long schedule if the team chose it', async () => {
    await bank.must('PATCH', '/team', { webhook_schedule: 'long' })
    const { id } = await hook()
    receiver.always('', 500)
    await happens()
    const hour = 3_600
    await passes(5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour, 999 * hour)
    expect(await deliveries(id)).toMatchObject([{ status: 'failed', attempts: 10 }])
  })

  it('with 410 disables the webhook immediately', async () => {
    const { id } = await hook()
    receiver.reply([410])
    await happens()
    await passes(60)
    expect(receiver.calls).toHaveLength(1)
    expect(await shown(id)).toMatchObject({ status: 'disabled', error: { code: 25002 } })
  })
})

it('a delivery that the service itself cannot complete is listed as failed, and can be sent again', async () => {
  const { id } = await hook()
  const secretOf = () =>
    service.store.reader.selectFrom('webhooks').select('hmac_secret').where('id', '=', id).executeTakeFirstOrThrow()
  const setSecret = (hmac_secret: string | null) =>
    service.store.write(tx => tx.updateTable('webhooks').set({ hmac_secret }).where('id', '=', id).execute())
  const { hmac_secret } = await secretOf()
  await setSecret('not sealed')
  await happens()
  await passes(...Array(8).fill(600))
  const [delivery] = await deliveries(id)
  expect(delivery).toMatchObject({ status: 'failed', attempts: 0, failure: 'internal', next_attempt_at: null })
  expect(await shown(id)).toMatchObject({ status: 'active', error: null })
  expect(await countMissingJobs(service.store)).toMatchObject({ deliveries: 0 })
  await setSecret(hmac_secret)
  await bank.must('POST', `/webhooks/${id}/deliveries/${delivery!.id}/redeliver`)
  await passes()
  expect((await deliveries(id))[0]).toMatchObject({ status: 'delivered', failure: null })
})

describe('a webhook whose deliveries fail', () => {
  it.each([
    [404, 25007, 25002],
    [500, 25008, 25003],
    ['timeout', 25009, 25004],
    ['connection', 25006, 25001],
  ] as const)(
    'with %s needs attention after a fifth attempt, and is disabled after three days',
    async (reply, needs, off) => {
      const { id } = await hook()
      receiver.always('', reply)
      await happens()
      await passes(1, 2, 4)
      expect(await shown(id)).toMatchObject({ status: 'active', error: null })
      await passes(8)
      expect(await shown(id)).toMatchObject({ status: 'requires_attention', error: { code: needs } })
      await passes(30, 120, 480)
      expect((await deliveries(id))[0]).toMatchObject({ status: 'failed' })
      service.advance((3 * DAY_S - 700) * 1_000)
      await happens()
      await passes()
      expect(await shown(id)).toMatchObject({ status: 'requires_attention' })
      service.advance(100_000)
      await happens()
      await passes()
      expect(await shown(id)).toMatchObject({ status: 'disabled', error: { code: off } })
      const before = receiver.calls.length
      await happens()
      await passes(59)
      expect(receiver.calls).toHaveLength(before)
      // A delivery that still had attempts left is canceled, so that it can be sent again.
      expect((await deliveries(id)).map(each => each['status'])).toEqual(['canceled', 'canceled', 'failed'])
    },
  )

  it('is not disabled by the number of failures', async () => {
    const { id } = await hook()
    receiver.always('', 500)
    for (let count = 0; count < 30; count += 1) await happens()
    await passes(...whole)
    expect((await deliveries(id, '?status=failed')).length).toBeGreaterThanOrEqual(20)
    expect(await shown(id)).toMatchObject({ status: 'requires_attention' })
  })

  it('is active again after a delivery succeeds, and the three days restart', async () => {
    const { id } = await hook()
    for (let round = 0; round < 2; round += 1) {
      receiver.always('', 500)
      await happens()
      await passes(1, 2, 4, 8)
      service.advance(2 * DAY_S * 1_000)
      await happens()
      await passes()
      expect(await shown(id)).toMatchObject({ status: 'requires_attention' })
      receiver.always('', null)
      await happens()
      await passes(600)
      expect(await shown(id)).toMatchObject({ status: 'active', error: null })
    }
  })

  it('is not disabled within ten minutes of real time, however far the sandbox clock moves', async () => {
    const { id } = await hook()
    receiver.always('', 500)
    await happens()
    await passes(1)
    await bank.must('POST', '/simulate/clock', { advance: 'P4D' })
    await passes(1, 2, 4, 8)
    expect(await shown(id)).toMatchObject({ status: 'requires_attention' })
    await passes(570)
    await happens()
    await passes()
    expect(await shown(id)).toMatchObject({ status: 'requires_attention' })
    service.advance(20_000)
    await happens()
    await passes()
    expect(await shown(id)).toMatchObject({ status: 'disabled' })
  })

  it('receives everything that happened while its receiver was restarted', async () => {
    const { id } = await hook()
    receiver.always('', 'connection')
    for (let count = 0; count < 5; count += 1) await happens()
    await passes(1, 2, 4, 8, 30, 120)
    receiver.always('', null)
    await passes(480)
    expect((await deliveries(id)).map(each => each['status'])).toEqual(Array(5).fill('delivered'))
    expect(await shown(id)).toMatchObject({ status: 'active', error: null })
  })

  it('gets another three days after it is enabled again', async () => {
    const { id } = await hook()
    receiver.always('', 500)
    await happens()
    await passes()
    service.advance(3 * DAY_S * 1_000)
    await passes()
    expect(await shown(id)).toMatchObject({ status: 'disabled' })
    await bank.must('PATCH', `/webhooks/${id}`, { status: 'active' })
    await happens()
    await passes(1, 2, 4, 8)
    expect(await shown(id)).toMatchObject({ status: 'requires_attention', error: { code: 25008 } })
  })

  it('has its pending deliveries canceled when it is disabled, and receives none until it is enabled', async () => {
    const { id } = await hook()
    receiver.always('', 500)
    await happens()
    await passes()
    await bank.must('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    await passes(...whole)
    expect(receiver.calls).toHaveLength(1)
    expect((await deliveries(id))[0]).toMatchObject({ status: 'canceled' })
    await bank.must('PATCH', `/webhooks/${id}`, { status: 'active' })
    await passes(60)
    expect(receiver.calls).toHaveLength(1)
  })

  it('receives no retry of a delivery that was in progress when it was disabled', async () => {
    const { id } = await hook()
    const release = receiver.hold('a.example')
    await happens()
    const settled = service.settle()
    await expect.poll(() => receiver.calls.length).toBe(1)
    await bank.must('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    release()
    await settled
    await passes(60)
    expect(receiver.calls).toHaveLength(1)
    expect((await deliveries(id))[0]).toMatchObject({ status: 'delivered' })
  })
})

describe('the sandbox clock', () => {
  it('triggers retries as if the time had passed', async () => {
    const { id } = await hook()
    receiver.reply([500, 500])
    await happens()
    await passes()
    for (let count = 0; count < 2; count += 1) {
      await bank.must('POST', '/simulate/clock', { advance: 'PT10S' })
      await service.settle()
    }
    expect((await deliveries(id))[0]).toMatchObject({ status: 'delivered', attempts: 3 })
  })
})
