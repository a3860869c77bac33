import { beforeEach, expect, it } from 'vitest'
import { type Hooks, startHooks } from '../../testing/hooks.js'

let service: Hooks['service']
let receiver: Hooks['receiver']
let bank: Hooks['bank']
let hook: Hooks['hook']
let happens: Hooks['happens']
let shown: Hooks['shown']
let deliveries: Hooks['deliveries']
let passes: Hooks['passes']
beforeEach(async () => {
  ;({ service, receiver, bank, hook, happens, shown, deliveries, passes } = await startHooks())
})

const DAY = 86_400
const stats = (id: string) => bank.must('GET', `/webhooks/${id}/stats`)

/** Fails until the webhook is disabled. */
async function disableByFailures(id: string, reply: number | { status: number } = 500) {
  receiver.always('', reply)
  await happens()
  await passes(1, 2, 4, 8, 30, 120, 480)
  service.advance(4 * DAY * 1_000)
  await happens()
  await service.settle()
  expect(await shown(id)).toMatchObject({ status: 'disabled' })
}

// kills: probe-sends-missed
it('enables a webhook that was disabled when its endpoint responds again, and sends what it missed', async () => {
  const { id } = await hook()
  await disableByFailures(id)
  const missed = await happens()
  const next = Date.parse((await stats(id))['next_probe_at'] as string)
  const calls = receiver.calls.length
  await passes((next - service.deps.clock()) / 1_000 - 1)
  expect(receiver.calls).toHaveLength(calls)
  await passes(1)
  expect(receiver.calls).toHaveLength(calls + 1)
  expect(await shown(id)).toMatchObject({ status: 'disabled' })
  receiver.always('', null)
  await passes(60, 120, 240)
  expect(await shown(id)).toMatchObject({ status: 'active', error: null })
  expect((await deliveries(id)).map(each => each['status'])).toEqual(['delivered', 'delivered', 'delivered'])
  expect((await deliveries(id))[0]).toMatchObject({ resource_id: missed.id })
  expect(await stats(id)).toMatchObject({ next_probe_at: null, switched_off_at: null })
})

it('waits longer after each attempt, and stops after 30 days', async () => {
  const { id } = await hook()
  await disableByFailures(id)
  const calls = receiver.calls.length
  await passes(60, 60, 120, 240)
  expect(receiver.calls).toHaveLength(calls + 4)
  await passes(...Array<number>(40).fill(DAY))
  const tried = receiver.calls.length
  expect(tried).toBeGreaterThan(calls + 30)
  await passes(...Array<number>(5).fill(DAY))
  expect(receiver.calls).toHaveLength(tried)
  expect(await stats(id)).toMatchObject({ next_probe_at: null })
  expect(await shown(id)).toMatchObject({ status: 'disabled' })
})

// kills: gone-is-final
it('does not try an endpoint that said it is gone', async () => {
  const { id } = await hook()
  receiver.always('', 410)
  await happens()
  await passes()
  expect(await shown(id)).toMatchObject({ status: 'disabled' })
  const calls = receiver.calls.length
  await passes(60, 3_600, DAY, DAY)
  expect(receiver.calls).toHaveLength(calls)
})

for (const statuses of [['disabled'], ['active', 'disabled'], ['deleted']])
  it(`does not enable a webhook that a user set to ${statuses.join(' and then ')} meanwhile`, async () => {
    const { id } = await hook()
    await disableByFailures(id)
    receiver.always('', null)
    const calls = receiver.calls.length
    for (const status of statuses) await bank.must('PATCH', `/webhooks/${id}`, { status })
    await passes(60, 3_600, DAY)
    expect(receiver.calls).toHaveLength(calls)
    if (statuses.includes('deleted')) return
    expect(await shown(id)).toMatchObject({ status: 'disabled', error: { sub_type: 'WEBHOOK_DISABLED_BY_USER' } })
    expect(await stats(id)).toMatchObject({ next_probe_at: null })
  })

it('tells another webhook that a webhook requires attention, was disabled and was enabled again', async () => {
  const { id } = await hook()
  await hook({ type: 'webhook.update', url: 'https://watch.example/hook', expand_event: true })
  receiver.always('a.example', 500)
  await happens()
  await passes(1, 2, 4, 8, 30, 120, 480)
  service.advance(4 * DAY * 1_000)
  await happens()
  await service.settle()
  receiver.always('a.example', null)
  await passes(60)
  const told = receiver.calls
    .filter(call => call.url.startsWith('https://watch'))
    .map(call => JSON.parse(call.body ?? '') as { id: string; path: string; event: { data: { status: string } } })
  expect(told.map(each => [each.id, each.path, each.event.data.status])).toEqual(
    ['requires_attention', 'disabled', 'active'].map(status => [id, `/webhooks/${id}`, status]),
  )
})

it('sends a signed test that changes nothing', async () => {
  const { id } = await hook()
  receiver.reply([418])
  expect(await bank.must('POST', `/webhooks/${id}/test`)).toMatchObject({
    ...{ webhook_id: id, delivered: false, response_status: 418, failure: null },
  })
  expect(await bank.must('POST', `/webhooks/${id}/test`)).toMatchObject({ delivered: true, response_status: 200 })
  const [call] = receiver.calls
  expect(JSON.parse(call?.body ?? '')).toMatchObject({ type: 'entity.create', test: true, id: 'test' })
  expect(call?.headers['webhook-signature']).toMatch(/^v1,/)
  expect(await deliveries(id)).toEqual([])
  expect(await shown(id)).toMatchObject({ status: 'active' })
})
