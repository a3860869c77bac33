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

describe('a delivery', () => {
  it('waits as long as the receiver requests, and so do all deliveries to that endpoint', async () => {
    await hook()
    await hook({ url: 'https://a.example/hook?also' })
    receiver.reply([{ status: 503, headers: { 'Retry-After': '90' } }], 'a.example/hook?also')
    await happens()
    await passes()
    const before = receiver.calls.length
    await happens()
    await passes(89)
    expect(receiver.calls).toHaveLength(before)
    await passes(1)
    expect(
      receiver.calls
        .slice(before)
        .map(call => call.url)
        .sort(),
    ).toEqual(['https://a.example/hook', 'https://a.example/hook?also', 'https://a.example/hook?also'])
  })

  it("that waits at the receiver's request does not delay other endpoints at its origin", async () => {
    const busy = await hook({ url: 'https://a.example/busy' })
    const good = await hook({ url: 'https://a.example/good' })
    receiver.always('/busy', { status: 503, headers: { 'Retry-After': '3600' } })
    for (let count = 0; count < 3; count += 1) {
      await happens()
      await passes()
    }
    expect((await deliveries(good.id)).map(each => each['status'])).toEqual(Array(3).fill('delivered'))
    expect(receiver.calls.filter(call => call.url.endsWith('/busy'))).toHaveLength(1)
    const until = new Date(service.deps.clock() + 3_600_000).toISOString()
    expect(await deliveries(busy.id)).toMatchObject([
      { status: 'pending', attempts: 0, next_attempt_at: until },
      { status: 'pending', attempts: 0, next_attempt_at: until },
      { status: 'pending', attempts: 1, next_attempt_at: until },
    ])
    const [, , first] = await deliveries(busy.id)
    expect(await bank.must('GET', `/webhooks/${busy.id}/deliveries/${first?.id}`)).toEqual(first)
  })

  it.each([
    ['sent again', 'POST', '/deliveries/LAST/redeliver', undefined],
    ['sent again in a batch', 'POST', '/redeliver', { since: '2026-01-01T00:00:00Z' }],
    ['enabled again', 'PATCH', '', { status: 'active' }],
  ] as const)(
    "that waits at the receiver's request is sent immediately if it is %s",
    async (_how, method, path, body) => {
      const { id } = await hook()
      receiver.reply([{ status: 503, headers: { 'Retry-After': '86400' } }])
      await happens()
      await passes()
      await happens()
      await passes()
      expect(receiver.calls).toHaveLength(1)
      const [waiting] = await deliveries(id)
      await bank.must(method, `/webhooks/${id}${path.replace('LAST', waiting!.id)}`, body)
      await passes()
      expect(await bank.must('GET', `/webhooks/${id}/deliveries/${waiting?.id}`)).toMatchObject({ status: 'delivered' })
    },
  )

  it.each(['PATCH', 'DELETE'] as const)(
    "of a webhook that %s ends does not delay that endpoint's other webhooks",
    async method => {
      const first = await hook()
      receiver.reply([{ status: 503, headers: { 'Retry-After': '86400' } }])
      await happens()
      await passes()
      await bank.must(method, `/webhooks/${first.id}`, method === 'PATCH' ? { status: 'disabled' } : undefined)
      await hook()
      await happens()
      await passes()
      expect(receiver.calls).toHaveLength(2)
    },
  )

  it.each([429, 502, 504])('with %i slows all deliveries to that endpoint, by more each time', async status => {
    await hook()
    await hook({ url: 'https://a.example/other' })
    receiver.always('/hook', status)
    await happens()
    await passes(1, 2)
    const before = receiver.calls.length
    await happens()
    await passes()
    expect(receiver.calls.slice(before).map(call => call.url)).toEqual(['https://a.example/other'])
    await passes(60)
    expect(receiver.calls.length).toBeGreaterThan(before + 1)
  })
})
