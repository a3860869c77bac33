import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { errorOf } from '../../../testing/contract/cases.js'
import { fundingAccount, LOAN, Person, someone, transferToken, verify } from '../../../testing/frame.js'
import { later } from '../../../testing/future-accounts.js'
import { lender } from '../../../testing/money.js'
import { prove } from '../../../testing/records.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

const REDIRECT = 'http://localhost:4300/back'
const make = (body: Record<string, unknown>) => service.call('POST', '/opal/token', { mode: 'manage', ...body })
const rejection = async (body: Record<string, unknown>) => errorOf((await make(body)).body)
const audits = (handle: string) =>
  service.store.reader.selectFrom('audit').selectAll().where('actor', '=', handle).orderBy('created_at').execute()
const accountsIn = (person: Person) => person.data('manage').accounts.map(account => account.id)

/** Opens the person's own page, up to the code step. */
async function open(entity_id: string) {
  const made = await make({ entity_id })
  const { token } = made.body['data'] as { token: string }
  return { person: await Person.arrive(service, token), handle: token.slice(5, 21), token }
}

/** Opens the person's own page, past the code step. */
async function managed(entity_id: string) {
  const opened = await open(entity_id)
  await opened.person.arriveAtAccounts()
  return opened
}

/** Returns an entity whose person has verified their phone and connected accounts. */
async function connected(phone = '+15125550101') {
  const entity = await someone(service, phone)
  const made = await service.call('POST', '/opal/token', {
    mode: 'connect',
    entity_id: entity,
    connect: { selection_type: 'all' },
  })
  const { token } = made.body['data'] as { token: string }
  const person = await verify(service, await Person.arrive(service, token))
  await person.send({ action: 'select', accounts: [], future_accounts: true })
  return { entity, accounts: person.data('done').accounts.map(account => account.id) }
}

async function download(bearer?: string) {
  const headers = { origin: 'http://localhost:4100', ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) }
  const request = new Request('http://localhost:4100/s/export', { headers })
  const response = await service.app.frame.fetch(request, { incoming: { headers: {}, socket: {} } })
  return { response, text: await response.text() }
}

describe('a manage token', () => {
  it('requires an existing entity whose phone number was not merely typed by a visitor, and says so', async () => {
    const inline = { type: 'individual', individual: { phone: '+15125550101' } }
    expect((await rejection({ entity: inline })).message).toContain('entity_id is required for manage')
    const { body } = await service.call('POST', '/entities', { type: 'individual', individual: {} })
    const unknown = await rejection({ entity_id: body['id'] })
    expect([unknown.sub_type, unknown.message]).toEqual(['INVALID_ENTITY', expect.stringContaining('phone number')])
    const flow = await service.call('POST', '/opal/token', { mode: 'connect', entity_id: body['id'] })
    const visitor = await Person.arrive(service, (flow.body['data'] as { token: string }).token)
    await visitor.consent()
    await visitor.send({ action: 'send', phone: '+15125550101' })
    expect(visitor.view.step).toBe('code')
    expect((await rejection({ entity_id: body['id'] })).sub_type).toBe('INVALID_ENTITY')
  })

  it('accepts no options and no earlier phone proof', async () => {
    const entity_id = await someone(service, '+15125550101')
    expect((await rejection({ entity_id, manage: { all: true } })).sub_type).toBe('INVALID_REQUEST')
    expect((await rejection({ entity_id, phone_proof_days: 30 })).message).toContain('phone_proof_days')
    expect((await make({ entity_id, manage: {}, phone_proof_days: 0, redirect_url: REDIRECT })).status).toBe(200)
  })
})

describe('a manage token for a person whose number was deleted', () => {
  // kills: own-page-keeps-number
  // kills: typed-number-opens-no-page
  it('accepts no number typed by a visitor, on its page or any other', async () => {
    const entity_id = await someone(service, '+15125550101')
    const tokens = [await make({ entity_id }), await make({ entity_id })]
    const [first, second] = tokens.map(made => (made.body['data'] as { token: string }).token)
    for (const type of ['withdraw', 'grant']) await service.call('POST', `/entities/${entity_id}/consent`, { type })
    const visitor = await Person.arrive(service, first!)
    expect(visitor.data('phone')).toEqual({ last4: null, editable: false })
    await visitor.send({ action: 'send', phone: '+15125550101' })
    expect(visitor.view).toMatchObject({ step: 'phone', errors: [{ field: 'phone', code: 'required' }] })
    const flow = await service.call('POST', '/opal/token', { mode: 'connect', entity_id })
    const typing = await Person.arrive(service, (flow.body['data'] as { token: string }).token)
    await typing.consent()
    await typing.send({ action: 'send', phone: '+15125550101' })
    expect(typing.view.step).toBe('code')
    const again = await Person.arrive(service, second!)
    expect(again.view).toMatchObject({ step: 'blocked', data: { reason: 'identity_failed', can_retry: false } })
  })
})

describe('manage', () => {
  // kills: own-page-asks-for-code
  it('asks for a code even if the phone is verified', async () => {
    const { entity } = await connected()
    const { person } = await open(entity)
    expect(person.view).toMatchObject({ step: 'phone', data: { last4: '0101', editable: false } })
    await person.send({ action: 'send', phone: '+15125550199' })
    expect(person.view).toMatchObject({ step: 'code', data: { last4: '0101', editable: false } })
    await person.send({ action: 'verify', code: '123456' })
    expect(person.view.step).toBe('manage')
  })

  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)

  it('shows what is shared', async () => {
    const { entity, accounts } = await connected()
    const shown = (await managed(entity)).person.data('manage')
    expect(shown.accounts.map(account => account.id).sort()).toEqual([...accounts].sort())
    for (const account of shown.accounts)
      expect(account).toMatchObject({ name: expect.stringMatching(/\S/), type: expect.any(String), since: time })
    expect(shown.accounts.some(account => account.data.includes('balance'))).toBe(true)
    // Purchases are shared only after a subscription to them starts.
    expect(shown.accounts.some(account => account.data.includes('purchases'))).toBe(false)
    expect(shown.person.data).toContain('accounts')
    expect(shown.future_since).toEqual(time)
  })

  it('shows a receipt for each agreement', async () => {
    const shown = (await managed((await connected()).entity)).person.data('manage')
    expect(shown.receipts.map(receipt => receipt.id).sort()).toEqual(
      ['account_data', 'credit_report', 'esign', 'future_accounts', 'privacy', 'text_messages'].sort(),
    )
    expect(shown.receipts[0]).toEqual({
      id: 'future_accounts',
      version: '2026-11-26',
      locale: 'en',
      shares: [],
      at: time,
      recipients: { service: 'Causeway', bureau: 'Sandbox Credit Bureau' },
    })
  })

  it('completes its session as soon as it is shown', async () => {
    const { person, token } = await managed((await connected()).entity)
    const { view } = person
    expect(view).toMatchObject({ mode: 'manage', can_go_back: false, accounts: [] })
    expect(view.progress.index).toBe(view.progress.total)
    expect(view.result).not.toBeNull()
    const { data } = (await service.call('GET', `/opal/sessions/${view.session_id}`)).body as { data: object }
    expect(data).toMatchObject({ mode: 'manage', bt: null, completed_at: time })
    const headers = { authorization: `Bearer ${token}` }
    const told = (await service.call('GET', '/opal/events', undefined, headers)).body['data'] as { type: string }[]
    expect(told.map(event => event.type)).toEqual([
      'opal.session.started',
      'identity_verification.flow.started',
      'identity_verification.step.started',
      'identity_verification.step.completed',
      'identity_verification.step.started',
      'identity_verification.step.completed',
      'manage.flow.started',
      'manage.step.started',
      'manage.flow.completed',
      'opal.session.completed',
    ])
  })

  it('shows purchases only after a subscription to them starts', async () => {
    const { products } = (await service.call('GET', '/team')).body as { products: string[] }
    await service.call('PATCH', '/team', { products: [...products, 'transaction'] })
    const { entity, accounts } = await lender(service).debts('+15121231111')
    const card = accounts[1]!.id
    await prove(service, card, 'network', {
      exp_month: '09',
      exp_year: '2028',
      cvv: '539',
      billing_zip_code: '78758',
    })
    const account = (await service.call('GET', `/accounts/${card}`)).body
    expect(account['products']).toContain('transaction')
    const shared = async () => {
      const { person } = await managed(entity)
      return person.data('manage').accounts.find(each => each.id === card)!
    }
    expect((await shared()).data).not.toContain('purchases')
    await service.call('POST', `/accounts/${card}/subscriptions`, { enroll: 'transaction' })
    const { data, updated } = await shared()
    expect(data).toContain('purchases')
    expect(updated).toContain('purchases')
  })

  it('dates each account from when it was shared, even if it was found earlier', async () => {
    const { choosing, connected, opens } = later(service)
    const entity = await connected('+15125550101', false)
    const dates = async () => {
      const { person } = await managed(entity)
      return new Map(person.data('manage').accounts.map(({ id, since }) => [id, since]))
    }
    const before = await dates()
    service.advance(DAY_MS)
    await opens(entity, 'credit_card')
    await service.call('POST', `/entities/${entity}/connect`)
    expect(await dates()).toEqual(before)
    service.advance(DAY_MS)
    const { person } = await choosing('', entity)
    const { accounts } = person.data('selection')
    const found = accounts.find(account => !before.has(account.id))!.id
    await person.send({ action: 'select', accounts: [...before.keys(), found] })
    const shared = new Date(service.deps.clock()).toISOString()
    service.advance(DAY_MS)
    expect(await dates()).toEqual(new Map([...before, [found, shared]]))
  })

  it('stops sharing one account and shares it again, with an audit entry and an event each time', async () => {
    const { entity } = await connected()
    const { person, handle } = await managed(entity)
    const [first, ...others] = accountsIn(person)
    await service.call('POST', `/accounts/${first}/subscriptions`, { enroll: 'update' })
    const get = (path: string) => service.call('GET', path)
    const connects = (await get(`/entities/${entity}/connect`)).body['data'] as { id: string }[]
    const listed = async () => (await get(`/entities/${entity}/connect/${connects[0]!.id}`)).body['accounts']
    expect(await listed()).toContain(first)
    const { body } = await person.send({ action: 'withdraw', account: first })
    expect(accountsIn(person)).toEqual(others)
    expect(person.data('manage')).toMatchObject({ withdrawn: [], hidden: [{ id: first, mask: expect.any(String) }] })
    const data = { entity_id: entity, account: first }
    expect(body.events).toMatchObject([{ type: 'manage.account.withdrawn', data }])
    expect((await get(`/accounts/${first}`)).status).toBe(404)
    expect(await listed()).not.toContain(first)
    const events = async () =>
      (await get(`/events?resource_id=${first}`)).body['data'] as { type: string; data: Record<string, unknown> }[]
    const [last, ...earlier] = await events()
    expect(last).toMatchObject({ type: 'account.update', data: { status: 'disabled', liability: null } })
    for (const event of earlier) expect(event.data).not.toHaveProperty('liability.mask')
    await person.send({ action: 'withdraw', account: first })
    expect(person.view.errors).toMatchObject([{ code: 'changed' }])

    // The earlier choice no longer counts for this account.
    const { element_token } = await transferToken(service, entity, LOAN)
    const loan = await verify(service, await Person.arrive(service, element_token))
    const offered = loan.data('selection').accounts.map(({ id, selected }) => [id, selected])
    expect(offered).toEqual(expect.arrayContaining([[first, false], ...others.map(id => [id, true])]))

    service.advance(DAY_MS)
    const again = (await managed(entity)).person
    const shared = await again.send({ action: 'share', account: first })
    expect(shared.body.events).toMatchObject([{ type: 'manage.account.shared', data }])
    const now = new Date(service.deps.clock()).toISOString()
    expect(again.data('manage').accounts.find(({ id }) => id === first)).toMatchObject({ since: now })
    expect((await get(`/accounts/${first}`)).body).toMatchObject({ status: 'active', subscriptions: [] })
    expect((await events())[0]).toMatchObject({ type: 'account.update', data: { status: 'active' } })
    await again.send({ action: 'share', account: first })
    expect(again.view.errors).toMatchObject([{ code: 'changed' }])
    expect(await audits(handle)).toMatchObject([{ action: 'account.consent.withdraw', resource_id: first }])
  })

  // kills: own-accounts-only
  it('never shows or stops the sharing of another person', async () => {
    const [mine, theirs] = [await connected(), await connected('+15125550110')]
    const { person } = await managed(mine.entity)
    expect(accountsIn(person)).not.toEqual(expect.arrayContaining([theirs.accounts[0]]))
    const consents = await service.store.reader
      .selectFrom('consents')
      .select('id')
      .where('entity_id', '=', mine.entity)
      .execute()
    expect(person.data('manage').receipts).toHaveLength(consents.length)
    await person.send({ action: 'withdraw', account: theirs.accounts[0] })
    expect(person.view.errors).toMatchObject([{ code: 'changed' }])
    expect((await service.call('GET', `/accounts/${theirs.accounts[0]}`)).body['status']).toBe('active')
    expect((await download(person.bearer)).text).not.toContain(theirs.accounts[0])
  })

  it("ends all sharing, after which no page shows any of the person's data", async () => {
    const { entity, accounts } = await connected()
    const other = await managed(entity)
    const { person, handle } = await managed(entity)
    const { body } = await person.send({ action: 'withdraw_all' })
    expect(person.data('done')).toMatchObject({ accounts: [], agreed: [] })
    expect(body.events?.map(event => event.type)).toContain('manage.entity.withdrawn')
    expect((await service.call('GET', `/entities/${entity}`)).body).toMatchObject({ status: 'disabled', type: null })
    for (const id of accounts) expect((await service.call('GET', `/accounts/${id}`)).body['status']).toBe('disabled')
    expect(await audits(handle)).toMatchObject([{ action: 'entity.consent.withdraw', resource_id: entity }])
    await person.look()
    expect(person.view.step).toBe('done')
    expect((await download(person.bearer)).response.status).toBe(403)
    await other.person.look()
    expect(other.person.view).toMatchObject({ step: 'blocked', data: { reason: 'disabled' } })
    expect((await rejection({ entity_id: entity })).sub_type).toBe('INVALID_ENTITY')
  })

  // kills: no-hiding-while-paying
  it('changes nothing while a payment is in progress', async () => {
    const { entity, accounts } = await lender(service).debts('+15125550120')
    const destination = accounts[0]!.id
    const source = await fundingAccount(service)
    const paid = await service.call('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
    expect(paid.status).toBe(200)
    const { person, handle } = await managed(entity)
    for (const input of [{ action: 'withdraw', account: destination }, { action: 'withdraw_all' }]) {
      await person.send(input)
      expect(person.view.errors).toEqual([{ field: null, code: 'payment_in_progress', values: {} }])
    }
    expect(accountsIn(person)).toContain(destination)
    expect(await audits(handle)).toEqual([])
  })

  it('accepts no other input', async () => {
    const { person } = await managed(await someone(service, '+15125550101'))
    for (const input of [{}, { action: 'withdraw' }, { action: 'edit' }, { action: 'back' }])
      expect((await person.send(input)).status).toBe(400)
    expect(person.data('manage')).toMatchObject({ accounts: [], withdrawn: [], receipts: [], future_since: null })
  })
})

describe('a download', () => {
  // kills: download-needs-code
  it('is available only after the code, only to its bearer, as an uncacheable file, and is audited', async () => {
    const { entity } = await connected()
    const bank = { holder_id: entity, ach: { routing: '062103000', number: '98765432107', type: 'checking' } }
    await service.call('POST', '/accounts', { ...bank, metadata: { note: 'watch this one' } })
    const { person, handle } = await open(entity)
    expect((await download()).response.status).toBe(401)
    expect((await download(person.bearer)).response.status).toBe(403)
    await person.arriveAtAccounts()
    const { response, text } = await download(person.bearer)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const all = JSON.parse(text)
    expect(all.entity).toMatchObject({ id: entity, individual: { first_name: 'Kevin' } })
    const recipients = { service: 'Causeway', bureau: 'Sandbox Credit Bureau' }
    expect(all.consents).toContainEqual(expect.objectContaining({ document: 'privacy', recipients }))
    expect(text).toContain('****2107')
    expect(text).not.toContain('98765432107')
    expect(text).not.toContain('watch this one')
    expect(await audits(handle)).toMatchObject([{ action: 'entity.export', resource_id: entity }])
  })

  it('requires another code after the bearer expires', async () => {
    const { entity } = await connected()
    const { person } = await managed(entity)
    service.advance(16 * 60_000)
    expect((await download(person.bearer)).response.status).toBe(401)
    const again = await open(entity)
    expect(again.person.view.step).toBe('phone')
    expect((await download(again.person.bearer)).response.status).toBe(403)
  })
})
