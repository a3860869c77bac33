import { describe, expect, it } from 'vitest'
import { rejectionOf, resource, speaking, timestamp } from '../../../testing/contract/cases.js'
import { provenDebts, recordOf } from '../../../testing/records.js'
import { testService } from '../../../testing/service.js'

type Body = Record<string, unknown> & { id: string }

let card: string
const service = await testService()
;({ card } = await provenDebts(service))

describe.each(speaking)('a card’s brand, $name', ({ name, mount, headers }) => {
  const post = async (path: string, body?: unknown) =>
    resource<Body>(mount, (await service.call('POST', mount + path, body, headers)).body)
  const get = async (path: string) =>
    resource<Body>(mount, (await service.call('GET', mount + path, undefined, headers)).body)
  const old = !name.includes('2026')

  it("is in progress, then completed in the version's format", async () => {
    const path = `/accounts/${card}/card_brands`
    const made = await post(path)
    const fields = { id: expect.stringMatching(/^crd_\w{13}$/), ...recordOf(card) }
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
})

it('a card product is returned for either spelling', async () => {
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

describe('a simulated card change', () => {
  const simulate = (body: unknown) => service.call('POST', `/simulate/accounts/${card}/card_brands`, body)

  it('requires a subscription, and is listed as available', async () => {
    expect(rejectionOf(await simulate({ brand_id: 'pdt_15_brd_2' }))).toBe('SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION')
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
    expect(rejectionOf(await simulate({ brand_id: 'pdt_1' }))).toBe('INVALID_REQUEST')
  })
})
