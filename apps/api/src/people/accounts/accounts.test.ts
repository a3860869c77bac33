import { describe, expect, it } from 'vitest'
import { reading } from '../../platform/scope.js'
import { rejectionOf, resource, speaking, timestamp } from '../../testing/contract/cases.js'
import { fundingAccount } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { verificationData } from './verification.js'

const service = await testService()
const debts = await lender(service).debts('+15125550100')
const ach = await fundingAccount(service)

const times = { created_at: expect.stringMatching(timestamp), updated_at: expect.stringMatching(timestamp) }

describe.each(speaking)('accounts, $name', ({ mount, headers, name }) => {
  const get = async (path: string) =>
    resource<Record<string, unknown> & { id: string }>(
      mount,
      (await service.call('GET', mount + path, undefined, headers)).body,
    )
  const newest = name.includes('2026')
  const cards = newest ? ['payment_instrument.card', 'payment_instrument.network_token'] : ['payment_instrument']
  const consent = newest ? { consent_status: 'approved' } : {}
  const lists = { subscriptions: [], available_subscriptions: [], restricted_subscriptions: [] }
  const incoming = newest ? ['payment_instrument.inbound_achwire_payment'] : []

  it("4.5.1 a liability is returned with all of its resource's fields", async () => {
    const id = debts.accounts[0]!.id
    expect(await get(`/accounts/${id}`)).toEqual({
      id,
      holder_id: debts.entity,
      status: 'active',
      ...consent,
      type: 'liability',
      liability: {
        mch_id: 'mch_302086',
        mask: '1580',
        ownership: 'primary',
        fingerprint: expect.stringMatching(/^[0-9a-f]{40}$/),
        type: 'credit_card',
        sub_type: 'flexible_spending',
        name: 'Chase Sapphire Reserve',
      },
      latest_verification_session: null,
      update: expect.stringMatching(/^upt_/),
      balance: null,
      card_brand: null,
      payment_instrument: null,
      payoff: null,
      attribute: null,
      products: ['balance', 'update', 'card_brand', 'payment', ...incoming, 'attribute'],
      restricted_products: [...cards, 'sensitive'],
      subscriptions: [],
      available_subscriptions: ['update', 'update.snapshot', 'card_brand', ...(newest ? ['attribute'] : [])],
      restricted_subscriptions: cards,
      error: null,
      metadata: null,
      ...times,
    })
  })

  it('an ach account is returned with its numbers, and is verified immediately in the sandbox', async () => {
    expect(await get(`/accounts/${ach}`)).toEqual({
      id: ach,
      holder_id: expect.stringMatching(/^ent_/),
      status: 'active',
      ...consent,
      type: 'ach',
      ach: { routing: '062103000', number: '123456789', type: 'checking' },
      latest_verification_session: expect.stringMatching(/^avf_/),
      products: ['payment'],
      restricted_products: [],
      ...(newest ? lists : {}),
      error: null,
      metadata: null,
      ...times,
    })
  })

  it('4.5.2 an account accepts expand[]', async () => {
    const { update } = await get(`/accounts/${debts.accounts[0]!.id}?expand[]=update`)
    expect(update).toMatchObject({ id: expect.stringMatching(/^upt_/), account_id: debts.accounts[0]!.id })
  })
})

describe('accounts', () => {
  const post = (more: Record<string, unknown>) =>
    service.call('POST', '/accounts', {
      holder_id: debts.entity,
      ach: { routing: '062103000', number: '55501234', type: 'savings' },
      ...more,
    })
  const rejection = async (more: Record<string, unknown>) => rejectionOf(await post(more))

  it('can be created for any holder that is not disabled, with metadata', async () => {
    const made = await post({ metadata: { a: 1 } })
    expect(made.body).toMatchObject({ metadata: { a: 1 }, ach: { type: 'savings' }, products: ['payment'] })
    expect((await post({ type: 'ach' })).status).toBe(200)
    expect(await rejection({ holder_id: 'ent_unknown' })).toBe('INVALID_HOLDER_ID')
    const gone = await service.call('POST', '/entities', { type: 'individual', individual: {} })
    await service.store.write(tx =>
      tx.updateTable('entities').set({ status: 'disabled' }).where('id', '=', gone.body['id']).execute(),
    )
    expect(await rejection({ holder_id: gone.body['id'] })).toBe('INVALID_HOLDER_ID')
  })

  it('each invalid number has its own error', async () => {
    const ach = { routing: '062103000', number: '55501234', type: 'savings' }
    expect(await rejection({ ach: { ...ach, routing: '062103001' } })).toBe('INVALID_ACH_ACCOUNT_ROUTING')
    expect(await rejection({ ach: { ...ach, number: '123' } })).toBe('INVALID_ACH_ACCOUNT_NUMBER')
    expect(await rejection({ ach: { ...ach, number: '1'.repeat(18) } })).toBe('INVALID_ACH_ACCOUNT_NUMBER')
    expect(await rejection({ ach: { ...ach, type: 'credit' } })).toBe('INVALID_ACH_ACCOUNT_TYPE')
    expect(await rejection({ metadata: { a: 'x'.repeat(1_024) } })).toBe('MAX_ACCOUNT_METADATA_SIZE_EXCEEDED')
  })

  it("rejects a disabled account's numbers for its holder only", async () => {
    const numbers = { routing: '062103000', number: '77701234', type: 'checking' }
    const made = await post({ ach: numbers })
    await service.store.write(tx =>
      tx.updateTable('accounts').set({ status: 'disabled' }).where('id', '=', made.body['id']).execute(),
    )
    expect(await rejection({ ach: numbers })).toBe('EXISTING_ACCOUNT_DISABLED')
    const other = await service.call('POST', '/entities', { type: 'corporation', corporation: { name: 'Another' } })
    expect((await post({ holder_id: other.body['id'], ach: numbers })).status).toBe(200)
  })

  it('lists accept every filter in the contract, and record each shown number in the audit log', async () => {
    const count = async (query: string) =>
      ((await service.call('GET', `/accounts?${query}`)).body['data'] as unknown[]).length
    expect(await count(`holder_id=${debts.entity}&type=liability`)).toBe(5)
    expect(await count(`holder_id=${debts.entity}&liability.type=credit_card`)).toBe(3)
    expect(await count(`holder_id=${debts.entity}&liability.mch_id=mch_301761&status=active`)).toBe(1)
    expect(await count('liability.ownership=joint')).toBe(0)
    const empty = await service.call('GET', '/accounts?holder_id=')
    expect([empty.status, empty.text]).toEqual([400, expect.stringContaining('holder_id must not be empty')])
    const read = await service.store.reader
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'account.number.read')
      .where('resource_id', '=', ach)
      .execute()
    expect(read.length).toBeGreaterThan(0)
  })
})

it('a bank number has one keyed hash in a team, and another in another team', async () => {
  const ach = { routing: '062103000', number: '9876543210', type: 'checking' }
  const { key } = await service.anotherTeam()
  const ids: string[] = []
  for (const team of [service.key, service.key, key]) {
    const bank = lender(service, team)
    const holder_id = (await bank.must('POST', '/entities', { type: 'individual', individual: {} })).id
    ids.push((await bank.must('POST', '/accounts', { holder_id, ach })).id)
  }
  const hashes = await Promise.all(
    ids.map(async id => {
      const account = service.store.reader.selectFrom('accounts').select('number_hash').where('id', '=', id)
      return (await account.executeTakeFirstOrThrow()).number_hash
    }),
  )
  expect(hashes[0]).toEqual(expect.any(String))
  expect(hashes[1]).toBe(hashes[0])
  expect(hashes[2]).not.toBe(hashes[0])
})

describe("verifying an account's number", () => {
  it('five wrong numbers end the session, even if simultaneous', async () => {
    const { accounts } = await lender(service).debts('+15125550108')
    const path = `/accounts/${accounts[0]!.id}/verification_sessions`
    const begun = (await service.call('POST', path, { type: 'standard' })).body['id']
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => service.call('PUT', `${path}/${begun}`, { standard: { number: '40001234' } })),
    )
    expect(tries.every(reply => reply.status < 500)).toBe(true)
    expect((await service.call('GET', `${path}/${begun}`)).body).toMatchObject({
      status: 'failed',
      error: { code: 16003 },
    })
    const [row] = await service.store.reader.selectFrom('records').selectAll().where('id', '=', begun).execute()
    const team = (await service.deps.teamOf(service.team))!
    expect(verificationData(reading(service.deps, team), row!)).toMatchObject({ tries: 5 })
  })
})
