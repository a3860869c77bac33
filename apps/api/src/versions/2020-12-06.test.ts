import { corporationKinds } from '@causeway/contract/products/entity'
import type { Version } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import { openStates } from '../notify/events/states.js'
import { reading, sealer } from '../platform/scope.js'
import { updateTeam } from '../team/teams/store.js'
import { timestamp } from '../testing/contract/cases.js'
import { lender } from '../testing/money.js'
import { counter } from '../testing/queries/counting.js'
import { testService } from '../testing/service.js'
import { showAt } from './chain.js'

type Body = Record<string, unknown> & { id: string }
type Answer = Body & { individual: Body; liability: Record<string, unknown> & Record<'credit_card' | 'mortgage', Body> }

const old = { 'service-version': '2020-12-06' }
const counted = counter()
const service = await testService({ store: counted.store })
const at = lender(service)
const debts = await at.debts('+15125550100')

const get = async <T = Answer>(path: string, headers: Record<string, string> = old): Promise<T> => {
  const reply = await service.call('GET', path, undefined, headers)
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.body as unknown as T
}
const post = async (path: string, body: unknown, headers: Record<string, string> = old) =>
  (await service.call('POST', path, body, headers)) as unknown as { status: number; body: Answer }
const liabilities = async () => (await get<{ data: Answer[] }>('/accounts?type=liability')).data

const standing = ['available_capabilities', 'capabilities', 'pending_capabilities']
const entityKeys = ['address', 'created_at', 'error', 'id', 'individual', 'metadata', 'status', 'type', 'updated_at']
const accountKeys = [
  ...['ach', 'clearing', 'created_at', 'error', 'holder_id', 'id', 'liability', 'metadata', 'status', 'type'],
  'updated_at',
]
const liabilityKeys = [
  ...['data_last_successful_sync', 'data_source', 'data_status', 'data_status_error', 'data_updated_at', 'hash'],
  ...['mask', 'mch_id', 'ownership', 'payment_status', 'type'],
]

describe('9 an entity at 2020-12-06', () => {
  it("has exactly that version's keys, for every kind of entity", async () => {
    for (const body of (await get<{ data: Answer[] }>('/entities?type=individual')).data)
      expect(Object.keys(body).sort()).toEqual([...entityKeys, ...standing].sort())
  })

  it('shows how and when its phone number was verified, by the service or the customer', async () => {
    expect((await get(`/entities/${debts.entity}`)).individual).toEqual({
      first_name: 'Kevin',
      last_name: 'Doyle',
      phone: '+15125550100',
      dob: '1980-05-05',
      email: null,
      phone_verification_type: 'sms',
      phone_verification_timestamp: '2021-01-01T10:00:00.000Z',
    })
    const { id } = await at.must('POST', '/entities', {
      type: 'individual',
      individual: { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550101' },
    })
    expect((await get(`/entities/${id}`)).individual).toMatchObject({
      phone_verification_type: null,
      phone_verification_timestamp: null,
    })
    const session = await at.must('POST', `/entities/${id}/verification_sessions`, {
      type: 'phone',
      method: 'sms',
      sms: {},
    })
    await at.must('PUT', `/entities/${id}/verification_sessions/${session.id}`, {
      type: 'phone',
      method: 'sms',
      sms: { sms_code: '246810' },
    })
    expect((await get(`/entities/${id}`)).individual).toMatchObject({
      phone_verification_type: 'sms',
      phone_verification_timestamp: expect.stringMatching(/^2026-/),
    })
  })

  it("accepts the customer's own phone verification along with the entity, as a verification session", async () => {
    const proof = { phone_verification_type: 'sms', phone_verification_timestamp: '2021-05-05T10:00:00.000Z' }
    const typed = { ...proof, phone_verification_timestamp: '2021-05-05T12:00:00+02:00' }
    const name = { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550101' }
    const entity = (await post('/entities', { type: 'individual', individual: { ...name, ...typed } })).body
    expect(entity.individual).toMatchObject(proof)
    expect(await get(`/entities/${entity.id}`, {})).toMatchObject({ verification: { phone: { verified: true } } })
    expect((await get<{ data: Body[] }>(`/entities/${entity.id}/verification_sessions`)).data).toEqual([
      expect.objectContaining({ method: 'byo_sms', byo_sms: { timestamp: proof.phone_verification_timestamp } }),
    ])
    const later = (await post('/entities', { type: 'individual', individual: name })).body
    const put = { individual: proof }
    expect((await service.call('PUT', `/entities/${later.id}`, put, old)).body).toMatchObject({ individual: proof })
    const timeless = { type: 'individual', individual: { ...name, phone_verification_type: 'sms' } }
    expect((await post('/entities', timeless)).status).toBe(400)
    const newer = (await post('/entities', { type: 'individual', individual: { ...name, ...proof } }, {})).body
    expect(newer).toMatchObject({ verification: { phone: { verified: false } } })
  })

  it('has capabilities that are available, available after verification, or missing information', async () => {
    expect(await get(`/entities/${debts.entity}`)).toMatchObject({
      capabilities: ['payments:send', 'payments:receive', 'data:retrieve', 'data:sync'],
      available_capabilities: [],
      pending_capabilities: [],
    })
    const named = await post('/entities', {
      type: 'individual',
      individual: { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550102' },
    })
    expect(named.body).toMatchObject({
      capabilities: ['payments:receive'],
      available_capabilities: ['payments:send', 'data:retrieve', 'data:sync'],
      pending_capabilities: [],
    })
    const nameless = await post('/entities', { type: 'individual', individual: {} })
    expect(nameless.body).toMatchObject({
      capabilities: [],
      available_capabilities: [],
      pending_capabilities: ['payments:send', 'payments:receive', 'data:retrieve', 'data:sync'],
    })
  })

  it('retains the kind of corporation specified on creation, and can be found by it', async () => {
    const corporation = { name: 'Northwind' }
    for (const type of corporationKinds) {
      const { status, body } = await post('/entities', { type, corporation })
      expect([status, body['type']]).toEqual([200, type])
      expect(await get(`/entities/${body.id}`)).toMatchObject({ type, corporation })
      expect(await get(`/entities/${body.id}`, {})).toMatchObject({ type: 'corporation' })
      expect((await get<{ data: Body[] }>(`/entities?type=${type}`)).data.map(({ id }) => id)).toContain(body.id)
    }
    const newer = await at.must('POST', '/entities', { type: 'corporation', corporation })
    expect(await get(`/entities/${newer.id}`)).toMatchObject({ type: 'c_corporation' })
    const ids = (await get<{ data: Body[] }>('/entities?type=c_corporation')).data.map(({ id }) => id)
    expect(ids).toContain(newer.id)
    expect(ids).toHaveLength(2)
    expect((await post('/entities', { type: 'llc', corporation }, {})).status).toBe(400)
  })

  it('ignores expand[] as an unknown parameter', async () => {
    expect(await get(`/entities/${debts.entity}?expand[]=connect&expand[]=nothing`)).toEqual(
      await get(`/entities/${debts.entity}`),
    )
  })
})

describe('9 an account at 2020-12-06', () => {
  it("has exactly that version's keys, and a liability has the block for its type", async () => {
    const source = await at.source()
    const all = [...(await liabilities()), await get(`/accounts/${source.id}`)]
    expect(new Set(all.map(body => body['type']))).toEqual(new Set(['liability', 'ach']))
    for (const body of all) {
      expect(Object.keys(body).sort()).toEqual([...accountKeys, ...standing].sort())
      expect(body['clearing']).toBeNull()
      expect(body[body['type'] === 'ach' ? 'liability' : 'ach']).toBeNull()
      if (body.liability)
        expect(Object.keys(body.liability).sort()).toEqual([...liabilityKeys, String(body.liability['type'])].sort())
    }
  })

  it('shows the latest completed update under its type, and the outcome of the sync', async () => {
    const id = debts.accounts.find(({ liability }) => (liability as Body)['type'] === 'credit_card')!.id
    const plain = await get(`/accounts/${id}`, {})
    const update = await get(`/accounts/${id}/updates/${plain['update']}`, {})
    const { liability } = await get(`/accounts/${id}`)
    expect(liability).toMatchObject({
      data_status: 'active',
      data_last_successful_sync: update['data_as_of'],
      data_updated_at: update['data_as_of'],
      data_status_error: null,
      data_source: 'financial_institution',
      hash: plain.liability['fingerprint'],
    })
    expect(liability['data_updated_at']).toMatch(timestamp)
    expect(liability['credit_card']).toMatchObject({
      ...(update['credit_card'] as Body),
      name: plain.liability['name'],
      sub_type: plain.liability['sub_type'],
      last_statement_balance: null,
    })
    expect(liability.credit_card['balance']).toEqual(expect.any(Number))
  })

  it("shows a loan's payoff amount", async () => {
    const { accounts } = await at.debts('+15121231122')
    const { id } = accounts.find(({ products }) => (products as string[]).includes('payoff'))!
    await at.must('POST', `/accounts/${id}/payoffs`)
    await service.settle()
    const [payoff] = (await get<{ data: Body[] }>(`/accounts/${id}/payoffs`, {})).data
    const { liability } = await get(`/accounts/${id}`)
    expect(liability[String(liability['type'])]).toMatchObject({
      payoff_amount: payoff!['amount'],
      payoff_amount_term: payoff!['term'],
      per_diem_amount: payoff!['per_diem_amount'],
    })
    expect(payoff!['amount']).toEqual(expect.any(Number))
  })

  it("is syncing while an update is pending, and keeps the previous update's data", async () => {
    const { id } = debts.accounts[0]!
    const before = await get(`/accounts/${id}`)
    await at.must('POST', `/accounts/${id}/updates`)
    const during = await get(`/accounts/${id}`)
    expect(during.liability).toEqual({ ...before.liability, data_status: 'syncing' })
    await service.settle()
    expect((await get(`/accounts/${id}`)).liability['data_status']).toBe('active')
  })

  it('states the reason that an update failed', async () => {
    const { accounts } = await at.debts('+15125550109')
    const { id } = accounts[2]!
    const created = await at.must('POST', `/accounts/${id}/updates`)
    await service.settle()
    const update = await get(`/accounts/${id}/updates/${created.id}`, {})
    expect(update).toMatchObject({ status: 'failed', error: { code: 21001 } })
    expect((await get(`/accounts/${id}`)).liability).toMatchObject({
      data_status: 'failed',
      data_status_error: update['error'],
      data_last_successful_sync: null,
      data_source: null,
    })
  })

  it('has unavailable data if updates are not among its products, and retrievable data if it was connected', async () => {
    const { accounts } = await at.debts('+15125550100')
    await service.settle()
    const byNumber = await at.must('POST', '/accounts', {
      holder_id: debts.entity,
      liability: { mch_id: 'mch_302086', account_number: '4936494462408721' },
    })
    const seen: unknown[] = []
    for (const { id } of [...accounts, byNumber]) {
      const plain = await get<Body & { products: string[]; update: string | null }>(`/accounts/${id}`, {})
      const { liability, capabilities } = await get(`/accounts/${id}`)
      const read = plain.products.includes('update')
      seen.push([read, plain.update !== null])
      if (plain.update !== null) expect(liability['data_status']).toBe(read ? 'active' : 'unavailable')
      expect([id, (capabilities as string[]).includes('data:retrieve')]).toEqual([id, id !== byNumber.id])
      expect((capabilities as string[]).includes('data:sync')).toBe(read)
    }
    // At least one account has snapshots but no direct updates.
    expect(seen).toContainEqual([false, true])
  })

  it('is payable, being verified for payments, or not payable; a missing number counts as missing information', async () => {
    const payable = await get<{ data: Answer[] }>('/accounts?type=liability', {})
    const bodiesById = new Map((await liabilities()).map(body => [body.id, body]))
    for (const { id, products } of payable.data as (Answer & { products: string[] })[]) {
      const can = products.includes('payment')
      expect(bodiesById.get(id)!.liability['payment_status']).toBe(can ? 'active' : 'unavailable')
      expect((bodiesById.get(id)!['capabilities'] as string[]).includes('payments:receive')).toBe(can)
    }
    const lacking = payable.data.find(body => (body['restricted_products'] as string[]).includes('payment'))!
    expect(await get(`/accounts/${lacking.id}`)).toMatchObject({
      capabilities: ['data:retrieve', 'data:sync'],
      available_capabilities: [],
      pending_capabilities: ['payments:receive'],
    })
    await at.must('POST', `/accounts/${lacking.id}/verification_sessions`, { type: 'standard' })
    expect((await get(`/accounts/${lacking.id}`)).liability['payment_status']).toBe('activating')
  })

  it('can send payments once it is verified', async () => {
    expect(await get(`/accounts/${(await at.source('1000000009')).id}`)).toMatchObject({
      capabilities: [],
      available_capabilities: ['payments:send'],
      pending_capabilities: [],
    })
    const { id } = await at.source()
    expect(await get(`/accounts/${id}`)).toMatchObject({
      ach: { routing: '062103000', number: '123456789', type: 'checking' },
      capabilities: ['payments:send'],
      available_capabilities: [],
      pending_capabilities: [],
    })
  })
})

it('9 a list at 2020-12-06 needs one more query for its entities and two for its accounts', async () => {
  const cost = async (path: string, headers: Record<string, string>) => {
    counted.taken()
    await get(path, headers)
    return counted.taken()
  }
  expect(await cost('/entities', old)).toBe((await cost('/entities', {})) + 1)
  expect(await cost('/accounts', old)).toBe((await cost('/accounts', {})) + 2)
})

it("9 the resource in an event at 2020-12-06 has that version's form", async () => {
  const scope = reading(service.deps, (await service.deps.teamOf(service.team))!)
  const showEvents = async (resource: string) => {
    const rows = await scope.db.selectFrom('events').selectAll().where('resource_id', '=', resource).execute()
    const data = rows.map(row => openStates(sealer(scope), row).data)
    return (await service.deps.versions.showing(scope, '2020-12-06', data))(data) as Body[]
  }
  const entity = await showEvents(debts.entity)
  expect(entity.length).toBeGreaterThan(3)
  const hidden = ['individual', 'address']
  for (const body of entity)
    expect(Object.keys(body).sort()).toEqual([...entityKeys, ...standing].filter(key => !hidden.includes(key)).sort())
  expect(entity[0]!['capabilities']).toEqual(['payments:receive'])
  expect(entity.at(-1)!['capabilities']).toContain('data:sync')
  const accounts = await showEvents(debts.accounts[0]!.id)
  for (const body of accounts) expect(Object.keys(body).sort()).toEqual([...accountKeys, ...standing].sort())
  expect(showAt('2020-12-06', { id: debts.entity })).toEqual({ id: debts.entity })
})

describe('9 a team', () => {
  const pinned = async (version: Version) => {
    const { team, key } = await service.anotherTeam()
    await service.store.write(tx => updateTeam(tx, team, { version }, 0))
    return lender(service, key)
  }
  const entity = { type: 'individual', individual: { first_name: 'Ana' } }

  it('pinned to 2020-12-06 uses it without a header, accepts newer versions in a header, and can only move forward', async () => {
    const { must, call } = await pinned('2020-12-06')
    const { id } = await must('POST', '/entities', entity)
    expect(await must('GET', `/entities/${id}`)).toHaveProperty('capabilities')
    const newer = await call('GET', `/entities/${id}`, undefined, { 'service-version': '2024-04-04' })
    expect(newer.body).toHaveProperty('verification')
    await must('PATCH', '/team', { version: '2024-04-04' })
    expect(await must('GET', `/entities/${id}`)).not.toHaveProperty('capabilities')
    expect((await call('PATCH', '/team', { version: '2020-12-06' })).status).toBe(400)
  })

  it('pinned to the latest version can use the oldest one in a header', async () => {
    const { must, call } = await pinned('2026-03-30')
    const { id } = await must('POST', '/entities', entity)
    expect((await call('GET', `/entities/${id}`, undefined, old)).body).toHaveProperty('capabilities')
    expect(await must('GET', `/entities/${id}`)).not.toHaveProperty('capabilities')
  })

  it('gets the first response to a key again exactly as it was sent, in any version', async () => {
    const key = { 'idempotency-key': 'the same' }
    const first = await service.call('POST', '/entities', entity, { ...old, ...key })
    expect(first.body).toHaveProperty('pending_capabilities')
    const again = await service.call('POST', '/entities', entity, { ...key, 'service-version': '2026-03-30' })
    expect(again.text).toBe(first.text)
  })
})
