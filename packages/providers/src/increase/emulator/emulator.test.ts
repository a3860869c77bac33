import { DAY_MS, HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import { expect, it } from 'vitest'
import { createWorld, START } from '../../testing/increase.js'
import { createIncreaseEmulator } from './emulator.js'
import type { Delivery } from './events.js'

const credit = (account: string) => ({
  account_id: account,
  amount: 1_000,
  statement_descriptor: 'Test',
  account_number: '123456789',
  routing_number: '021000021',
})

it('creates one transfer for a key, for ever', async () => {
  const { send, account, emulator } = createWorld()
  const create = (body: object, path = '/ach_transfers') => send('POST', path, body, { 'idempotency-key': 'k1' })
  const first = await create(credit(account))
  emulator.forward(400 * DAY_MS)
  const again = await create(credit(account))
  expect(again).toMatchObject({ status: 200, isReplayed: true, body: { id: first.body['id'], status: 'submitted' } })
  expect(first.isReplayed).toBe(false)
  const used = { status: 409, body: { type: 'idempotency_key_already_used_error', resource_id: first.body['id'] } }
  expect(await create({ ...credit(account), amount: 1_001 })).toMatchObject(used)
  const internal = { account_id: account, amount: 1, description: 'x', destination_account_id: account }
  expect(await create(internal, '/account_transfers')).toMatchObject(used)
  expect(emulator.transfers.all.size).toBe(1)
})

it('forgets the key of a request that it did not accept', async () => {
  const { send, account } = createWorld()
  const create = (body: object) => send('POST', '/ach_transfers', body, { 'idempotency-key': 'k1' })
  expect((await create({ ...credit(account), routing_number: '123456789' })).status).toBe(400)
  expect((await create(credit(account))).status).toBe(200)
})

it('shows a new transfer in lists after the lag', async () => {
  const { send, account, emulator } = createWorld()
  emulator.setLag(MINUTE_MS)
  await send('POST', '/ach_transfers', credit(account), { 'idempotency-key': 'k1' })
  const find = async () => (await send('GET', '/ach_transfers?idempotency_key=k1')).body['data'] as unknown[]
  expect(await find()).toEqual([])
  emulator.forward(MINUTE_MS)
  expect(await find()).toHaveLength(1)
})

it('answers errors as Increase does', async () => {
  const { send, account, emulator } = createWorld()
  const errorOf = async (...args: Parameters<typeof send>) => {
    const { status, body } = await send(...args)
    return [status, body['type']]
  }
  expect(await errorOf('GET', '/accounts', undefined, { authorization: 'Bearer x' })).toEqual([
    401,
    'invalid_api_key_error',
  ])
  expect(await errorOf('GET', '/ach_transfers/none')).toEqual([404, 'object_not_found_error'])
  expect(await errorOf('POST', '/ach_transfers', { ...credit('none') })).toEqual([404, 'object_not_found_error'])
  const large = { ...credit(account), amount: 1_000_000_01 }
  expect(await errorOf('POST', '/ach_transfers', large)).toEqual([409, 'invalid_operation_error'])
  const long = { ...credit(account), individual_name: 'x'.repeat(23) }
  expect(await errorOf('POST', '/ach_transfers', long)).toEqual([400, 'invalid_parameters_error'])
  emulator.limitNext(1)
  expect(await errorOf('GET', '/accounts')).toEqual([429, 'rate_limited_error'])
  expect((await send('GET', '/accounts')).status).toBe(200)
})

it('keeps balances equal to transactions, and holds what is pending', async () => {
  const { send, account, emulator } = createWorld()
  emulator.bank.accounts.get(account)!.needsApproval = true
  const { body } = await send('POST', '/ach_transfers', credit(account))
  const balance = async () => (await send('GET', `/accounts/${account}/balance`)).body
  expect(await balance()).toMatchObject({ current_balance: 1_000_000_00, available_balance: 1_000_000_00 - 1_000 })
  expect((await send('GET', '/pending_transactions')).body['data']).toMatchObject([
    { status: 'pending', amount: -1_000 },
  ])
  await send('POST', `/ach_transfers/${body['id']}/approve`)
  expect(await balance()).toMatchObject({
    current_balance: 1_000_000_00 - 1_000,
    available_balance: 1_000_000_00 - 1_000,
  })
  expect((await send('POST', `/ach_transfers/${body['id']}/cancel`)).status).toBe(409)
  emulator.forward(HOUR_MS)
  await send('POST', `/simulations/ach_transfers/${body['id']}/return`, { reason: 'no_account' })
  expect(await balance()).toMatchObject({ current_balance: 1_000_000_00 })
  expect(emulator.bank.transactions.reduce((sum, { amount }) => sum + amount, 0)).toBe(1_000_000_00)
})

it('moves transfers faster for a dry run', async () => {
  const { send, account, emulator } = createWorld({ speed: 600 })
  const { body } = await send('POST', '/ach_transfers', { ...credit(account), account_number: '770003' })
  emulator.forward(5 * MINUTE_MS)
  expect((await send('GET', `/ach_transfers/${body['id']}`)).body).toMatchObject({ status: 'returned' })
})

it('moves transfers through simulations', async () => {
  const { send, account } = createWorld()
  const { body } = await send('POST', '/ach_transfers', credit(account))
  const simulate = (action: string) => send('POST', `/simulations/ach_transfers/${body['id']}/${action}`)
  expect((await simulate('acknowledge')).status).toBe(409)
  expect((await simulate('submit')).body).toMatchObject({ status: 'submitted', acknowledgement: null })
  expect((await simulate('acknowledge')).body).toMatchObject({
    acknowledgement: { acknowledged_at: expect.any(String) },
  })
  expect((await simulate('settle')).body).toMatchObject({
    status: 'submitted',
    settlement: { settled_at: expect.any(String) },
  })
})

it('sends each webhook twice, in reverse, or before the answer', async () => {
  const webhooks = { url: 'https://api.example.com/hooks/increase', secret: 'a shared secret of the subscription' }
  const { send, account, emulator } = createWorld({ webhooks })
  await send('POST', '/ach_transfers', credit(account))
  emulator.forward(HOUR_MS)
  const deliveries = emulator.takeWebhooks({ twice: true, reversed: true })
  const times = deliveries.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(times).toEqual([...times].sort((a, b) => b - a))
  expect(deliveries.length).toBe(2 * new Set(deliveries.map(({ body }) => body)).size)
  expect(emulator.takeWebhooks()).toEqual([])

  const order: string[] = []
  const early = createIncreaseEmulator({
    now: () => START,
    webhooks,
    async sendEarly({ body }: Delivery) {
      order.push(JSON.parse(body).category)
    },
  })
  const request = new Request('https://api.increase.com/ach_transfers', {
    method: 'POST',
    headers: { authorization: 'Bearer emulator_api_key' },
    body: JSON.stringify(credit(early.accounts[0]!)),
  })
  await early.answer(request)
  order.push('answer')
  expect(order).toEqual(['ach_transfer.created', 'transaction.created', 'answer'])
})

it('sends webhooks to new subscriptions, for the selected events only', async () => {
  const { send, account, emulator } = createWorld({
    webhooks: { url: 'https://example.com/a', secret: 'x'.repeat(20) },
  })
  const subscription = {
    url: 'https://example.com/b',
    shared_secret: 'y'.repeat(20),
    selected_event_categories: [{ event_category: 'ach_transfer.updated' }],
  }
  expect((await send('POST', '/event_subscriptions', subscription)).body).toMatchObject({ status: 'active' })
  await send('POST', '/ach_transfers', credit(account))
  expect(emulator.takeWebhooks().map(({ url }) => url)).toEqual(['https://example.com/a', 'https://example.com/a'])
})
