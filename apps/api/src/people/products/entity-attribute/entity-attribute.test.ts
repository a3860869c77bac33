import { entityAttributes } from '@causeway/contract/entity-attributes'
import { describe, expect, it } from 'vitest'
import { NEWEST, rejectionOf, timestamp } from '../../../testing/contract/cases.js'
import { lender } from '../../../testing/money.js'
import { eventsOf as eventsIn } from '../../../testing/records.js'
import { testService } from '../../../testing/service.js'

const service = await testService()
const entity = await lender(service).verified('+15121231111')

const times = { created_at: expect.stringMatching(timestamp), updated_at: expect.stringMatching(timestamp) }
const eventsOf = eventsIn(service)

describe('attributes', () => {
  const path = () => `/entities/${entity}/attributes`
  const newest = { 'service-version': NEWEST }

  it('are requested by name up to 2025-12-01, and come immediately with a rating', async () => {
    const attributes = ['credit_health_open_accounts', 'credit_health_credit_card_usage']
    for (const version of ['2024-04-04', '2025-12-01']) {
      const { body } = await service.call('POST', path(), { attributes }, { 'service-version': version })
      expect(body).toEqual({
        id: expect.stringMatching(/^attr_\w{13}$/),
        entity_id: entity,
        status: 'completed',
        attributes: {
          credit_health_credit_card_usage: { value: expect.any(Number), rating: expect.any(String) },
          credit_health_open_accounts: { value: 3, rating: 'fair' },
        },
        error: null,
        ...times,
      })
      expect((await service.call('GET', `${path()}/${body['id']}`)).body).toEqual(body)
    }
    expect(rejectionOf(await service.call('POST', path(), {}))).toBe('INVALID_REQUEST')
    expect(rejectionOf(await service.call('POST', path(), { attributes: ['utilization'] }))).toBe('INVALID_REQUEST')
  })

  it('are all computed asynchronously in 2026-03-30, and one that cannot be computed includes the reason', async () => {
    const { body } = await service.call('POST', path(), {}, newest)
    expect(body).toMatchObject({ status: 'in_progress', attributes: null })
    await service.settle()
    const done = (await service.call('GET', `${path()}/${body['id']}`, undefined, newest)).body as {
      attributes: Record<string, unknown>
    }
    expect(Object.keys(done.attributes)).toEqual(entityAttributes)
    expect(done.attributes['revolving_credit_card_balance_total']).toEqual({ value: 2_189_158, error: null })
    expect(done.attributes['usage_pattern']).toEqual({ value: 'revolver', error: null })
    expect(done.attributes['mortgage_balance_total']).toMatchObject({
      value: null,
      error: { code: 27001, sub_type: 'ENTITY_ATTRIBUTE_INSUFFICIENT_DATA' },
    })
    const old = (await service.call('GET', `${path()}/${body['id']}`)).body
    expect(old['attributes']).toEqual({})
    expect(await eventsOf(body['id'])).toEqual(['entity_attribute.create', 'entity_attribute.update'])
  })

  it('can be limited to names or to a bundle', async () => {
    const ask = async (body: unknown) => {
      const { id } = (await service.call('POST', path(), body, newest)).body
      await service.settle()
      const { attributes } = (await service.call('GET', `${path()}/${id}`, undefined, newest)).body
      return Object.keys(attributes)
    }
    expect(await ask({ requested_attributes: ['utilization'] })).toEqual(['utilization'])
    expect(await ask({ bundles: ['wallet_intelligence'] })).toContain('credit_limit_total')
    const refused = { requested_attributes: ['credit_health_open_accounts'] }
    expect(rejectionOf(await service.call('POST', path(), refused, newest))).toBe('INVALID_REQUEST')
  })

  it('a simulated soft inquiry changes its count and sends an event, even at the path with the id twice', async () => {
    const attributes = ['credit_health_soft_inquiries']
    const before = (await service.call('POST', path(), { attributes })).body
    const behaviors = ['new_soft_inquiry']
    const at = `/simulate/entities/${entity}/attributes`
    expect((await service.call('POST', at, { behaviors })).body).toEqual({ data: null })
    expect((await service.call('POST', `${at}/${entity}`, { behaviors })).status).toBe(200)
    expect(rejectionOf(await service.call('POST', at, { behaviors: ['other'] }))).toBe('INVALID_REQUEST')
    const after = (await service.call('POST', path(), { attributes })).body
    const value = (body: Record<string, Record<string, Record<string, number>>>) =>
      body['attributes']!['credit_health_soft_inquiries']!['value']!
    expect(value(after) - value(before)).toBe(2)
    expect(await eventsOf(after['id'])).toContain('entity_attribute.credit_health_soft_inquiries_value.increased')
  })

  it("a subscription names its purpose in its version's terms", async () => {
    const at = `/entities/${entity}/subscriptions`
    const enroll = (attributes: unknown, headers = {}) =>
      service.call('POST', at, { enroll: 'attribute', payload: { attributes } }, headers)
    expect(rejectionOf(await service.call('POST', at, { enroll: 'attribute' }))).toBe('INVALID_REQUEST')
    expect(rejectionOf(await enroll({ requested_attributes: ['utilization'] }))).toBe('INVALID_REQUEST')
    expect(rejectionOf(await enroll({}, newest))).toBe('INVALID_REQUEST')
    const attributes = { requested_attributes: ['utilization'], bundles: [] }
    const { body } = await enroll(attributes, newest)
    expect(body).toMatchObject({ name: 'attribute', payload: { attributes } })
  })
})
