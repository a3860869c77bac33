import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf, resource, speaking, timestamp } from '../../testing/cases.js'
import { fundingAccount } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { type TestService, testService } from '../../testing/service.js'

type Body = Record<string, unknown> & { id: string }

let service: TestService
let card: string
let loan: string
let mortgage: string
let ach: string
beforeAll(async () => {
  service = await testService()
  const products = ['balance', 'update', 'payment', 'card_brand', 'payoff', 'connect', 'sensitive', 'attribute']
  await service.call('PATCH', '/team', { products: [...products, 'payment_instrument', 'transaction'] })
  const { accounts } = await lender(service).debts('+15121231111')
  card = accounts[0]!.id
  loan = accounts[2]!.id
  mortgage = (await lender(service).debts('+15121231113')).accounts[0]!.id
  ach = await fundingAccount(service)
  await prove(card, 'network', { cvv: '878' })
  await prove(loan, 'standard', { number: '7000008130' })
})
afterAll(() => service.stop())

async function prove(account: string, type: string, block: Record<string, string>): Promise<void> {
  const path = `/accounts/${account}/verification_sessions`
  const begun = await service.call('POST', path, { type })
  expect((await service.call('PUT', `${path}/${begun.body['id']}`, { [type]: block })).body['status']).toBe('verified')
}
const refusal = async (path: string, body?: unknown, headers = {}) =>
  errorOf((await service.call('POST', path, body, headers)).body).sub_type
const newest = { 'service-version': '2026-03-30' }
const common = (account: string) => ({
  account_id: account,
  error: null,
  created_at: expect.stringMatching(timestamp),
  updated_at: expect.stringMatching(timestamp),
})

describe.each(speaking)('products of accounts, $name', ({ name, mount, headers }) => {
  const post = async (path: string, body?: unknown) =>
    resource<Body>(mount, (await service.call('POST', mount + path, body, headers)).body)
  const get = async (path: string) =>
    resource<Body>(mount, (await service.call('GET', mount + path, undefined, headers)).body)
  const old = !name.includes('2026')

  it('a payoff is pending, then told; the account points at it', async () => {
    const path = `/accounts/${loan}/payoffs`
    const made = await post(path)
    const fields = { id: expect.stringMatching(/^pyf_\w{13}$/), ...common(loan) }
    expect(made).toEqual({ ...fields, status: 'pending', amount: null, per_diem_amount: null, term: null })
    await service.settle()
    const told = { ...fields, status: 'completed', amount: 6_083_988, per_diem_amount: null, term: 15 }
    expect(await get(`${path}/${made.id}`)).toEqual(told)
    expect((await get(`/accounts/${loan}?expand[]=payoff`))['payoff']).toEqual(await get(`${path}/${made.id}`))
    expect(await get(`/accounts/${loan}`)).toMatchObject({ payoff: made.id })
  })

  it('a card’s brand is in progress, then told in the version’s own shape', async () => {
    const path = `/accounts/${card}/card_brands`
    const made = await post(path)
    const fields = { id: expect.stringMatching(/^crd_\w{13}$/), ...common(card) }
    const printed = old ? { shared: false, last4: '1580', network: 'visa', issuer: 'Chase' } : {}
    expect(made).toEqual({
      ...fields,
      ...printed,
      status: 'in_progress',
      brands: [],
      source: null,
    })
    await service.settle()
    const brand = {
      id: 'pdt_15_brd_1',
      name: 'Chase Sapphire Reserve',
      url: 'http://127.0.0.1:4000/assets/cards/pdt_15_brd_1.svg',
    }
    const whole = {
      ...brand,
      card_product_id: 'pdt_15',
      description: 'Chase Sapphire Reserve',
      issuer: 'Chase',
      network: 'visa',
      network_tier: 'infinite',
      type: 'specific',
      details: expect.objectContaining({ annual_fee: 55_000 }),
    }
    expect(await get(`${path}/${made.id}`)).toEqual({
      ...fields,
      ...printed,
      status: 'completed',
      brands: [old ? { ...brand, art_id: 'art_15_1' } : whole],
      source: 'network',
    })
  })

  it('sensitive shows the fields that were asked for, the others of the type as null', async () => {
    const path = `/accounts/${card}/sensitive`
    const made = await post(path, { expand: ['credit_card.number', 'credit_card.exp_month', 'credit_card.exp_year'] })
    expect(made).toEqual({
      id: expect.stringMatching(/^astv_\w{13}$/),
      ...common(card),
      type: 'credit_card',
      credit_card: { billing_zip_code: null, number: '5555555555551580', exp_month: '03', exp_year: '2028', cvv: null },
      status: 'completed',
    })
    expect(await get(`${path}/${made.id}`)).toEqual(made)
    expect((await get(`/accounts/${card}?expand[]=sensitive`))['sensitive']).toEqual(made)
    expect(await get(`/accounts/${card}`)).not.toHaveProperty('sensitive')
    expect(await post(`/accounts/${loan}/sensitive`, { expand: ['auto_loan.number'] })).toMatchObject({
      type: 'auto_loan',
      auto_loan: { number: '7000008130' },
    })
  })

  it('attributes come at once by name, or later as all that the type has', async () => {
    const path = `/accounts/${card}/attributes`
    const made = await post(path, old ? { attributes: ['utilization', 'usage_pattern'] } : undefined)
    const fields = { id: expect.stringMatching(/^acc_attr_\w{13}$/), ...common(card) }
    if (old)
      return expect(made).toEqual({
        ...fields,
        status: 'completed',
        attributes: { utilization: { value: 66.67 }, usage_pattern: { value: 'revolver' } },
      })
    expect(made).toEqual({ ...fields, status: 'in_progress', attributes: null })
    await service.settle()
    const told = await get(`${path}/${made.id}`)
    expect(told).toMatchObject({
      status: 'completed',
      attributes: {
        utilization: { value: 66.67, error: null },
        last_direct_pay_date: { value: null, error: { code: 28001 } },
      },
    })
    expect(await get(`/accounts/${card}`)).toMatchObject({ attribute: made.id })
  })

  it('an instrument has its own block, and the others’ as null', async () => {
    const path = `/accounts/${card}/payment_instruments`
    const made = await post(path, { type: 'card' })
    expect(made).toEqual({
      id: expect.stringMatching(/^pmt_inst_\w{13}$/),
      ...common(card),
      type: 'card',
      card: { number: '5555555555551580', exp_month: '03', exp_year: '2028', billing_zip_code: '78758' },
      network_token: null,
      ...(old ? {} : { inbound_achwire_payment: null }),
      chargeable: true,
      status: 'completed',
    })
    expect(await get(`${path}/${made.id}`)).toEqual(made)
    expect(await get(`/accounts/${card}`)).toMatchObject({ payment_instrument: made.id })
    expect((await get(`/accounts/${card}?expand[]=payment_instrument`))['payment_instrument']).toEqual(made)
    expect(await post(path, { type: 'network_token' })).toMatchObject({ network_token: { token: expect.any(String) } })
  })
})

describe('products of accounts', () => {
  it.each([
    ['payoffs', undefined],
    ['card_brands', undefined],
    ['attributes', undefined],
    ['sensitive', { expand: ['credit_card.number'] }],
    ['payment_instruments', { type: 'network_token' }],
  ])('%s are listed, newest first', async (product, body) => {
    const path = `/accounts/${product === 'payoffs' ? loan : card}/${product}`
    const ids = [
      (await service.call('POST', path, body)).body['id'],
      (await service.call('POST', path, body)).body['id'],
    ]
    const listed = (await service.call('GET', `${path}?page_limit=2`)).body['data'] as Body[]
    expect(listed.map(one => one.id)).toEqual(ids.reverse())
  })

  it('are refused where the type of debt does not have them, or it is not proven', async () => {
    expect(await refusal(`/accounts/${card}/payoffs`)).toBe('PRODUCT_UNAVAILABLE')
    expect(await refusal(`/accounts/${loan}/card_brands`)).toBe('PRODUCT_UNAVAILABLE')
    expect(await refusal(`/accounts/${ach}/payoffs`)).toBe('PRODUCT_UNAVAILABLE')
    expect(await refusal(`/accounts/${loan}/attributes`)).toBe('PRODUCT_UNAVAILABLE')
    expect(await refusal(`/accounts/${mortgage}/sensitive`, { expand: ['mortgage.number'] })).toBe(
      'PRODUCT_VERIFICATION_MISSING',
    )
    expect(await refusal(`/accounts/${card}/sensitive`, {})).toBe('INVALID_REQUEST')
    expect(await refusal(`/accounts/${card}/sensitive`, { expand: ['credit_card.pin'] })).toBe('INVALID_REQUEST')
    for (const expand of [['auto_loan.number'], ['credit_card.number', 'auto_loan.number']])
      expect(await refusal(`/accounts/${card}/sensitive`, { expand })).toBe('INVALID_REQUEST')
    expect(await refusal('/accounts/acc_0000000000000/payoffs')).toBe('NOT_FOUND')
  })

  it('are refused to a team that has not switched them on', async () => {
    const other = await service.anotherTeam()
    const { accounts } = await lender(service, other.key).debts('+15121231111')
    const headers = { authorization: `Bearer ${other.key}` }
    await service.call('PATCH', '/team', { products: ['connect'] }, headers)
    expect(await refusal(`/accounts/${accounts[0]!.id}/attributes`, undefined, headers)).toBe(
      'TEAM_CAPABILITY_RESTRICTED',
    )
    expect(await refusal(`/accounts/${card}/balances`, undefined, headers)).toBe('NOT_FOUND')
  })

  it('fail on the record where the institution does not answer', async () => {
    const { accounts } = await lender(service).debts('+15125550101')
    const path = `/accounts/${accounts[3]!.id}/payoffs`
    const made = await service.call('POST', path)
    await service.settle()
    expect((await service.call('GET', `${path}/${made.body['id']}`)).body).toMatchObject({
      status: 'failed',
      amount: null,
      error: { code: 18001, sub_type: 'PAYOFF_TEMPORARILY_UNAVAILABLE' },
    })
  })

  it('a number is sealed at rest, in no event, and each showing of it is audited', async () => {
    const made = await service.call('POST', `/accounts/${card}/sensitive`, { expand: ['credit_card.number'] })
    const id = made.body['id']
    await service.call('GET', `/accounts/${card}/sensitive/${id}`)
    await service.call('GET', `/accounts/${card}?expand[]=sensitive`)
    const db = service.store.reader
    const [row] = await db.selectFrom('records').selectAll().where('id', '=', id).execute()
    expect(JSON.stringify(row)).not.toContain('1580')
    const reads = await db.selectFrom('audit').select('action').where('resource_id', '=', id).execute()
    expect(reads.map(read => read.action)).toEqual(['sensitive.read', 'sensitive.read', 'sensitive.read'])
    const events = (await service.call('GET', `/accounts/${card}`)).text
    expect(events).not.toContain('5555555555551580')
  })

  it('an attribute can be asked for by name or bundle; others of no type are refused', async () => {
    const path = `/accounts/${card}/attributes`
    const ask = async (body: unknown) => {
      const made = await service.call('POST', path, body, newest)
      await service.settle()
      const read = await service.call('GET', `${path}/${made.body['id']}`, undefined, newest)
      return Object.keys(read.body['attributes'])
    }
    expect(await ask({ requested_attributes: ['utilization'] })).toEqual(['utilization'])
    expect(await ask({ bundles: ['statement'] })).toContain('next_payment_due_date')
    expect(await refusal(path, { requested_attributes: ['luck'] }, newest)).toBe('INVALID_REQUEST')
    expect(await refusal(path, { attributes: ['luck'] })).toBe('INVALID_REQUEST')
  })

  it('a card is an instrument once its network knows its holder: less proof shows its numbers, and no more', async () => {
    const { accounts } = await lender(service).debts('+15121231111')
    const known = accounts[0]!.id
    const path = `/accounts/${known}/payment_instruments`
    const held = async () => (await service.call('GET', `/accounts/${known}`, undefined, newest)).body
    const cards = ['payment_instrument.card', 'payment_instrument.network_token']
    for (const [type, block] of [
      ['standard', { number: '5555555555551580' }],
      ['pre_auth', { cvv: '878' }],
    ] as const) {
      await prove(known, type, block)
      expect(await held()).toMatchObject({
        products: expect.arrayContaining(['sensitive', 'payment_instrument.inbound_achwire_payment']),
        restricted_products: expect.arrayContaining(cards),
        restricted_subscriptions: expect.arrayContaining(cards),
      })
      expect(await refusal(path, { type: 'card' })).toBe('PRODUCT_VERIFICATION_MISSING')
      expect(await refusal(`/accounts/${known}/subscriptions`, { enroll: 'payment_instrument' })).toBe(
        'PRODUCT_VERIFICATION_MISSING',
      )
    }
    await prove(known, 'network', { cvv: '878' })
    expect(await held()).toMatchObject({
      products: expect.arrayContaining(cards),
      available_subscriptions: expect.arrayContaining(cards),
    })
    expect((await service.call('POST', path, { type: 'card' })).body).toMatchObject({ status: 'completed' })
  })

  it('an account number for deposits can be closed, once; others cannot', async () => {
    const path = `/accounts/${card}/payment_instruments`
    const made = await service.call('POST', path, { type: 'inbound_achwire_payment' }, newest)
    expect(made.body).toMatchObject({
      inbound_achwire_payment: {
        account_number: expect.stringMatching(/^\d{10}$/),
        routing_number: expect.stringMatching(/^\d{9}$/),
      },
    })
    const drop = (id: string, headers = newest) => service.call('DELETE', `${path}/${id}`, undefined, headers)
    const closed = await drop(made.body['id'])
    expect(closed.body).toMatchObject({ id: made.body['id'], status: 'closed', chargeable: false })
    expect((await drop(made.body['id'])).body).toEqual(closed.body)
    const other = await service.call('POST', path, { type: 'card' })
    expect((await drop(other.body['id'])).status).toBe(400)
    expect((await drop(other.body['id'], { 'service-version': '2025-07-04' })).status).toBe(404)
    expect(await refusal(path, { type: 'inbound_achwire_payment' })).toBe('INVALID_REQUEST')
    expect(await refusal(path, { type: 'gold' }, newest)).toBe('INVALID_REQUEST')
  })

  it('a card product is shown by either spelling', async () => {
    const one = await service.call('GET', '/card_products/pdt_15')
    expect(one.body).toEqual({
      id: 'pdt_15',
      name: 'Chase Sapphire Reserve',
      issuer: 'Chase',
      type: 'specific',
      brands: [
        expect.objectContaining({ id: 'pdt_15_brd_1', network: 'visa', default_image: expect.any(String) }),
        expect.objectContaining({ id: 'pdt_15_brd_2', network_tier: 'signature' }),
      ],
      error: null,
      created_at: expect.stringMatching(timestamp),
      updated_at: expect.stringMatching(timestamp),
    })
    expect((await service.call('GET', '/card_product/pdt_15')).body).toEqual(one.body)
    expect((await service.call('GET', '/card_products/pdt_1')).status).toBe(404)
  })
})

describe('a simulated change of a card', () => {
  const simulate = (body: unknown) => service.call('POST', `/simulate/accounts/${card}/card_brands`, body)

  it('needs a subscription, and is told as available', async () => {
    expect(errorOf((await simulate({ brand_id: 'pdt_15_brd_2' })).body).sub_type).toBe(
      'SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION',
    )
    const subscribed = await service.call('POST', `/accounts/${card}/subscriptions`, { enroll: 'card_brand' })
    const made = await simulate({ brand_id: 'pdt_15_brd_2' })
    expect(made.body).toMatchObject({ status: 'completed', brands: [{ id: 'pdt_15_brd_2' }] })
    const events = await service.store.reader
      .selectFrom('events')
      .select('type')
      .where('resource_id', '=', made.body['id'])
      .orderBy('id')
      .execute()
    expect(events.map(event => event.type)).toEqual(['card_brand.create', 'card_brand.update', 'card_brand.available'])
    const path = `/accounts/${card}/subscriptions/${subscribed.body['id']}`
    expect((await service.call('GET', path)).body).toMatchObject({ latest_request_id: made.body['id'] })
    expect(errorOf((await simulate({ brand_id: 'pdt_1' })).body).sub_type).toBe('INVALID_REQUEST')
  })
})

it('an instrument is subscribed to by the name that the version has for it', async () => {
  const path = `/accounts/${card}/subscriptions`
  for (const enroll of ['payment_instrument.card', 'attribute'])
    expect(await refusal(path, { enroll })).toBe('INVALID_REQUEST')
  expect(await refusal(path, { enroll: 'payment_instrument' }, newest)).toBe('INVALID_REQUEST')
  const made = await service.call('POST', path, { enroll: 'payment_instrument' })
  expect(made.body).toMatchObject({ name: 'payment_instrument', status: 'active' })
  expect((await service.call('GET', path)).body['data']).toMatchObject({ payment_instrument: made.body })
  const shown = await service.call('GET', path, undefined, newest)
  expect(shown.body['data']).toMatchObject({ 'payment_instrument.card': { name: 'payment_instrument.card' } })
})
