import { versions } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import { rejectionOf, speaking, timestamp } from '../../testing/contract/cases.js'
import { fundingAccount } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const debts = await lender(service).debts('+15125550101')
await service.settle()

const typesOf = async (id: string) =>
  (
    await service.store.reader.selectFrom('events').select('type').where('resource_id', '=', id).orderBy('id').execute()
  ).map(row => row.type)

describe.each(speaking)("a holder's products, $name", ({ name, mount, headers }) => {
  const get = (path: string) => service.call('GET', mount + path, undefined, headers)

  it('are listed by name, each with its latest request', async () => {
    const account = debts.accounts[0]!.id
    const made = await service.call('POST', `/accounts/${account}/balances`)
    const pending = (await get(`/accounts/${account}/products`)).body['data']['balance']
    expect(pending).toMatchObject({ latest_request_id: made.body['id'] })
    await service.settle()
    const { data } = (await get(`/accounts/${account}/products`)).body as { data: Record<string, never> }
    const oldest = !name.includes('2026')
    expect(data['balance']).toEqual({
      ...(oldest ? { id: expect.stringMatching(/^prd_\w{13}$/) } : {}),
      name: 'balance',
      status: 'available',
      status_error: null,
      latest_request_id: made.body['id'],
      latest_successful_request_id: made.body['id'],
      is_subscribable: false,
      created_at: expect.stringMatching(timestamp),
      updated_at: expect.stringMatching(timestamp),
    })
    expect(data['update']).toMatchObject({ is_subscribable: true })
    expect(data['payoff']).toMatchObject({ status: 'unavailable', status_error: { sub_type: 'PRODUCT_UNAVAILABLE' } })
    expect(Object.keys(data).filter(name => name.startsWith('payment_instrument'))).toEqual(
      oldest
        ? ['payment_instrument']
        : ['payment_instrument.card', 'payment_instrument.network_token', 'payment_instrument.inbound_achwire_payment'],
    )
    if (!oldest) return
    const one = await get(`/accounts/${account}/products/${data['balance']!['id']}`)
    expect(mount === '' ? one.body : one.body['data']).toEqual(data['balance'])
    expect((await get(`/entities/${debts.entity}/products/${data['balance']!['id']}`)).status).toBe(404)
  })
})

describe('subscriptions', () => {
  const path = () => `/accounts/${debts.accounts[1]!.id}/subscriptions`
  const account = async () => (await service.call('GET', `/accounts/${debts.accounts[1]!.id}`)).body

  it('an enrollment is listed by name, moves between the lists, and ends with a DELETE', async () => {
    const made = await service.call('POST', path(), { enroll: 'update.snapshot' })
    expect(made.body).toEqual({
      id: expect.stringMatching(/^sub_\w{13}$/),
      name: 'update.snapshot',
      status: 'active',
      payload: null,
      latest_request_id: null,
      created_at: expect.stringMatching(timestamp),
      updated_at: expect.stringMatching(timestamp),
    })
    expect((await service.call('GET', path())).body['data']).toEqual({ 'update.snapshot': made.body })
    expect(await account()).toMatchObject({ subscriptions: ['update.snapshot'] })
    expect((await account())['available_subscriptions']).not.toContain('update.snapshot')
    const ended = await service.call('DELETE', `${path()}/${made.body['id']}`)
    expect(ended.body).toMatchObject({ id: made.body['id'], status: 'inactive' })
    expect((await service.call('GET', `${path()}/${made.body['id']}`)).body).toEqual(ended.body)
    expect((await service.call('GET', path())).body['data']).toEqual({})
    expect(await account()).toMatchObject({ subscriptions: [] })
    expect((await account())['available_subscriptions']).toContain('update.snapshot')
    expect(await typesOf(made.body['id'])).toEqual(['subscription.create', 'subscription.update'])
  })

  it('simultaneous enrollments create a single subscription', async () => {
    const other = service.another()
    const fetchOther = async () => {
      const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
      const url = `http://127.0.0.1:4000${path()}`
      const reply = await other.api.fetch(new Request(url, { method: 'POST', headers, body: '{"enroll":"update"}' }))
      return { body: (await reply.json()) as never }
    }
    const replies = await Promise.all(
      Array.from(
        { length: 10 },
        async (_, index): Promise<{ body: never }> =>
          index % 2 ? service.call('POST', path(), { enroll: 'update' }) : fetchOther(),
      ),
    )
    expect(new Set(replies.map(reply => reply.body['id'])).size).toBe(1)
    expect((await account())['subscriptions']).toEqual(['update'])
  })

  it("rejects unknown and unavailable products, and ids of another holder's subscriptions", async () => {
    expect(rejectionOf(await service.call('POST', path(), { enroll: 'balance' }))).toBe('INVALID_REQUEST')
    expect(rejectionOf(await service.call('POST', path(), { enroll: 'update', payload: { a: 1 } }))).toBe(
      'INVALID_REQUEST',
    )
    expect(rejectionOf(await service.call('POST', path(), {}))).toBe('INVALID_REQUEST')
    const funding = await fundingAccount(service)
    expect(rejectionOf(await service.call('POST', `/accounts/${funding}/subscriptions`, { enroll: 'update' }))).toBe(
      'PRODUCT_UNAVAILABLE',
    )
    const made = await service.call('POST', `/accounts/${debts.accounts[0]!.id}/subscriptions`, { enroll: 'update' })
    expect((await service.call('GET', `${path()}/${made.body['id']}`)).status).toBe(404)
    expect((await service.call('DELETE', `${path()}/${made.body['id']}`)).status).toBe(404)
  })

  it('a monthly subscription creates a record each month until it ends', async () => {
    const enrolled = await service.call('POST', path(), { enroll: 'update.snapshot' })
    const snapshots = async () =>
      (
        (await service.call('GET', `/accounts/${debts.accounts[1]!.id}/updates`)).body['data'] as {
          id: string
          source: string
        }[]
      ).filter(row => row.source === 'snapshot')
    const before = (await snapshots()).length
    await service.call('POST', '/simulate/clock', { advance: 'P61D' })
    await service.settle()
    expect((await snapshots()).length).toBe(before + 2)
    const [newest] = await snapshots()
    const shown = await service.call('GET', `${path()}/${enrolled.body['id']}`)
    expect(shown.body).toMatchObject({ latest_request_id: newest!.id })
    await service.call('DELETE', `${path()}/${enrolled.body['id']}`)
    await service.call('POST', '/simulate/clock', { advance: 'P61D' })
    await service.settle()
    expect((await snapshots()).length).toBe(before + 2)
  })

  it('a payment instrument subscription has a shared name in older versions', async () => {
    const card = debts.accounts[0]!.id
    const sessions = `/accounts/${card}/verification_sessions`
    const session = await service.call('POST', sessions, { type: 'network' })
    const network = { number: '4000000000014417', cvv: '123' }
    await service.call('PUT', `${sessions}/${session.body['id']}`, { network })
    const old = { 'service-version': '2025-07-04' }
    const at = `/accounts/${card}/subscriptions`
    const made = await service.call('POST', at, { enroll: 'payment_instrument' }, old)
    expect(made.body).toMatchObject({ name: 'payment_instrument', status: 'active' })
    expect(Object.keys((await service.call('GET', at, undefined, old)).body['data'])).toContain('payment_instrument')
    const now = { 'service-version': '2026-03-30' }
    expect((await service.call('GET', at, undefined, now)).body['data']).toHaveProperty(
      ['payment_instrument.card', 'id'],
      made.body['id'],
    )
    expect(rejectionOf(await service.call('POST', at, { enroll: 'payment_instrument' }, now))).toBe('INVALID_REQUEST')
    // If the holder is enrolled in both types, the old name shows the card subscription.
    await service.call('POST', at, { enroll: 'payment_instrument.network_token' }, now)
    expect(Object.keys((await service.call('GET', at, undefined, now)).body['data'])).toEqual(
      expect.arrayContaining(['payment_instrument.card', 'payment_instrument.network_token']),
    )
    const { payment_instrument } = (await service.call('GET', at, undefined, old)).body['data'] as Record<
      string,
      object
    >
    expect(payment_instrument).toMatchObject({ id: made.body['id'] })
  })

  it('account attribute subscriptions exist only from 2026-03-30 on; entity attribute subscriptions exist in every version', async () => {
    const card = debts.accounts[0]!.id
    const now = { 'service-version': '2026-03-30' }
    const made = await service.call('POST', `/accounts/${card}/subscriptions`, { enroll: 'attribute' }, now)
    expect(made.status).toBe(200)
    const read = async (path: string, version: string) =>
      (await service.call('GET', path, undefined, { 'service-version': version })).body['data'] as Record<
        string,
        object
      >
    for (const version of versions) {
      const has = version === '2026-03-30'
      expect(Object.keys(await read(`/accounts/${card}/subscriptions`, version)).includes('attribute')).toBe(has)
      const offered = async (path: string) => (await read(`${path}/products`, version))['attribute']
      expect([version, await offered(`/accounts/${card}`)]).toMatchObject([version, { is_subscribable: has }])
      expect(await offered(`/entities/${debts.entity}`)).toMatchObject({ is_subscribable: true })
    }
  })
})
