/**
 * Tests an account's resources with the server library from library.test.ts: every call in the library, and the exact
 * keys in each response.
 */
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { afterAll, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const { Method } = createRequire(import.meta.url)('method-node') as typeof import('method-node')

/**
 * Two cards and a loan. The first card is verified only by its verification value; the second is also verified by its
 * network.
 */
let card: string
let watched: string
let loan: string

const service = await testService()
const server = createAdaptorServer({ fetch: service.app.api.fetch }) as Server
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/enveloped`
const method = new Method({ apiKey: service.key, env: 'dev', baseURL } as ConstructorParameters<typeof Method>[0])
const team = (await service.call('GET', '/team')).body as { products: string[] }
await service.call('PATCH', '/team', { products: [...team.products, 'attribute'] })
const found = await lender(service).debts('+15121231111')
const holder = found.entity
;[card, watched, loan] = found.accounts.map(account => account.id) as [string, string, string]
afterAll(() => new Promise(resolve => server.close(resolve)))

const common = ['error', 'created_at', 'updated_at']
const keysOf = (value: unknown) => Object.keys(value as object).sort()
const keys = (text: string) => [...text.split(' '), ...common].sort()
const statuses = async (account: string) =>
  Object.fromEntries(
    Object.entries(await method.accounts(account).products.list()).map(([name, { status }]) => [name, status]),
  )

it('a debt is identified by merchant and number', async () => {
  const made = await method.accounts.create({
    holder_id: holder,
    liability: { mch_id: 'mch_302086', account_number: '4936494462408721' },
  })
  expect(made.liability).toEqual({
    mch_id: 'mch_302086',
    mask: '8721',
    ownership: 'unknown',
    fingerprint: null,
    type: 'credit_card',
    sub_type: 'flexible_spending',
    name: 'Chase Sapphire Reserve',
  })
  expect(made).toMatchObject({ available_subscriptions: ['update'], restricted_subscriptions: [] })
  const filter = { holder_id: holder, 'liability.type': 'credit_card', 'liability.mch_id': 'mch_302086' } as const
  const listed = await method.accounts.list({ ...filter, status: 'active' })
  expect(listed.map(account => account.id)).toEqual([made.id, card])
})

it('a card is verified by its verification value, and then shows its numbers', async () => {
  expect(keysOf(await method.accounts(card).products.list())).toEqual(
    'attribute balance card_brand payment payment_instrument payoff sensitive transaction update'.split(' '),
  )
  const sessions = method.accounts(card).verificationSessions
  const begun = await sessions.create({ type: 'pre_auth' })
  expect(keysOf(begun)).toEqual(keys('id account_id status type pre_auth'))
  expect(begun.pre_auth).toEqual({
    number: 'xxxxxxxxxxxxxxxx',
    exp_month: 'xx',
    exp_year: 'xxxx',
    exp_check: null,
    cvv: null,
    cvv_check: null,
    billing_zip_code: 'xxxxx',
    billing_zip_code_check: null,
    pre_auth_check: null,
  })
  const done = await sessions.update(begun.id, { pre_auth: { cvv: '878' } } as never)
  expect(done).toMatchObject({
    status: 'verified',
    pre_auth: { cvv: 'xxx', cvv_check: 'pass', pre_auth_check: 'pass' },
  })
  expect(await sessions.retrieve(begun.id)).toEqual(done)
  expect(await sessions.list()).toEqual([done])
  expect(await statuses(card)).toMatchObject({
    sensitive: 'available',
    transaction: 'unavailable',
    payment_instrument: 'restricted',
  })

  const expand = ['credit_card.number', 'credit_card.exp_month', 'credit_card.exp_year'] as const
  const shown = await method.accounts(card).sensitive.create({ expand: [...expand] })
  expect(shown.credit_card).toEqual({
    billing_zip_code: null,
    number: '5555555555551580',
    exp_month: '03',
    exp_year: '2028',
    cvv: null,
  })
  expect(await method.accounts(card).sensitive.retrieve(shown.id)).toEqual(shown)
  expect(await method.accounts(card).sensitive.list()).toEqual([shown])
  expect((await method.accounts.retrieve(card, { expand: ['sensitive'] })).sensitive).toEqual(shown)
})

it('a card has a brand', async () => {
  const { cardBrands } = method.accounts(card)
  const made = await cardBrands.create()
  expect(keysOf(made)).toEqual(keys('id account_id brands status shared source'))
  expect(made).toMatchObject({ brands: [], status: 'in_progress', shared: false, source: null })
  await service.settle()
  const done = await cardBrands.retrieve(made.id)
  expect(done.brands[0]).toMatchObject({
    id: 'pdt_15_brd_1',
    card_product_id: 'pdt_15',
    name: 'Chase Sapphire Reserve',
    issuer: 'Chase',
    network: 'visa',
    type: 'specific',
  })
  expect(await cardBrands.list()).toEqual([done])
  expect(await method.cardProducts.retrieve('pdt_15')).toMatchObject({ id: 'pdt_15', issuer: 'Chase' })
})

it('a loan has a payoff', async () => {
  const { payoffs } = method.accounts(loan)
  const made = await payoffs.create()
  expect(keysOf(made)).toEqual(keys('id account_id status amount term per_diem_amount'))
  await service.settle()
  const done = await payoffs.retrieve(made.id)
  expect(done).toMatchObject({ status: 'completed', amount: 6_083_988, term: 15, per_diem_amount: null })
  expect(await payoffs.list()).toEqual([done])
})

it('attributes are returned immediately, including all that this version has', async () => {
  const { attributes } = method.accounts(card)
  const made = await attributes.create()
  expect(keysOf(made)).toEqual(keys('id account_id status attributes'))
  expect(made).toMatchObject({ status: 'completed', attributes: { utilization: { value: expect.any(Number) } } })
  expect(Object.keys(made.attributes!)).toHaveLength(6)
  expect(await attributes.list()).toEqual([made])
})

it('a card verified by its network can be subscribed to, and becomes an instrument of one product', async () => {
  const sessions = method.accounts(watched).verificationSessions
  const begun = await sessions.create({ type: 'network' })
  const network = { exp_month: '09', exp_year: '2028', cvv: '539', billing_zip_code: '78758' }
  expect((await sessions.update(begun.id, { network } as never)).status).toBe('verified')
  const enrolled = await method.accounts(watched).subscriptions.create('transaction')
  expect(await method.accounts(watched).subscriptions.list()).toEqual({ transaction: enrolled })
  const made = await method.simulate.accounts(watched).transactions.create()
  expect(made).toMatchObject({ status: 'posted', currency_code: 'USD', merchant_category_code: '5182' })
  expect(await method.accounts(watched).transactions.list()).toEqual([made])
  expect(await method.accounts(watched).transactions.retrieve(made.id)).toEqual(made)
  const ended = await method.accounts(watched).subscriptions.delete(enrolled.id)
  expect(ended).toMatchObject({ status: 'inactive' })

  const { paymentInstruments } = method.accounts(watched)
  const instrument = await paymentInstruments.create({ type: 'card' })
  expect(keysOf(instrument)).toEqual(keys('id account_id type card network_token chargeable status'))
  expect(await paymentInstruments.retrieve(instrument.id)).toEqual(instrument)
  expect(await paymentInstruments.list()).toEqual([instrument])
})
