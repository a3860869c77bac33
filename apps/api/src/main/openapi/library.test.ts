/**
 * Tests an existing server library on the `enveloped` mount. See testing/library.ts. The expected keys come from the
 * library's API version, 2025-07-04.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { common, expectRefusal, keys, keysOf, library, startLender } from '../../testing/library.js'

const lender = await startLender()
const method = lender.method
// Allows codes to be sent to the same number again.
beforeEach(() => lender.service.advance(3_600_001))

const entityKeys = keys(
  `id type individual address verification connect credit_score attribute vehicle products restricted_products
   subscriptions available_subscriptions restricted_subscriptions status metadata ${common}`,
)
const achKeys = keys(
  `id holder_id type ach latest_verification_session products restricted_products status metadata ${common}`,
)
const liabilityKeys = keys(
  `id holder_id type liability latest_verification_session balance attribute update card_brand payment_instrument payoff
   products restricted_products subscriptions available_subscriptions restricted_subscriptions status metadata ${common}`,
)
const paymentKeys = keys(
  `id source destination amount description status estimated_completion_date source_trace_id source_settlement_date
   source_status destination_trace_id destination_settlement_date destination_status reversal_id fee type metadata
   ${common}`,
)

it('pings', async () => {
  expect(await method.ping()).toEqual({ success: true, data: null, message: 'pong' })
})

it('reads a rejection as one of its own errors', async () => {
  const error = await expectRefusal(method.entities.retrieve('ent_unknown'))
  expect(error).toMatchObject({ type: 'INVALID_REQUEST', code: 404, sub_type: 'NOT_FOUND' })
  await expect(lender.client('sk_unknown').entities.list()).rejects.toBeInstanceOf(library.MethodAuthorizationError)
})

it('reads the request id of every response', async () => {
  await method.webhooks.list()
  expect(lender.last()).toMatchObject({ request_id: expect.stringMatching(/^req_/), idempotency_status: 'bypassed' })
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
    expect(lender.last().total).toBeGreaterThanOrEqual(1)
    const named = await method.entities.update(made.id, { individual: { first_name: 'Kevin' } } as never)
    expect(named.individual?.first_name).toBe('Kevin')
  })

  it('are verified by code and by questions', async () => {
    const entity = await method.entities.retrieve(await lender.verified())
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
    const { entity, connect, accounts } = await lender.connected()
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
    const entity = await lender.verified()
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
  it('at a bank are created, verified immediately, and show their number', async () => {
    const made = await lender.source()
    expect(keysOf(made)).toEqual(achKeys)
    expect(made).toMatchObject({ status: 'active', products: ['payment'], ach: { number: '123456789' } })
    const expanded = await method.accounts.retrieve(made.id, { expand: ['latest_verification_session'] } as never)
    expect(expanded.latest_verification_session).toMatchObject({ type: 'auto_verify', status: 'verified' })
  })

  it('that are debts return balances and updates', async () => {
    const { accounts } = await lender.connected()
    const { id } = accounts.find(account => account.products.includes('balance'))!
    const balance = await method.accounts(id).balances.create()
    expect(balance).toMatchObject({ account_id: id, status: 'pending', amount: null })
    await lender.service.settle()
    const done = await method.accounts(id).balances.retrieve(balance.id)
    expect(keysOf(done)).toEqual(keys(`id account_id status amount ${common}`))
    expect(done).toMatchObject({ status: 'completed', amount: expect.any(Number) })
    expect((await method.accounts(id).balances.list())[0]).toEqual(done)

    const update = await method.accounts(id).updates.create()
    expect(update).toMatchObject({ status: 'pending', source: 'direct', data_as_of: null })
    await lender.service.settle()
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

describe('payments', () => {
  it('are created once for a key that the library sends in the query, listed, shown and canceled', async () => {
    const from = await lender.source()
    const { accounts } = await lender.connected()
    const to = accounts.find(account => account.products.includes('payment'))!
    const given = { amount: 5000, source: from.id, destination: to.id, description: 'Loan' }
    const made = await method.payments.create(given, { idempotency_key: 'library-1' })
    expect(keysOf(made)).toEqual(paymentKeys)
    expect(lender.last().idempotency_status).toBe('stored')
    expect(await method.payments.create(given, { idempotency_key: 'library-1' })).toEqual(made)
    expect(lender.last().idempotency_status).toBe('replayed')
    const shown = await method.payments.retrieve(made.id)
    expect(keysOf(shown)).toEqual([...paymentKeys, 'fund_status'].sort())
    expect((await method.payments.list({ source: from.id } as never)).map(payment => payment.id)).toEqual([made.id])
    expect(await method.payments.delete(made.id)).toMatchObject({ id: made.id, status: 'canceled' })
  })

  it('are moved by the simulation', async () => {
    const from = await lender.source()
    const { accounts } = await lender.connected()
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
  it('are created, listed, disabled and deleted', async () => {
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
  it('for an element are returned without other fields, and their results are empty at first', async () => {
    const entity = await lender.verified()
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

  it('for Opal are not enveloped twice', async () => {
    const entity = await lender.verified()
    const made = await method.opal.token.create({
      mode: 'connect',
      entity_id: entity,
      connect: { selection_type: 'all' },
    } as never)
    expect(keysOf(made)).toEqual(['session_id', 'token', 'valid_until'])
  })
})

describe('names that the library supports', () => {
  // The library lists every product as expandable, but a payment product has no record to expand.
  const accountFields = Object.values(library.AccountExpandableFields).filter(field => field !== 'payment')
  const entityFields = Object.values(library.EntityExpandableFields).filter(field => !field.endsWith('_session'))

  it.each(Object.values(library.WebhookTypes))('a webhook can be created for %s', async type => {
    expect(await method.webhooks.create({ type, url: 'https://lender.example/hooks' } as never)).toMatchObject({ type })
  })

  it.each(entityFields)('an entity expands %s', async field => {
    const { id } = await method.entities.create({ type: 'individual', individual: {} })
    expect(await method.entities.retrieve(id, { expand: [field] } as never)).toMatchObject({ id })
  })

  it.each(accountFields)('an account expands %s', async field => {
    const { id } = await lender.source()
    expect(await method.accounts.retrieve(id, { expand: [field] } as never)).toMatchObject({ id })
  })
})
