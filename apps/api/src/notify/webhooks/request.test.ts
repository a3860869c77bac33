import { beforeEach, expect, it } from 'vitest'
import { NEWEST } from '../../testing/contract/cases.js'
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

interface Sent {
  attempt: number | null
  sent_at: string | null
  headers: Record<string, string>
  signed: boolean
  body: string
  erased: boolean
}
const requestOf = async (webhook: string) => {
  const [delivery] = await deliveries(webhook)
  return (await bank.must('GET', `/webhooks/${webhook}/deliveries/${delivery?.id}/request`)) as unknown as Sent
}
const attemptsOf = async (webhook: string) => {
  const [delivery] = await deliveries(webhook)
  const found = await bank.must('GET', `/webhooks/${webhook}/deliveries/${delivery?.id}/attempts`)
  return found['data'] as { excerpt: string | null }[]
}

it('shows the body and headers of the last attempt, without the token', async () => {
  const { id } = await hook({ expand_event: true, auth_token: 'canary-token' })
  receiver.reply([500])
  const entity = await happens()
  await passes(1)
  const call = receiver.calls.at(-1)!
  const { headers, ...sent } = await requestOf(id)
  expect(sent).toMatchObject({ attempt: 2, signed: true, body: call.body, erased: false })
  expect(JSON.parse(sent.body)).toMatchObject({ id: entity.id, event: { data: { id: entity.id } } })
  const { Authorization, ...others } = headers
  expect(Authorization).toBe('[redacted]')
  expect(Object.keys(others)).toEqual(expect.arrayContaining(['webhook-id', 'webhook-timestamp', 'webhook-signature']))
  expect(call.headers).toMatchObject(others)
})

it("names each delivery's resource", async () => {
  const { id } = await hook()
  const entity = await happens()
  await passes()
  const [delivery] = await deliveries(id)
  expect(delivery).toMatchObject({ resource_id: entity.id })
  expect(await bank.must('GET', `/webhooks/${id}/deliveries/${delivery?.id}`)).toMatchObject({
    resource_id: entity.id,
  })
  expect(await bank.must('POST', `/webhooks/${id}/deliveries/${delivery?.id}/redeliver`)).toMatchObject({
    resource_id: entity.id,
  })
})

it('shows no signature before the first attempt or after the secret changed', async () => {
  const { id } = await hook()
  await happens()
  expect(await requestOf(id)).toMatchObject({ attempt: null, sent_at: null, signed: false })
  await passes()
  expect(await requestOf(id)).toMatchObject({ attempt: 1, signed: true })
  service.advance(1_000)
  await bank.must('POST', `/webhooks/${id}/rotate`, { hmac_secret: 'another-secret-of-24-characters' })
  const { headers, signed } = await requestOf(id)
  expect([signed, headers['webhook-signature']]).toEqual([false, undefined])
  expect(headers['webhook-timestamp']).toEqual(receiver.calls[0]!.headers['webhook-timestamp'])
})

// kills: stored-responses-are-sealed
it('stores the start of a response only for a webhook that enables it, encrypted', async () => {
  const { id } = await hook()
  receiver.reply([
    { status: 500, body: 'not stored' },
    { status: 500, body: `no such payment ${'é'.repeat(400)}` },
  ])
  await happens()
  await service.settle()
  const latest = { 'service-version': NEWEST }
  const changed = await service.call('PATCH', `/webhooks/${id}`, { store_responses: true }, latest)
  expect(changed.body).toMatchObject({ status: 'active', store_responses: true })
  await passes(1, 2)
  const [, second, first] = await attemptsOf(id)
  expect(first?.excerpt).toBe(null)
  expect(second?.excerpt).toBe(`no such payment ${'é'.repeat(248)}`)
  const rows = await service.store.reader.selectFrom('delivery_attempts').select('excerpt').execute()
  expect(JSON.stringify(rows)).not.toContain('no such payment')
  expect(await bank.rejection('PATCH', `/webhooks/${id}`, {})).toBe('INVALID_REQUEST')
})

// kills: stored-responses-are-erased
it('deletes the data and responses of a person who withdraws consent', async () => {
  const { id } = await hook({ expand_event: true, store_responses: true })
  receiver.reply([{ status: 200, body: 'hello Maria' }])
  const { id: entity } = await bank.must('POST', '/entities', {
    type: 'individual',
    individual: { first_name: 'Maria', last_name: 'Canary', phone: '+15125550100' },
  })
  await passes()
  expect(await attemptsOf(id)).toMatchObject([{ excerpt: 'hello Maria' }])
  expect(await requestOf(id)).toMatchObject({ erased: false })
  await bank.must('POST', `/entities/${entity}/consent`, { type: 'withdraw' })
  await passes()
  expect(await attemptsOf(id)).toMatchObject([{ excerpt: null }])
  expect(await requestOf(id)).toMatchObject({ erased: true, signed: false })
})
