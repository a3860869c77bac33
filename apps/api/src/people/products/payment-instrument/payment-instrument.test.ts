import { describe, expect, it } from 'vitest'
import { resource, speaking } from '../../../testing/contract/cases.js'
import { lender } from '../../../testing/money.js'
import { postRejection, prove, provenDebts, recordOf } from '../../../testing/records.js'
import { testService } from '../../../testing/service.js'

type Body = Record<string, unknown> & { id: string }

let card: string
const service = await testService()
;({ card } = await provenDebts(service))

const rejection = postRejection(service)
const newest = { 'service-version': '2026-03-30' }

describe.each(speaking)('a payment instrument, $name', ({ name, mount, headers }) => {
  const post = async (path: string, body?: unknown) =>
    resource<Body>(mount, (await service.call('POST', mount + path, body, headers)).body)
  const get = async (path: string) =>
    resource<Body>(mount, (await service.call('GET', mount + path, undefined, headers)).body)
  const old = !name.includes('2026')

  it('has its own block, and null for the other types', async () => {
    const path = `/accounts/${card}/payment_instruments`
    const made = await post(path, { type: 'card' })
    expect(made).toEqual({
      id: expect.stringMatching(/^pmt_inst_\w{13}$/),
      ...recordOf(card),
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

describe('payment instruments', () => {
  // kills: card-needs-network
  it('a card requires verification with its network: weaker verifications only show its numbers', async () => {
    const { accounts } = await lender(service).debts('+15121231111')
    const known = accounts[0]!.id
    const path = `/accounts/${known}/payment_instruments`
    const held = async () => (await service.call('GET', `/accounts/${known}`, undefined, newest)).body
    const cards = ['payment_instrument.card', 'payment_instrument.network_token']
    for (const [type, block] of [
      ['standard', { number: '5555555555551580' }],
      ['pre_auth', { cvv: '878' }],
    ] as const) {
      await prove(service, known, type, block)
      expect(await held()).toMatchObject({
        products: expect.arrayContaining(['sensitive', 'payment_instrument.inbound_achwire_payment']),
        restricted_products: expect.arrayContaining(cards),
        restricted_subscriptions: expect.arrayContaining(cards),
      })
      expect(await rejection(path, { type: 'card' })).toBe('PRODUCT_VERIFICATION_MISSING')
      expect(await rejection(`/accounts/${known}/subscriptions`, { enroll: 'payment_instrument' })).toBe(
        'PRODUCT_VERIFICATION_MISSING',
      )
    }
    await prove(service, known, 'network', { cvv: '878' })
    expect(await held()).toMatchObject({
      products: expect.arrayContaining(cards),
      available_subscriptions: expect.arrayContaining(cards),
    })
    expect((await service.call('POST', path, { type: 'card' })).body).toMatchObject({ status: 'completed' })
  })

  it('an account number for deposits can be closed once; others cannot', async () => {
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
    expect(await rejection(path, { type: 'inbound_achwire_payment' })).toBe('INVALID_REQUEST')
    expect(await rejection(path, { type: 'gold' }, newest)).toBe('INVALID_REQUEST')
  })
})

it("an instrument's subscription uses its name in the version", async () => {
  const path = `/accounts/${card}/subscriptions`
  for (const enroll of ['payment_instrument.card', 'attribute'])
    expect(await rejection(path, { enroll })).toBe('INVALID_REQUEST')
  expect(await rejection(path, { enroll: 'payment_instrument' }, newest)).toBe('INVALID_REQUEST')
  const made = await service.call('POST', path, { enroll: 'payment_instrument' })
  expect(made.body).toMatchObject({ name: 'payment_instrument', status: 'active' })
  expect((await service.call('GET', path)).body['data']).toMatchObject({ payment_instrument: made.body })
  const shown = await service.call('GET', path, undefined, newest)
  expect(shown.body['data']).toMatchObject({ 'payment_instrument.card': { name: 'payment_instrument.card' } })
})
