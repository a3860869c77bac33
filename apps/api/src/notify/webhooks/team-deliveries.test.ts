import { beforeEach, expect, it } from 'vitest'
import { type Hooks, startHooks } from '../../testing/hooks.js'

let service: Hooks['service']
let receiver: Hooks['receiver']
let bank: Hooks['bank']
let hook: Hooks['hook']
let happens: Hooks['happens']
let passes: Hooks['passes']
beforeEach(async () => {
  ;({ service, receiver, bank, hook, happens, passes } = await startHooks())
})

type Row = Record<string, unknown> & { id: string; webhook_id: string; event_id: string; status: string }
const list = async (query = '') => (await bank.must('GET', `/deliveries${query}`))['data'] as Row[]

/** Creates two endpoints, of which the second fails, and triggers two events. */
async function failAtOneEndpoint() {
  const good = await hook()
  const bad = await hook({ url: 'https://b.example/hook' })
  receiver.always('b.example', 500)
  await happens()
  await happens()
  await passes(1, 2, 4, 8, 30, 120, 480)
  return { good, bad }
}

it('lists the deliveries of all webhooks, newest first, by status, webhook and event', async () => {
  const { good, bad } = await failAtOneEndpoint()
  const all = await list()
  expect(all).toHaveLength(4)
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => id)
      .sort()
      .reverse(),
  )
  expect((await list('?status=failed')).map(each => each.webhook_id)).toEqual([bad.id, bad.id])
  expect(await list('?status=failed&status=delivered')).toEqual(all)
  expect(await list(`?status=failed&webhook_id=${good.id}`)).toEqual([])
  expect(await list(`?webhook_id=${good.id}&webhook_id=${bad.id}`)).toEqual(all)
  const [{ event_id } = all[0]!] = all
  expect((await list(`?event_id=${event_id}`)).map(each => each.event_id)).toEqual([event_id, event_id])
  expect((await list(`?event_id=${event_id}&status=failed`)).map(each => each.webhook_id)).toEqual([bad.id])
  expect(all.find(each => each.webhook_id === bad.id)).toMatchObject({ type: 'entity.create', response_status: 500 })
})

it('lists pages in order when it combines filters', async () => {
  const { good, bad } = await failAtOneEndpoint()
  const all = await list()
  const filter = `?status=failed&status=delivered&webhook_id=${good.id}&webhook_id=${bad.id}&page_limit=3`
  const first = await bank.call('GET', `/deliveries${filter}`)
  const cursor = first.headers.get('Pagination-Page-Cursor-Next')
  const second = await list(`${filter}&page_cursor=${cursor}`)
  expect([...(first.body['data'] as Row[]), ...second]).toEqual(all)
})

it('lists the deliveries of a deleted webhook, and none of another team', async () => {
  const { bad } = await failAtOneEndpoint()
  await bank.must('DELETE', `/webhooks/${bad.id}`)
  expect(await list('?status=failed')).toHaveLength(2)
})

it('rejects an unknown status and too many webhooks', async () => {
  const many = Array.from({ length: 101 }, (_, index) => `webhook_id=whk_${index}`).join('&')
  expect(await bank.rejection('GET', `/deliveries?${many}`)).toBe('INVALID_REQUEST')
  expect(await bank.rejection('GET', `/deliveries?${many.replaceAll('webhook_id', 'id')}`)).toBe('INVALID_REQUEST')
  expect(await bank.rejection('GET', '/deliveries?status=lost')).toBe('INVALID_REQUEST')
})

it('sends selected deliveries again, each once', async () => {
  await failAtOneEndpoint()
  receiver.always('b.example', null)
  const failed = (await list('?status=failed')).map(({ id }) => id)
  expect(await bank.must('POST', '/deliveries/redeliver', { ids: [...failed, failed[0]] })).toEqual({
    queued: 2,
    deliveries: failed.map(id => ({ id, queued: true, reason: null })),
  })
  await passes()
  expect(await list('?status=failed')).toEqual([])
})

it('sends none of the selected deliveries if one of them does not exist', async () => {
  await failAtOneEndpoint()
  const [one] = await list('?status=failed')
  const calls = receiver.calls.length
  const reply = await bank.call('POST', '/deliveries/redeliver', { ids: [one?.id, 'dlv_none'] })
  expect([reply.status, reply.text]).toEqual([404, expect.stringContaining('dlv_none')])
  await service.settle()
  expect(receiver.calls).toHaveLength(calls)
})

it('sends the selected deliveries of other webhooks, and says which webhook is disabled or deleted', async () => {
  const { good, bad } = await failAtOneEndpoint()
  const gone = await hook({ url: 'https://c.example/hook' })
  await happens()
  await passes()
  await bank.must('PATCH', `/webhooks/${good.id}`, { status: 'disabled' })
  await bank.must('DELETE', `/webhooks/${gone.id}`)
  const [disabled] = await list(`?webhook_id=${good.id}`)
  const [deleted] = await list(`?webhook_id=${gone.id}`)
  const [failed] = await list(`?status=failed&webhook_id=${bad.id}`)
  const calls = receiver.calls.length
  const ids = [disabled?.id, failed?.id, deleted?.id]
  expect(await bank.must('POST', '/deliveries/redeliver', { ids })).toEqual({
    queued: 1,
    deliveries: [
      { id: disabled?.id, queued: false, reason: 'webhook_disabled' },
      { id: failed?.id, queued: true, reason: null },
      { id: deleted?.id, queued: false, reason: 'webhook_deleted' },
    ],
  })
  await service.settle()
  expect(receiver.calls.slice(calls).map(call => call.headers['webhook-id'])).toEqual([failed?.id])
})

it('lists what happened to deliveries that were sent again before the endpoint was disabled', async () => {
  const { bad } = await failAtOneEndpoint()
  const ids = (await list(`?webhook_id=${bad.id}`)).map(({ id }) => id)
  await bank.must('POST', '/deliveries/redeliver', { ids })
  receiver.always('b.example', 410)
  await service.settle()
  const rows = await list(`?${ids.map(id => `id=${id}`).join('&')}`)
  expect(rows.map(({ id }) => id)).toEqual(ids)
  expect(rows.map(({ status }) => status).sort()).toEqual(['canceled', 'failed'])
  expect(await list(`?id=${ids[0]}&status=delivered`)).toEqual([])
})
