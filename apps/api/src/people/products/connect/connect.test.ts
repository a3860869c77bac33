import { accountAttributes, classicAccountAttributes } from '@causeway/contract/account-attributes'
import { describe, expect, it } from 'vitest'
import { rejectionOf, timestamp } from '../../../testing/contract/cases.js'
import { lender } from '../../../testing/money.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

const eventsOf = async (id: string) =>
  (
    await service.store.reader.selectFrom('events').select('type').where('resource_id', '=', id).orderBy('id').execute()
  ).map(row => row.type)
const connects = (entity: string) => `/entities/${entity}/connect`
type Made = { id: string; status: string; accounts: string[] }

async function connected(phone: string) {
  const entity = await lender(service).verified(phone)
  const first = (await service.call('POST', connects(entity))).body as Made
  await service.settle()
  return { entity, first }
}

describe('connect', () => {
  it('with products and subscriptions is pending, then runs and enrolls those that each account has', async () => {
    const entity = await lender(service).verified('+15121231111')
    const asked = { products: ['balance', 'payoff'], subscriptions: ['update.snapshot', 'transaction'] }
    const made = await service.call('POST', connects(entity), asked)
    expect(made.body).toEqual({
      id: expect.stringMatching(/^cxn_\w{13}$/),
      entity_id: entity,
      status: 'pending',
      accounts: null,
      requested_products: asked.products,
      requested_subscriptions: asked.subscriptions,
      error: null,
      created_at: expect.stringMatching(timestamp),
      updated_at: expect.stringMatching(timestamp),
    })
    await service.settle()
    const done = (await service.call('GET', `${connects(entity)}/${made.body['id']}`)).body as Made
    expect(done).toMatchObject({
      status: 'completed',
      accounts: [expect.any(String), expect.anything(), expect.anything()],
    })
    for (const id of done.accounts) {
      const account = (await service.call('GET', `/accounts/${id}?expand[]=balance`)).body
      expect(account['balance']).toMatchObject({ status: 'completed' })
      expect(account['subscriptions']).toContain('update.snapshot')
    }
  })

  it('for a closed account has a snapshot, but no data from its institution', async () => {
    const { first } = await connected('+15121231112')
    const closed: string[] = []
    for (const id of first.accounts) {
      const account = (await service.call('GET', `/accounts/${id}?expand[]=update`)).body
      if (account['status'] !== 'closed') continue
      closed.push(id)
      expect(account['update']).toMatchObject({ source: 'snapshot', status: 'completed' })
      const list = await service.call('GET', `/accounts/${id}/updates`)
      expect((list.body['data'] as { source: string }[]).map(({ source }) => source)).toEqual(['snapshot'])
      expect(await eventsOf(id)).not.toContain('account.closed')
    }
    expect(closed.length).toBeGreaterThan(0)
  })

  it('runs attributes, which each version shows under its own names', async () => {
    const entity = await lender(service).verified('+15125550101')
    const made = await service.call('POST', connects(entity), { products: ['attribute'] })
    await service.settle()
    const done = (await service.call('GET', `${connects(entity)}/${made.body['id']}`)).body as Made
    const read = async (version: string, account: string) => {
      const list = await service.call('GET', `/accounts/${account}/attributes`, undefined, {
        'service-version': version,
      })
      return (list.body['data'] as { attributes: Record<string, object> }[]).map(({ attributes }) => attributes)
    }
    let found = 0
    for (const account of done.accounts) {
      const [newest] = await read('2026-03-30', account)
      if (!newest) continue
      found += 1
      const { liability } = (await service.call('GET', `/accounts/${account}`)).body as { liability: { type: string } }
      expect(Object.keys(newest)).toEqual(accountAttributes[liability.type])
      for (const version of ['2020-12-06', '2024-04-04', '2025-07-04', '2025-12-01']) {
        const [older] = await read(version, account)
        expect(Object.keys(older!)).toEqual([...classicAccountAttributes])
        expect(older).toMatchObject({ utilization: { value: expect.any(Number) }, delinquent_amount: { value: 0 } })
        for (const value of Object.values(older!)) expect(Object.keys(value)).toEqual(['value'])
      }
    }
    expect(found).toBeGreaterThan(0)
  })

  it('rejects products and subscriptions that require other input', async () => {
    const entity = await lender(service).verified('+15125550101')
    expect(rejectionOf(await service.call('POST', connects(entity), { products: ['sensitive'] }))).toBe(
      'INVALID_REQUEST',
    )
    expect(rejectionOf(await service.call('POST', connects(entity), { subscriptions: ['connect'] }))).toBe(
      'INVALID_REQUEST',
    )
  })

  it('called again, finds only newly opened accounts, at most five at once, and sends events for them', async () => {
    const { entity, first } = await connected('+15125550102')
    expect(first.accounts).toHaveLength(2)
    expect(await eventsOf(first.accounts[0]!)).not.toContain('account.opened')
    const behaviors = ['new_credit_card_account', 'new_mortgage_account', 'new_auto_loan_account']
    const simulate = (names: string[], twice = '') =>
      service.call('POST', `/simulate/entities/${entity}/connect${twice}`, { behaviors: names })
    expect((await simulate(behaviors)).body).toEqual({ data: null })
    expect((await simulate(['new_student_loan_account', 'new_personal_loan_account'], `/${entity}`)).status).toBe(200)
    expect(rejectionOf(await simulate(['new_student_loan_account']))).toBe('INVALID_REQUEST')
    const second = (await service.call('POST', connects(entity))).body as Made
    expect(second.accounts).toHaveLength(5)
    await service.settle()
    const types = await Promise.all(
      second.accounts.map(async id => (await service.call('GET', `/accounts/${id}`)).body['liability']['type']),
    )
    expect(types).toEqual(['credit_card', 'mortgage', 'auto_loan', 'student_loan', 'personal_loan'])
    expect(await eventsOf(second.accounts[0]!)).toContain('account.opened')
    expect(((await service.call('POST', connects(entity))).body as Made).accounts).toEqual([])
    await service.call('POST', `/accounts/${second.accounts[0]}/balances`)
    await service.settle()
    const card = await service.call('GET', `/accounts/${second.accounts[0]}?expand[]=balance`)
    expect(card.body['balance']).toMatchObject({ status: 'completed', amount: expect.any(Number) })
  })

  it('finds an account again after its consent was withdrawn, without an event for an opened account', async () => {
    const { entity, first } = await connected('+15125550101')
    const withdrawn = { type: 'withdraw', reason: 'holder_withdrew_consent' }
    await service.call('POST', `/accounts/${first.accounts[0]}/consent`, withdrawn)
    const again = (await service.call('POST', connects(entity))).body as Made
    expect(again.accounts).toHaveLength(1)
    expect(await eventsOf(again.accounts[0]!)).toContain('account.create')
    expect(await eventsOf(again.accounts[0]!)).not.toContain('account.opened')
    await service.call('POST', `/accounts/${first.accounts[1]}/consent`, withdrawn)
    await service.call('POST', `/simulate/entities/${entity}/connect`, { behaviors: ['new_auto_loan_account'] })
    const both = (await service.call('POST', connects(entity))).body as Made
    const told = await Promise.all(both.accounts.map(eventsOf))
    expect(told.map(types => types.includes('account.opened'))).toEqual([false, true])
  })

  it('as a subscription finds newly opened debts, and nothing if there are none', async () => {
    const { entity, first } = await connected('+15125550100')
    await service.call('POST', `/entities/${entity}/subscriptions`, { enroll: 'connect' })
    await service.call('POST', '/simulate/clock', { advance: 'P2D' })
    await service.settle()
    const list = async () => (await service.call('GET', connects(entity))).body['data'] as Made[]
    expect(await list()).toHaveLength(1)
    await service.call('POST', `/simulate/entities/${entity}/connect`, { behaviors: ['new_auto_loan_account'] })
    await service.settle()
    const [newest] = await list()
    expect(newest).toMatchObject({ status: 'completed', accounts: [expect.stringMatching(/^acc_/)] })
    expect(newest!.id).not.toBe(first.id)
    expect(await eventsOf(newest!.id)).toEqual(['connect.create', 'connect.update', 'connect.available'])
  })
})

describe('simulated events', () => {
  const simulate = (body: unknown) => service.call('POST', '/simulate/events', body)

  it('send events about the entity or the account in the request', async () => {
    const { entity, first } = await connected('+15125550101')
    expect((await simulate({ type: 'account.opened', entity_id: entity })).body).toEqual({ data: null })
    expect((await eventsOf(first.accounts[0]!)).slice(-1)).toEqual(['account.opened'])
    // This connect finds no accounts, so the event is for the last account that the first connect found.
    expect(((await service.call('POST', connects(entity))).body as Made).accounts).toEqual([])
    expect((await simulate({ type: 'account.opened', entity_id: entity })).status).toBe(200)
    expect((await eventsOf(first.accounts.at(-1)!)).slice(-1)).toEqual(['account.opened'])
    const frozen = await connected('+15125550107')
    expect(rejectionOf(await simulate({ type: 'account.opened', entity_id: frozen.entity }))).toBe('INVALID_REQUEST')
    expect((await eventsOf(first.id)).slice(-1)).toEqual(['connect.create'])
    await simulate({ type: 'account.closed', account_id: first.accounts[1] })
    expect((await eventsOf(first.accounts[1]!)).slice(-2)).toEqual(['account.update', 'account.closed'])
    expect(rejectionOf(await simulate({ type: 'credit_score.increased', entity_id: entity }))).toBe(
      'SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION',
    )
    await service.call('POST', `/entities/${entity}/subscriptions`, { enroll: 'credit_score' })
    expect(rejectionOf(await simulate({ type: 'credit_score.increased', entity_id: entity }))).toBe(
      'SIMULATION_RESTRICTED_MISSING_PRODUCT_REQUEST',
    )
    const score = await service.call('POST', `/entities/${entity}/credit_scores`)
    expect((await simulate({ type: 'credit_score.increased', entity_id: entity })).status).toBe(200)
    expect(await eventsOf(score.body['id'])).toContain('credit_score.increased')
    for (const type of ['payment.update', 'entity_attribute.no_such_thing.increased', 'attribute.credit_health_x.set'])
      expect([type, rejectionOf(await simulate({ type, entity_id: entity }))]).toEqual([type, 'INVALID_REQUEST'])
    expect(rejectionOf(await simulate({ type: 'account.closed', account_id: 'acc_nobody0000000' }))).toBe('NOT_FOUND')
  })
})
