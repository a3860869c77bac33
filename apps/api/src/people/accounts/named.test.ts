import { describe, expect, it } from 'vitest'
import { rejectionOf, resource, speaking, timestamp } from '../../testing/contract/cases.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

type Body = Record<string, unknown> & { id: string }

const service = await testService()
const holder: string = (await service.call('POST', '/entities', { type: 'individual', individual: {} })).body['id']

const fresh = async () =>
  (await service.call('POST', '/entities', { type: 'individual', individual: {} })).body['id'] as string
const name = (holder_id: string, liability: unknown, more = {}) =>
  service.call('POST', '/accounts', { holder_id, liability, ...more })
const example = { mch_id: 'mch_302086', account_number: '4936494462408721' }

describe.each(speaking)('a debt identified by merchant and number, $name', ({ mount, headers }) => {
  it('is an account of unknown ownership, monitored for reports from its institution', async () => {
    const body = { holder_id: await fresh(), liability: example, metadata: { a: 1 } }
    const made = resource<Body>(mount, (await service.call('POST', `${mount}/accounts`, body, headers)).body)
    expect(made).toMatchObject({
      status: 'active',
      type: 'liability',
      liability: {
        mch_id: 'mch_302086',
        mask: '8721',
        ownership: 'unknown',
        fingerprint: null,
        type: 'credit_card',
        sub_type: 'flexible_spending',
        name: 'Chase Sapphire Reserve',
      },
      subscriptions: [],
      available_subscriptions: ['update'],
      restricted_subscriptions: [],
      metadata: { a: 1 },
      created_at: expect.stringMatching(timestamp),
    })
    expect(
      resource(mount, (await service.call('GET', `${mount}/accounts/${made.id}`, undefined, headers)).body),
    ).toEqual(made)
  })
})

describe('a named debt', () => {
  it('has a card instrument with the given number', async () => {
    const owner = await lender(service).verified('+15125550101')
    const number = '4000123412348725'
    const { id } = (await name(owner, { mch_id: 'mch_302086', account_number: number })).body as Body
    const path = `/accounts/${id}/verification_sessions`
    const session = (await service.call('POST', path, { type: 'network' })).body as Body
    const network = { exp_month: '03', exp_year: '2028', cvv: '878', billing_zip_code: '78758' }
    const done = await service.call('PUT', `${path}/${session.id}`, { network })
    expect(done.body).toMatchObject({ status: 'verified' })
    const made = await service.call('POST', `/accounts/${id}/payment_instruments`, { type: 'card' })
    expect(made.body).toMatchObject({ status: 'completed', chargeable: true, card: { number } })
  })

  it('has a balance, and remains one account even if named twice', async () => {
    const made = await name(holder, { mch_id: 'mch_302086', number: '4936 4944-6240 8721' }, { type: 'liability' })
    expect((await name(holder, example)).body['id']).toBe(made.body['id'])
    const balance = await service.call('POST', `/accounts/${made.body['id']}/balances`)
    await service.settle()
    const path = `/accounts/${made.body['id']}/balances/${balance.body['id']}`
    expect((await service.call('GET', path)).body).toMatchObject({ status: 'completed', amount: expect.any(Number) })
  })

  it('that already exists keeps its metadata, or stores the given metadata if it has none', async () => {
    const entity = await fresh()
    const made = await name(entity, example)
    expect(made.body['metadata']).toBeNull()
    const again = await name(entity, example, { metadata: { a: 1 } })
    expect(again.body).toMatchObject({ id: made.body['id'], metadata: { a: 1 } })
    expect((await service.call('GET', `/accounts/${made.body['id']}`)).body).toEqual(again.body)
    expect((await name(entity, example, { metadata: { a: 2 } })).body['metadata']).toEqual({ a: 1 })
    expect((await name(entity, example)).body['metadata']).toEqual({ a: 1 })
  })

  it('each invalid detail has its own error', async () => {
    const { account_number, mch_id } = example
    expect(rejectionOf(await name(holder, { mch_id: 'mch_0', account_number }))).toBe('INVALID_MERCHANT_ID')
    expect(rejectionOf(await name(holder, { mch_id, account_number: '12x' }))).toBe('INVALID_ACCOUNT_NUMBER')
    expect(rejectionOf(await name(holder, { mch_id }))).toBe('INVALID_REQUEST')
    expect(rejectionOf(await name(holder, { ...example, number: account_number }))).toBe('INVALID_REQUEST')
    expect(rejectionOf(await name('ent_unknown', example))).toBe('INVALID_HOLDER_ID')
    expect(rejectionOf(await name(holder, example, { type: 'ach' }))).toBe('INVALID_REQUEST')
    const ach = { routing: '062103000', number: '55501234', type: 'savings' }
    expect(rejectionOf(await name(holder, example, { ach }))).toBe('INVALID_REQUEST')
  })

  it("stores the card's data encrypted, but never its verification value", async () => {
    const credit_card = { exp_month: '04', exp_year: '2031', cvv: '4321', billing_zip_code: '78701' }
    const made = await name(await fresh(), { ...example, credit_card })
    const row = await service.store.reader
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', made.body['id'])
      .executeTakeFirstOrThrow()
    const team = (await service.deps.teamOf(service.team))!
    const details = service.deps.vault
      .sealer(team.id, team.dataKey)
      .open({ id: row.id, field: 'details' }, row.details!)
    expect(details).toContain('2031')
    expect(details).not.toContain('4321')
  })
})

describe('updating an account', () => {
  const put = (id: string, body: unknown) => service.call('PUT', `/accounts/${id}`, body)
  const types = async (id: string) => {
    const rows = await service.store.reader.selectFrom('events').select('type').where('resource_id', '=', id).execute()
    return rows.map(row => row.type)
  }

  it('replaces its metadata', async () => {
    const { id } = (await name(await fresh(), example)).body as Body
    expect((await put(id, { metadata: { b: 2 } })).body).toMatchObject({ id, metadata: { b: 2 } })
    expect((await put(id, { metadata: null })).body).toMatchObject({ metadata: null })
    expect(rejectionOf(await put(id, { metadata: { a: 'x'.repeat(1_024) } }))).toBe(
      'MAX_ACCOUNT_METADATA_SIZE_EXCEEDED',
    )
    expect((await put('acc_0000000000000', {})).status).toBe(404)
  })

  it('accepts a card number that the institution recognizes, which makes the account payable', async () => {
    const { id } = (await lender(service).debts('+15125550100')).accounts[1]!
    const card = (number: string) => put(id, { liability: { credit_card: { number } } })
    expect(rejectionOf(await card('4000000000091111'))).toBe('INVALID_ACCOUNT_NUMBER')
    expect((await card('4000000000090342')).body['products']).toContain('payment')
    expect(await types(id)).toContain('account.number.update')
  })

  it("accepts a card's expiry and a house's address, each only for the matching type", async () => {
    const { accounts } = await lender(service).debts('+15121231113')
    const address = { address_street: '1 Elm', address_city: 'Austin', address_state: 'TX', address_zip: '78701' }
    expect((await put(accounts[0]!.id, { liability: { mortgage: address } })).status).toBe(200)
    expect(rejectionOf(await put(accounts[1]!.id, { liability: { mortgage: address } }))).toBe('INVALID_REQUEST')
    const expiry = { expiration_month: '05', expiration_year: '2031', cvv: '123' }
    expect(rejectionOf(await put(accounts[0]!.id, { liability: { credit_card: expiry } }))).toBe('INVALID_REQUEST')
    const { id } = (await name(await fresh(), example)).body as Body
    expect((await put(id, { liability: { credit_card: expiry } })).status).toBe(200)
    const { cvv, ...half } = expiry
    for (const credit_card of [{ ...half, number: '4936494462408721' }, { expiration_month: '05' }, { cvv }])
      expect(rejectionOf(await put(id, { liability: { credit_card } }))).toBe('INVALID_REQUEST')
    const both = { mortgage: address, credit_card: half }
    expect(rejectionOf(await put(id, { liability: both }))).toBe('INVALID_REQUEST')
  })
})

describe('an account that its institution closes', () => {
  it('is closed by the update that reports it: only its attributes can be requested, its subscriptions end, and its history remains', async () => {
    const closing = await testService({
      ports: ports => ({
        ...ports,
        network: {
          ...ports.network,
          async update(call) {
            const found = await ports.network.update(call)
            if (found.status === 'failed' || call.source === 'snapshot') return found
            return { ...found, data: { ...found.data, closed_at: '2026-03-01' } }
          },
        },
      }),
    })
    const { id } = (await lender(closing).debts('+15125550102')).accounts[0]!
    await closing.settle()
    const account = (await closing.call('GET', `/accounts/${id}`)).body as Body
    expect(account).toMatchObject({
      status: 'closed',
      error: null,
      products: ['attribute'],
      available_subscriptions: [],
    })
    expect(account['update']).toMatch(/^upt_/)
    expect(rejectionOf(await closing.call('POST', `/accounts/${id}/updates`))).toBe('PRODUCT_UNAVAILABLE')
    expect((await closing.call('GET', `/accounts/${id}/updates`)).body['data']).toHaveLength(2)
    const rows = await closing.store.reader.selectFrom('events').select('type').where('resource_id', '=', id).execute()
    expect(rows.map(row => row.type)).toContain('account.closed')
  })
})

describe('lists of accounts', () => {
  it('filter by several holders, and by consent status', async () => {
    const [a, b] = [await fresh(), await fresh()]
    const ids = [(await name(a, example)).body['id'], (await name(b, example)).body['id']]
    const list = async (query: string) =>
      ((await service.call('GET', `/accounts?${query}`)).body['data'] as Body[]).map(account => account.id)
    expect((await list(`holder_ids[]=${a}&holder_ids[]=${b}`)).sort()).toEqual([...ids].sort())
    expect(await list(`holder_id=${a}&consent_status=approved`)).toEqual([ids[0]])
    expect(await list(`holder_id=${a}&consent_status=withdrawn`)).toEqual([])
    expect(await list(`holder_id=${a}&consent_status=pending`)).toEqual([])
    expect(await list(`holder_id=${a}&liability.ownership=unknown&liability.mch_id=mch_302086&status=active`)).toEqual([
      ids[0],
    ])
  })
})
