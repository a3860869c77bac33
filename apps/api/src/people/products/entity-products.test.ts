import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../../testing/contract/cases.js'
import { someone } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { eventsOf as eventsIn } from '../../testing/records.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const entity = await lender(service).verified('+15121231111')

const eventsOf = eventsIn(service)

describe("an entity's products", () => {
  it('depend on the known data', async () => {
    const lists = async (id: string) => {
      const { body } = await service.call('GET', `/entities/${id}`)
      return [body['products'], body['restricted_products'], body['available_subscriptions']]
    }
    const all = ['connect', 'credit_score', 'identity', 'attribute', 'vehicle', 'manual_connect']
    const blank = (await service.call('POST', '/entities', { type: 'individual', individual: {} })).body['id']
    expect(await lists(blank)).toEqual([[], all, []])
    const matched = await someone(service, '+15121231111')
    expect(await lists(matched)).toEqual([['identity'], all.filter(name => name !== 'identity'), []])
    const verified = await lender(service).verified('+15121231111')
    expect(await lists(verified)).toEqual([
      all.slice(0, 5),
      ['manual_connect'],
      ['connect', 'credit_score', 'attribute'],
    ])
    const products = (await service.call('GET', `/entities/${matched}/products`)).body['data'] as Record<string, never>
    expect(products['connect']).toMatchObject({
      status: 'restricted',
      status_error: { type: 'INVALID_REQUEST', sub_type: 'ENTITY_IDENTITY_VERIFICATION_MISSING' },
      is_subscribable: true,
    })
    expect(products['manual_connect']).toMatchObject({ status_error: { sub_type: 'TEAM_CAPABILITY_RESTRICTED' } })
  })

  it.each(['connect', 'credit_scores', 'attributes', 'vehicles'])('%s require a verified person', async path => {
    const person = await someone(service, '+15121231111')
    const body = path === 'attributes' ? { attributes: ['credit_health_open_accounts'] } : {}
    expect(rejectionOf(await service.call('POST', `/entities/${person}/${path}`, body))).toBe(
      'ENTITY_VERIFICATION_MISSING',
    )
    const company = await service.call('POST', '/entities', { type: 'corporation', corporation: { name: 'N' } })
    expect(rejectionOf(await service.call('POST', `/entities/${company.body['id']}/${path}`, body))).toBe(
      'INVALID_ENTITY_TYPE',
    )
    await service.call('PATCH', '/team', { products: [] })
    expect(rejectionOf(await service.call('POST', `/entities/${entity}/${path}`, body))).toBe(
      'TEAM_CAPABILITY_RESTRICTED',
    )
    await service.call('PATCH', '/team', {
      products: ['connect', 'credit_score', 'identity', 'attribute', 'vehicle', 'balance', 'update', 'payment'],
    })
  })

  it('opening products sends events', async () => {
    const person = await someone(service, '+15121231111')
    const { data } = (await service.call('GET', `/entities/${person}/products`)).body
    const told = (name: string) => eventsOf(data[name]['id'])
    expect(await told('identity')).toEqual(['product.create'])
    expect(await told('connect')).toEqual(['product.create'])
    const sessions = `/entities/${person}/verification_sessions`
    const timestamp = '2021-01-01T10:00:00.000Z'
    await service.call('POST', sessions, { type: 'phone', method: 'byo_sms', byo_sms: { timestamp } })
    await service.call('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
    expect(await told('connect')).toEqual(['product.create', 'product.update'])
    expect(await told('manual_connect')).toEqual(['product.create'])
  })
})
