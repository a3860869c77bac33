/**
 * A server library that others wrote for this shape of API, unmodified, against the second mount of a listening server.
 * Its address is set by its own `baseURL` option. It speaks 2025-07-04, so key sets are those of that version.
 */
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Method as Client, MethodInvalidRequestError as Refusal } from 'method-node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestService, testService } from '../testing/service.js'

// Its main file; the one for bundlers asks for `require` too.
const library = createRequire(import.meta.url)('method-node') as typeof import('method-node')
const { Method, MethodAuthorizationError, MethodInvalidRequestError } = library

let service: TestService
let server: Server
let method: Client
const seen: { path: string; idempotency_status: string | null; request_id: string | null; total: number }[] = []
let base: string

beforeAll(async () => {
  service = await testService()
  const products = 'balance update payment card_brand payoff connect sensitive attribute payment_instrument transaction'
  await service.call('PATCH', '/team', { products: products.split(' ') })
  server = createAdaptorServer({ fetch: service.app.api.fetch }) as Server
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/enveloped`
  method = client(service.key)
})
afterAll(async () => {
  await new Promise(resolve => server.close(resolve))
  await service.stop()
})

// So that codes can be sent again to the same number.
beforeEach(() => service.advance(3_600_001))

const client = (apiKey: string) =>
  new Method({
    apiKey,
    env: 'dev',
    baseURL: base,
    onResponse: ({ path, idempotency_status, request_id, pagination }) =>
      seen.push({ path, idempotency_status, request_id, total: pagination.total_count }),
  } as ConstructorParameters<typeof Method>[0])

const last = () => seen.at(-1)!
const keysOf = (value: unknown) => Object.keys(value as object).sort()
const keys = (text: string) => text.split(' ').sort()
const refused = async (promise: Promise<unknown>): Promise<Refusal> => {
  const error = await promise.then(
    () => null,
    reason => reason,
  )
  expect(error).toBeInstanceOf(MethodInvalidRequestError)
  return error
}

const common = 'error created_at updated_at'
const entityKeys = keys(
  `id type individual address verification connect credit_score attribute vehicle products restricted_products
   subscriptions available_subscriptions restricted_subscriptions status metadata ${common}`.replace(/\s+/g, ' '),
)
const achKeys = keys(
  `id holder_id type ach latest_verification_session products restricted_products status metadata ${common}`,
)
const liabilityKeys = keys(
  `id holder_id type liability latest_verification_session balance attribute update card_brand payment_instrument payoff
   products restricted_products subscriptions available_subscriptions restricted_subscriptions status metadata ${common}`.replace(
    /\s+/g,
    ' ',
  ),
)
const paymentKeys = keys(
  `id source destination amount description status estimated_completion_date source_trace_id source_settlement_date
   source_status destination_trace_id destination_settlement_date destination_status reversal_id fee type metadata
   ${common}`.replace(/\s+/g, ' '),
)

/** A person whose phone and identity are verified, by the library alone. */
async function verified(phone = '+15125550101') {
  const { id } = await method.entities.create({
    type: 'individual',
    individual: { first_name: 'Kevin', last_name: 'Doyle', phone, dob: '1980-05-05' },
  })
  const sessions = method.entities(id).verificationSessions
  const sms = await sessions.create({ type: 'phone', method: 'sms', sms: {} })
  await sessions.update(sms.id, { type: 'phone', method: 'sms', sms: { sms_code: '123456' } })
  await sessions.create({ type: 'identity', method: 'kba', kba: {} })
  return id
}

async function connected() {
  const entity = await verified()
  const connect = await method.entities(entity).connect.create({}, { expand: ['accounts'] } as never)
  await service.settle()
  return { entity, connect, accounts: connect.accounts as unknown as { id: string; products: string[] }[] }
}

async function source() {
  const holder = await method.entities.create({
    type: 'corporation',
    corporation: { name: 'Northwind', ein: '123456789', owners: [] },
  })
  return method.accounts.create({
    holder_id: holder.id,
    ach: { routing: '062103000', number: '123456789', type: 'checking' },
  })
}

it('pings', async () => {
  expect(await method.ping()).toEqual({ success: true, data: null, message: 'pong' })
})

it('reads a refusal as an error of its own', async () => {
  const error = await refused(method.entities.retrieve('ent_unknown'))
  expect(error).toMatchObject({ type: 'INVALID_REQUEST', code: 404, sub_type: 'NOT_FOUND' })
  await expect(client('sk_unknown').entities.list()).rejects.toBeInstanceOf(MethodAuthorizationError)
})

it('reads the request id of every answer', async () => {
  await method.webhooks.list()
  expect(last()).toMatchObject({ request_id: expect.stringMatching(/^req_/), idempotency_status: 'bypassed' })
})

describe('entities', () => {
  it('are created, retrieved, listed and updated', async () => {
    const made = await method.entities.create({ type: 'individual', individual: {}, metadata: {} })
    expect(keysOf(made)).toEqual(entityKeys)
    expect(made.individual).toEqual(
      Object.fromEntries(keys('first_name last_name phone dob email ssn ssn_4').map(key => [key, null])),
    )
    expect(made).toMatchObject({ status: 'incomplete', metadata: {}, verification: { phone: { verified: false } } })
    expect(await method.entities.retrieve(made.id)).toEqual(made)
    const listed = await method.entities.list({ page: 1, page_limit: 1 } as never)
    expect(listed).toEqual([made])
    expect(last().total).toBeGreaterThanOrEqual(1)
    const named = await method.entities.update(made.id, { individual: { first_name: 'Kevin' } } as never)
    expect(named.individual?.first_name).toBe('Kevin')
  })

  it('are verified by code and by questions', async () => {
    const entity = await method.entities.retrieve(await verified())
    expect(entity).toMatchObject({
      status: 'active',
      verification: { phone: { verified: true, methods: [] }, identity: { verified: true, methods: [] } },
    })
    const [identity, phone] = await method.entities(entity.id).verificationSessions.list()
    expect(keysOf(phone)).toEqual(keys(`id entity_id status type method sms ${common}`))
    expect(keysOf(identity)).toEqual(keys(`id entity_id status type method kba ${common}`))
    expect(await method.entities(entity.id).verificationSessions.retrieve(phone!.id)).toEqual(phone)
  })

  it('connect their debts', async () => {
    const { entity, connect, accounts } = await connected()
    expect(keysOf(connect)).toEqual(
      keys(`id entity_id status accounts requested_products requested_subscriptions ${common}`),
    )
    expect(connect.status).toBe('completed')
    expect(keysOf(accounts[0])).toEqual(liabilityKeys)
    const again = await method.entities(entity).connect.retrieve(connect.id)
    expect(again.accounts).toEqual(accounts.map(account => account.id))
    const held = await method.accounts.list({ holder_id: entity } as never)
    expect(held.map(account => account.id).sort()).toEqual(accounts.map(account => account.id).sort())
    const expanded = await method.entities.retrieve(entity, { expand: ['connect'] })
    expect(expanded.connect).toMatchObject({ id: connect.id, status: 'completed' })
  })

  it('list products by name, and subscribe', async () => {
    const entity = await verified()
    const products = await method.entities(entity).products.list()
    expect(products.connect).toMatchObject({ name: 'connect', status: 'available', is_subscribable: true })
    expect(products.connect).not.toHaveProperty('id')
    const subscription = await method.entities(entity).subscriptions.create('connect')
    expect(subscription).toMatchObject({ name: 'connect', status: 'active', latest_request_id: null, payload: null })
    expect(await method.entities(entity).subscriptions.list()).toEqual({ connect: subscription })
    const ended = await method.entities(entity).subscriptions.delete(subscription.id)
    expect(ended).toMatchObject({ id: subscription.id, status: 'inactive' })
  })
})

describe('accounts', () => {
  it('of a bank are created, verified at once, and show their number', async () => {
    const made = await source()
    expect(keysOf(made)).toEqual(achKeys)
    expect(made).toMatchObject({ status: 'active', products: ['payment'], ach: { number: '123456789' } })
    const expanded = await method.accounts.retrieve(made.id, { expand: ['latest_verification_session'] } as never)
    expect(expanded.latest_verification_session).toMatchObject({ type: 'auto_verify', status: 'verified' })
  })

  it('that are debts give balances and updates', async () => {
    const { accounts } = await connected()
    const { id } = accounts.find(account => account.products.includes('balance'))!
    const balance = await method.accounts(id).balances.create()
    expect(balance).toMatchObject({ account_id: id, status: 'pending', amount: null })
    await service.settle()
    const done = await method.accounts(id).balances.retrieve(balance.id)
    expect(keysOf(done)).toEqual(keys(`id account_id status amount ${common}`))
    expect(done).toMatchObject({ status: 'completed', amount: expect.any(Number) })
    expect((await method.accounts(id).balances.list())[0]).toEqual(done)

    const update = await method.accounts(id).updates.create()
    expect(update).toMatchObject({ status: 'pending', source: 'direct', data_as_of: null })
    await service.settle()
    const [newest] = await method.accounts(id).updates.list()
    expect(newest).toMatchObject({ id: update.id, status: 'completed' })
    expect(keysOf(newest)).toEqual(keys(`id account_id status source type ${update.type} data_as_of ${common}`))
  })

  it('name their merchant', async () => {
    const found = await method.merchants.list({ 'provider_id.plaid': 'ins_10' } as never)
    expect(found[0]).toMatchObject({ id: 'mch_300485' })
    expect(await method.merchants.retrieve('mch_300485')).toEqual(found[0])
  })
})

describe('products of accounts', () => {
  let card: string
  let loan: string
  beforeAll(async () => {
    const entity = await verified('+15121231111')
    const { accounts } = await method.entities(entity).connect.create()
    await service.settle()
    const held = await Promise.all((accounts as string[]).map(id => method.accounts.retrieve(id)))
    const of = (type: string) => held.find(account => account.liability?.type === type)!.id
    card = of('credit_card')
    loan = of('auto_loan')
    for (const [id, number] of [
      [card, '5555555555551580'],
      [loan, '7000008130'],
    ] as const) {
      const session = await method.accounts(id).verificationSessions.create({ type: 'standard' } as never)
      const proven = await method
        .accounts(id)
        .verificationSessions.update(session.id, { standard: { number } } as never)
      expect(proven).toMatchObject({ status: 'verified', standard: { number: 'xxxxxxxxxxxxxxxx' } })
    }
  })

  it('a payoff', async () => {
    const made = await method.accounts(loan).payoffs.create()
    await service.settle()
    const told = await method.accounts(loan).payoffs.retrieve(made.id)
    expect(keysOf(told)).toEqual(keys(`id account_id status amount per_diem_amount term ${common}`))
    expect(told).toMatchObject({ status: 'completed', amount: 6083988, term: 15, per_diem_amount: null })
    expect(await method.accounts(loan).payoffs.list()).toEqual([told])
  })

  it('a card brand, and its product under the singular path', async () => {
    const made = await method.accounts(card).cardBrands.create()
    expect(made).toMatchObject({ status: 'in_progress', brands: [], shared: false, source: null })
    await service.settle()
    const [told] = await method.accounts(card).cardBrands.list()
    expect(keysOf(told)).toEqual(keys(`id account_id brands status shared source ${common}`))
    const brand = told!.brands[0] as unknown as { card_product_id: string }
    const product = await method.cardProducts.retrieve(brand.card_product_id)
    expect(product).toMatchObject({
      id: brand.card_product_id,
      brands: expect.arrayContaining([expect.objectContaining({ network: 'visa' })]),
    })
  })

  it('full numbers', async () => {
    const made = await method.accounts(card).sensitive.create({ expand: ['credit_card.number'] } as never)
    expect(made).toMatchObject({
      status: 'completed',
      credit_card: { number: '5555555555551580', exp_month: null, exp_year: null, cvv: null, billing_zip_code: null },
    })
    expect(await method.accounts(card).sensitive.retrieve(made.id)).toEqual(made)
  })

  it('attributes, all of them where it names none', async () => {
    const made = await method.accounts(card).attributes.create()
    expect(made.status).toBe('completed')
    expect(keysOf(made.attributes)).toEqual(Object.values(library.AccountAttributeNames).sort())
    expect(await method.accounts(card).attributes.list()).toEqual([made])
  })

  it('instruments of the two kinds that its version has', async () => {
    const instruments = method.accounts(card).paymentInstruments
    for (const type of Object.values(library.PaymentInstrumentTypes)) {
      const made = await instruments.create({ type } as never)
      await service.settle()
      const told = await instruments.retrieve(made.id)
      expect(told).toMatchObject({ id: made.id, type, status: 'completed' })
      expect(told).not.toHaveProperty('inbound_achwire_payment')
    }
  })

  it('transactions only where the card was verified by its network', async () => {
    const error = await refused(method.accounts(card).subscriptions.create('transaction' as never))
    expect(error.sub_type).toBe('PRODUCT_UNAVAILABLE')
  })

  it('by name', async () => {
    expect(keysOf(await method.accounts(card).products.list())).toEqual(
      keys('balance payment sensitive update attribute transaction card_brand payoff payment_instrument'),
    )
  })
})

describe('payments', () => {
  it('are made once for a key that the library sends in the query, listed, shown and canceled', async () => {
    const from = await source()
    const { accounts } = await connected()
    const to = accounts.find(account => account.products.includes('payment'))!
    const given = { amount: 5000, source: from.id, destination: to.id, description: 'Loan' }
    const made = await method.payments.create(given, { idempotency_key: 'library-1' })
    expect(keysOf(made)).toEqual(paymentKeys)
    expect(last().idempotency_status).toBe('stored')
    expect(await method.payments.create(given, { idempotency_key: 'library-1' })).toEqual(made)
    expect(last().idempotency_status).toBe('replayed')
    const shown = await method.payments.retrieve(made.id)
    expect(keysOf(shown)).toEqual([...paymentKeys, 'fund_status'].sort())
    expect((await method.payments.list({ source: from.id } as never)).map(payment => payment.id)).toEqual([made.id])
    expect(await method.payments.delete(made.id)).toMatchObject({ id: made.id, status: 'canceled' })
  })

  it('are moved by the simulation', async () => {
    const from = await source()
    const { accounts } = await connected()
    const to = accounts.find(account => account.products.includes('payment'))!
    const made = await method.payments.create({
      amount: 5000,
      source: from.id,
      destination: to.id,
      description: 'Loan',
    })
    const moved = await method.simulate.payments.update(made.id, { status: 'processing' } as never)
    expect(moved).toMatchObject({ id: made.id, status: 'processing' })
    const failed = await method.simulate.payments.update(made.id, { status: 'failed', error_code: 10001 } as never)
    expect(failed.error).toMatchObject({ code: 10001, sub_type: 'PAYMENT_INSUFFICIENT_FUNDS' })
  })
})

describe('webhooks', () => {
  it('are created, listed, switched off and deleted', async () => {
    const made = await method.webhooks.create({ type: 'payment.create', url: 'https://lender.example/hooks' } as never)
    expect(keysOf(made)).toEqual(keys(`id type url metadata expand_event status ${common}`))
    expect(await method.webhooks.retrieve(made.id)).toEqual(made)
    expect((await method.webhooks.list()).map(webhook => webhook.id)).toContain(made.id)
    const off = await method.webhooks.update(made.id, { status: 'disabled' } as never)
    expect(off).toMatchObject({ status: 'disabled', error: { code: 25005 } })
    expect(await method.webhooks.delete(made.id)).toBeNull()
  })
})

describe('tokens', () => {
  it('of an element are answered alone, and tell nothing happened yet', async () => {
    const entity = await verified()
    const made = await method.elements.token.create({ type: 'connect', entity_id: entity, connect: {} } as never)
    expect(keysOf(made)).toEqual(['element_token'])
    expect(made.element_token).toMatch(/^pk_elem_/)
    expect(await method.elements.token.results(made.element_token)).toEqual({
      authenticated: false,
      cxn_id: null,
      accounts: [],
      entity_id: entity,
      events: [],
    })
  })

  it('of Opal are not wrapped twice', async () => {
    const entity = await verified()
    const made = await method.opal.token.create({
      mode: 'connect',
      entity_id: entity,
      connect: { selection_type: 'all' },
    } as never)
    expect(keysOf(made)).toEqual(['session_id', 'token', 'valid_until'])
  })
})

describe('names that the library knows', () => {
  // It lists every product as expandable; payment is one that leaves no record.
  const accountFields = Object.values(library.AccountExpandableFields).filter(field => field !== 'payment')
  const entityFields = Object.values(library.EntityExpandableFields).filter(field => !field.endsWith('_session'))

  it.each(Object.values(library.WebhookTypes))('a webhook can be made for %s', async type => {
    expect(await method.webhooks.create({ type, url: 'https://lender.example/hooks' } as never)).toMatchObject({ type })
  })

  it.each(entityFields)('an entity expands %s', async field => {
    const { id } = await method.entities.create({ type: 'individual', individual: {} })
    expect(await method.entities.retrieve(id, { expand: [field] } as never)).toMatchObject({ id })
  })

  it.each(accountFields)('an account expands %s', async field => {
    const { id } = await source()
    expect(await method.accounts.retrieve(id, { expand: [field] } as never)).toMatchObject({ id })
  })
})
