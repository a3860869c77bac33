import { describe, expect, it } from 'vitest'
import { transact } from '../../platform/scope.js'
import { rejectionOf } from '../../testing/contract/cases.js'
import { fundingAccount, LOAN, Person, transferToken, verify } from '../../testing/frame.js'
import { type Account, later, newest, several } from '../../testing/future-accounts.js'
import { testService } from '../../testing/service.js'
import { lockEntity } from '../holders/store.js'
import { disableEntity } from '../lifecycle/disable-entity.js'

const service = await testService()

const { get, list, told, choosing, waiting, times, connected, opens, enroll } = later(service)

describe('a person who chose accounts in an element and did not agree to share later accounts', () => {
  it('has newly found accounts that await consent: unlisted, without data or events of their own, and announced by one event per check', async () => {
    const entity = await connected('+15125550101', false)
    const before = (await list(`holder_id=${entity}`)).length
    await enroll(entity)
    await opens(entity, 'credit_card', 'auto_loan')
    expect(await list(`holder_id=${entity}`)).toHaveLength(before)
    const pending = await waiting(entity)
    expect(pending.map(account => account.liability?.type).sort()).toEqual(['auto_loan', 'credit_card'])
    for (const { id } of pending) {
      expect(await told(id)).toEqual([])
      expect((await get(`/accounts/${id}`)).status).toBe(404)
    }
    expect(pending[0]).toMatchObject({ consent_status: 'pending', products: [], subscriptions: [] })
    expect(await times(entity)).toBe(1)
    const [look] = (await get(`/entities/${entity}/connect`)).body['data'] as { id: string; accounts: string[] }[]
    expect(look!.accounts).toEqual([])
    expect(await told(look!.id)).not.toContain('connect.available')
    await opens(entity, 'mortgage')
    expect([await times(entity), (await waiting(entity)).length]).toEqual([2, 3])
    const records = await service.store.reader
      .selectFrom('records')
      .select('id')
      .where(
        'holder_id',
        'in',
        pending.map(account => account.id),
      )
      .execute()
    expect(records).toEqual([])
  })

  it('gets one event if a check finds several changes, and none if it finds only accounts that already await consent', async () => {
    const entity = await connected('+15125550120', false)
    await enroll(entity)
    await service.call('POST', '/simulate/clock', { advance: 'P70D' })
    await service.settle()
    expect([await times(entity), (await waiting(entity)).length]).toEqual([1, 2])
    const again = await service.call('POST', `/entities/${entity}/connect`)
    expect(again.body['accounts']).toEqual([])
    expect([await times(entity), (await waiting(entity)).length]).toEqual([1, 2])
  })

  // kills: no-products-before-consent
  // kills: no-payments-before-consent
  it("gets an unknown account's errors for payments and products of an account that awaits consent", async () => {
    const entity = await connected('+15125550101', false)
    await opens(entity, 'credit_card')
    await service.call('POST', `/entities/${entity}/connect`, { products: ['balance'], subscriptions: ['update'] })
    await service.settle()
    const [{ id }] = (await waiting(entity)) as [Account]
    const source = await fundingAccount(service)
    const pay = { amount: 5_000, source, destination: id, description: 'Loan' }
    expect(rejectionOf(await service.call('POST', '/payments', pay))).toBe('INVALID_DESTINATION')
    for (const [path, body] of [
      [`/accounts/${id}/balances`, {}],
      [`/accounts/${id}/updates`, {}],
      [`/accounts/${id}/subscriptions`, { enroll: 'update' }],
      [`/accounts/${id}/verification_sessions`, { type: 'standard', standard: { number: '4000' } }],
      [`/accounts/${id}/consent`, { type: 'withdraw' }],
    ] as const)
      expect([path, (await service.call('POST', path, body)).status]).toEqual([path, 404])
    expect((await service.call('PUT', `/accounts/${id}`, { metadata: {} })).status).toBe(404)
    expect(await told(id)).toEqual([])
  })

  it('sees these accounts at the next choice: chosen ones become regular accounts, and the others are hidden', async () => {
    const entity = await connected('+15125550102', false)
    await opens(entity, 'credit_card', 'personal_loan')
    const asked = { products: ['balance'], subscriptions: ['update'] }
    const made = await service.call('POST', `/entities/${entity}/connect`, asked)
    await service.settle()
    expect((await get(`/entities/${entity}/connect/${made.body['id']}`)).body).toMatchObject({ accounts: [] })
    const pending = (await waiting(entity)).map(account => account.id)
    expect(pending).toHaveLength(2)
    const { person } = await choosing('', entity)
    const offered = person.data('selection').accounts
    expect(offered.map(account => account.id)).toEqual(expect.arrayContaining(pending))
    expect(offered.find(({ id }) => id === pending[0])).toMatchObject({ status: 'ready', balance: null })
    await person.send({ action: 'select', accounts: [pending[0]], future_accounts: false })
    expect(person.view).toMatchObject({ step: 'done', accounts: [pending[0]] })
    await service.settle()
    const account = (await get(`/accounts/${pending[0]}?expand[]=balance`)).body
    expect(account).toMatchObject({ consent_status: 'approved', balance: { status: 'completed' } })
    expect(account['subscriptions']).toContain('update')
    const types = await told(pending[0]!)
    expect(types.filter(type => type === 'account.create')).toEqual(['account.create'])
    expect(types).toContain('account.opened')
    expect(await waiting(entity)).toEqual([])
    expect((await get(`/accounts/${pending[1]}?include_pending_consent=true`)).status).toBe(404)
    expect(await told(pending[1]!)).toEqual([])
  })

  it("can also choose these accounts in a loan's element, and they can be paid", async () => {
    const entity = await connected('+15125550101', false)
    await opens(entity, 'credit_card')
    await service.call('POST', `/entities/${entity}/connect`)
    await service.settle()
    const [{ id }] = (await waiting(entity)) as [Account]
    const { element_token, session_id } = await transferToken(service, entity, LOAN)
    const person = await verify(service, await Person.arrive(service, element_token))
    expect(person.data('selection')).toMatchObject({ future_accounts: null })
    await person.send({ action: 'select', accounts: person.data('selection').accounts.map(account => account.id) })
    await person.wait()
    expect(person.data('allocation').accounts.find(account => account.id === id)!.balance).toEqual(expect.any(Number))
    const confirm = { allocations: { [id]: 5_000 } }
    expect((await service.call('POST', `/simulate/opal/sessions/${session_id}`, confirm)).status).toBe(200)
    const source = await fundingAccount(service)
    const release = { action: 'release_payments', data: { source } }
    const released = await service.call('POST', `/opal/sessions/${session_id}`, release)
    expect(released.body['data']['bt']['payment_ids']).toEqual({ [id]: expect.stringMatching(/^pmt_/) })
  })

  it('is asked nothing further if the team identifies the account by its number', async () => {
    const entity = await connected('+15125550102', false)
    const named = { holder_id: entity, liability: { mch_id: 'mch_302086', account_number: '4936494462408721' } }
    const found = await service.call('POST', '/accounts', named)
    const id = found.body['id'] as string
    await service.store.write(tx =>
      tx.updateTable('accounts').set({ awaits_consent: 'cxn_0000000000000' }).where('id', '=', id).execute(),
    )
    expect(await list(`holder_id=${entity}`)).not.toContainEqual(expect.objectContaining({ id }))
    expect((await service.call('POST', '/accounts', named, newest)).body).toMatchObject({
      id,
      consent_status: 'approved',
    })
  })
})

describe('accounts that await consent', () => {
  it('are listed with the others on request, but never for an older version or another team', async () => {
    const entity = await connected('+15125550102', false)
    await opens(entity, 'auto_loan')
    await service.call('POST', `/entities/${entity}/connect`)
    const [{ id }] = (await waiting(entity)) as [Account]
    const holder = `holder_id=${entity}`
    const count = async (query: string, headers: Record<string, string> = newest) => (await list(query, headers)).length
    expect(await count(holder)).toBe(1)
    expect(await count(`${holder}&include_pending_consent=true`)).toBe(2)
    expect(await count(`${holder}&include_pending_consent=false`)).toBe(1)
    expect(await count(`${holder}&include_pending_consent=true&consent_status=approved`)).toBe(1)
    expect(await count(`${holder}&consent_status=pending&liability.type=credit_card`)).toBe(0)
    expect((await get(`/accounts/${id}?include_pending_consent=true`)).body).toMatchObject({
      id,
      consent_status: 'pending',
      restricted_products: [],
      available_subscriptions: [],
    })
    const december = { 'service-version': '2025-12-01' }
    expect(await list(`${holder}&consent_status=pending`, december)).toMatchObject([{ consent_status: 'pending' }])
    for (const version of ['2025-07-04', '2024-04-04', '2020-12-06']) {
      const older = { 'service-version': version }
      expect(await count(`${holder}&include_pending_consent=true`, older)).toBe(1)
      expect(await count(`${holder}&consent_status=pending`, older)).toBe(0)
      expect((await get(`/accounts/${id}?include_pending_consent=true`, older)).status).toBe(404)
      for (const account of await list(holder, older)) expect(account).not.toHaveProperty('consent_status')
    }
    const other = { ...newest, authorization: `Bearer ${(await service.anotherTeam()).key}` }
    expect(await list('consent_status=pending', other)).toEqual([])
    expect((await get(`/accounts/${id}?include_pending_consent=true`, other)).status).toBe(404)
  })

  it('become accounts once, even if several flows choose them simultaneously', async () => {
    const entity = await connected('+15125550101', false)
    await opens(entity, 'personal_loan')
    await service.call('POST', `/entities/${entity}/connect`)
    const [{ id }] = (await waiting(entity)) as [Account]
    const people = []
    for (const products of [['balance'], ['update'], ['card_brand'], []])
      people.push((await choosing('', entity, { ...several, products })).person)
    await Promise.all(people.map(person => person.send({ action: 'select', accounts: [id] })))
    await service.settle()
    expect((await told(id)).filter(type => /^account\.(create|opened)$/.test(type))).toEqual([
      'account.create',
      'account.opened',
    ])
  })

  it('send no events after their holder is disabled', async () => {
    const entity = await connected('+15125550101', false)
    await opens(entity, 'auto_loan')
    await service.call('POST', `/entities/${entity}/connect`)
    const [{ id }] = (await waiting(entity)) as [Account]
    const team = (await service.deps.teamOf(service.team))!
    await transact(service.deps, team, async tx => disableEntity(tx, (await lockEntity(tx, entity))!, 12002))
    expect(await told(id)).toEqual([])
    expect(await waiting(entity)).toMatchObject([{ id, status: 'disabled', consent_status: 'pending' }])
  })

  it('can be the only accounts that a token offers', async () => {
    const entity = await connected('+15125550101', false)
    await opens(entity, 'mortgage')
    await service.call('POST', `/entities/${entity}/connect`)
    const [{ id }] = (await waiting(entity)) as [Account]
    const { person } = await choosing('', entity, { accounts: [id] })
    await person.send({ action: 'select', accounts: [id] })
    expect(person.view.accounts).toEqual([id])
    expect(await waiting(entity)).toEqual([])
  })

  it('are all shared if the token selects all accounts', async () => {
    const entity = await connected('+15125550101', false)
    await opens(entity, 'mortgage')
    await service.call('POST', `/entities/${entity}/connect`)
    const { person } = await choosing('', entity, { account_filters: { selection_type: 'all' } })
    expect(person.data('selection')).toMatchObject({ kind: 'all', future_accounts: false })
    await person.send({ action: 'select', accounts: [], future_accounts: true })
    expect(await waiting(entity)).toEqual([])
  })
})
