import { entityAttributes } from '@causeway/contract/entity-attributes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf, NEWEST, speaking, timestamp } from '../../testing/cases.js'
import { someone } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { type TestService, testService } from '../../testing/service.js'

let service: TestService
let entity: string
beforeAll(async () => {
  service = await testService()
  entity = await lender(service).verified('+15121231111')
})
afterAll(() => service.stop())

const times = { created_at: expect.stringMatching(timestamp), updated_at: expect.stringMatching(timestamp) }
const refusal = (reply: { body: never }) => errorOf(reply.body).sub_type
const score = (points: number) => ({
  score: points,
  source: 'equifax',
  model: 'vantage_4',
  factors: [{ code: '00034', description: 'Too few accounts.' }],
  created_at: '2026-03-01T10:00:00.000Z',
})
const eventsOf = async (id: string) =>
  (
    await service.store.reader.selectFrom('events').select('type').where('resource_id', '=', id).orderBy('id').execute()
  ).map(row => row.type)

describe.each(speaking)('credit scores, $name', ({ mount, headers }) => {
  it('a score stays pending until it is simulated, then is complete and pointed at', async () => {
    const call = async (method: string, path: string, body?: unknown) => {
      const reply = await service.call(method, mount + path, body, headers)
      return (mount === '' ? reply.body : reply.body['data']) as Record<string, unknown>
    }
    const made = await call('POST', `/entities/${entity}/credit_scores`)
    const pending = {
      id: expect.stringMatching(/^crs_\w{13}$/),
      entity_id: entity,
      status: 'pending',
      scores: null,
      error: null,
      ...times,
    }
    expect(made).toEqual(pending)
    await service.settle()
    const path = `/entities/${entity}/credit_scores/${made['id']}`
    expect(await call('GET', path)).toEqual(pending)
    const done = await call('POST', `/simulate${path}`, { scores: [score(734)] })
    expect(done).toEqual({ ...pending, status: 'completed', scores: [score(734)] })
    expect(await call('GET', path)).toEqual(done)
    expect((await call('GET', `/entities/${entity}`))['credit_score']).toBe(made['id'])
    expect((await call('GET', `/entities/${entity}?expand[]=credit_score`))['credit_score']).toEqual(done)
  })
})

describe('credit scores', () => {
  const path = () => `/entities/${entity}/credit_scores`
  const simulated = async (points: number) => {
    const { id } = (await service.call('POST', path())).body
    await service.call('POST', `/simulate${path()}/${id}`, { scores: [score(points)] })
    return id as string
  }

  it('only a pending one can be simulated, once, and with scores that can be', async () => {
    const { id } = (await service.call('POST', path())).body
    const simulate = (scores: unknown) => service.call('POST', `/simulate${path()}/${id}`, { scores })
    expect(refusal(await simulate([{ ...score(700), score: 200 }]))).toBe('INVALID_REQUEST')
    expect(refusal(await simulate([]))).toBe('INVALID_REQUEST')
    const replies = await Promise.all([simulate([score(700)]), simulate([score(710)]), simulate([score(720)])])
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 400, 400])
    expect(refusal(await simulate([score(700)]))).toBe('INVALID_STATUS')
  })

  it('a score that moved is told by its direction', async () => {
    await simulated(650)
    expect(await eventsOf(await simulated(700))).toEqual([
      'credit_score.create',
      'credit_score.update',
      'credit_score.increased',
    ])
    expect(await eventsOf(await simulated(690))).toContain('credit_score.decreased')
    expect(await eventsOf(await simulated(690))).toEqual(['credit_score.create', 'credit_score.update'])
  })

  it('one that is simulated is told with the score before it', async () => {
    await service.call('POST', `/entities/${entity}/subscriptions`, { enroll: 'credit_score' })
    const [before, now] = [await simulated(650), await simulated(650)]
    await service.call('POST', '/simulate/events', { type: 'credit_score.increased', entity_id: entity })
    const { data } = (await service.call('GET', `/events?type=credit_score.increased&resource_id=${now}`)).body as {
      data: unknown[]
    }
    expect(data).toMatchObject([{ diff: { before: { id: before }, after: { id: now } } }])
  })

  it('a thin file fails with 23001', async () => {
    const thin = await lender(service).verified('+15125550106')
    const { id } = (await service.call('POST', `/entities/${thin}/credit_scores`)).body
    await service.settle()
    expect((await service.call('GET', `/entities/${thin}/credit_scores/${id}`)).body).toMatchObject({
      status: 'failed',
      scores: null,
      error: { type: 'CREDIT_SCORE_FAILED', code: 23001 },
    })
  })

  it('a subscription brings one each month, complete and available, and ends with the enrolment', async () => {
    const person = await lender(service).verified('+15125550100')
    const at = `/entities/${person}`
    const { id } = (await service.call('POST', `${at}/subscriptions`, { enroll: 'credit_score' })).body
    await service.call('POST', '/simulate/clock', { advance: 'P31D' })
    await service.settle()
    const { data } = (await service.call('GET', `${at}/credit_scores`)).body as { data: Record<string, unknown>[] }
    expect(data).toEqual([expect.objectContaining({ status: 'completed', scores: expect.any(Array) })])
    expect(await eventsOf(String(data[0]!['id']))).toContain('credit_score.available')
    expect((await service.call('GET', `${at}/subscriptions/${id}`)).body['latest_request_id']).toBe(data[0]!['id'])
    await service.call('DELETE', `${at}/subscriptions/${id}`)
    await service.call('POST', '/simulate/clock', { advance: 'P60D' })
    await service.settle()
    expect((await service.call('GET', `${at}/credit_scores`)).body['data']).toHaveLength(1)
  })
})

describe('identities', () => {
  it('show everybody whom the details fit, in full, to a person who is not verified', async () => {
    const person = await someone(service, '+16505551115')
    const { body } = await service.call('POST', `/entities/${person}/identities`)
    expect(body).toEqual({
      id: expect.stringMatching(/^idn_\w{13}$/),
      entity_id: person,
      status: 'completed',
      identities: ['111223333', '123456789'].map(ssn => ({
        first_name: 'KEVIN',
        last_name: 'DOYLE',
        phone: '+16505551115',
        dob: '1997-03-18',
        address: { address: '3300 N INTERSTATE 35', city: 'AUSTIN', state: 'TX', postal_code: '78705' },
        ssn,
      })),
      error: null,
      ...times,
    })
    expect((await service.call('GET', `/entities/${person}/identities/${body['id']}`)).body).toEqual(body)
    expect((await service.call('GET', `/entities/${person}?expand[]=identity`)).body['identity']).toEqual(body)
    expect((await service.call('GET', `/entities/${person}`)).body).not.toHaveProperty('identity')
  })

  it('one person who is known is one candidate', async () => {
    const { body } = await service.call('POST', `/entities/${entity}/identities`)
    expect(body['identities']).toHaveLength(1)
  })

  it('are sealed at rest, in no event, and each showing is in the audit log', async () => {
    const person = await someone(service, '+16505551115')
    const { id } = (await service.call('POST', `/entities/${person}/identities`, {}, { 'idempotency-key': 'idn' })).body
    await service.call('GET', `/entities/${person}/identities/${id}`)
    await service.call('GET', `/entities/${person}/identities`)
    await service.call('GET', `/entities/${person}?expand[]=identity`)
    const { reader } = service.store
    const row = await reader.selectFrom('records').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.data).toMatch(/^v1\./)
    const reads = await reader.selectFrom('audit').selectAll().where('resource_id', '=', id).execute()
    expect(reads.map(read => read.action)).toEqual(Array(4).fill('identity.read'))
    const team = (await service.deps.teamOf(service.team))!
    const { open } = service.deps.vault.sealer(team.id, team.dataKey)
    for (const event of await reader.selectFrom('events').selectAll().where('resource_id', '=', id).execute()) {
      const told = JSON.parse(open({ id: event.id, field: 'data' }, event.data)) as object
      expect(Object.keys(told)).toEqual(['id', 'entity_id', 'status', 'error', 'created_at', 'updated_at'])
      expect(open({ id: event.id, field: 'diff' }, event.diff)).not.toContain('DOYLE')
    }
  })

  it('need a name and a phone', async () => {
    const { id } = (await service.call('POST', '/entities', { type: 'individual', individual: {} })).body
    expect(refusal(await service.call('POST', `/entities/${id}/identities`))).toBe('ENTITY_VERIFICATION_MISSING')
  })
})

describe('attributes', () => {
  const path = () => `/entities/${entity}/attributes`
  const newest = { 'service-version': NEWEST }

  it('are asked for by name up to 2025-12-01, and come at once with a rating', async () => {
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
    expect(refusal(await service.call('POST', path(), {}))).toBe('INVALID_REQUEST')
    expect(refusal(await service.call('POST', path(), { attributes: ['utilization'] }))).toBe('INVALID_REQUEST')
  })

  it('are all computed in 2026-03-30, asynchronously; one that is not known says why', async () => {
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

  it('can be limited to some, or to a bundle', async () => {
    const ask = async (body: unknown) => {
      const { id } = (await service.call('POST', path(), body, newest)).body
      await service.settle()
      const { attributes } = (await service.call('GET', `${path()}/${id}`, undefined, newest)).body
      return Object.keys(attributes)
    }
    expect(await ask({ requested_attributes: ['utilization'] })).toEqual(['utilization'])
    expect(await ask({ bundles: ['wallet_intelligence'] })).toContain('credit_limit_total')
    const refused = { requested_attributes: ['credit_health_open_accounts'] }
    expect(refusal(await service.call('POST', path(), refused, newest))).toBe('INVALID_REQUEST')
  })

  it('a simulated soft inquiry moves its count and is told, on the path with the id twice too', async () => {
    const attributes = ['credit_health_soft_inquiries']
    const before = (await service.call('POST', path(), { attributes })).body
    const behaviors = ['new_soft_inquiry']
    const at = `/simulate/entities/${entity}/attributes`
    expect((await service.call('POST', at, { behaviors })).body).toEqual({ data: null })
    expect((await service.call('POST', `${at}/${entity}`, { behaviors })).status).toBe(200)
    expect(refusal(await service.call('POST', at, { behaviors: ['other'] }))).toBe('INVALID_REQUEST')
    const after = (await service.call('POST', path(), { attributes })).body
    const value = (body: Record<string, Record<string, Record<string, number>>>) =>
      body['attributes']!['credit_health_soft_inquiries']!['value']!
    expect(value(after) - value(before)).toBe(2)
    expect(await eventsOf(after['id'])).toContain('entity_attribute.credit_health_soft_inquiries_value.increased')
  })

  it('a subscription says what it is for, in the words of its version', async () => {
    const at = `/entities/${entity}/subscriptions`
    const enroll = (attributes: unknown, headers = {}) =>
      service.call('POST', at, { enroll: 'attribute', payload: { attributes } }, headers)
    expect(refusal(await service.call('POST', at, { enroll: 'attribute' }))).toBe('INVALID_REQUEST')
    expect(refusal(await enroll({ requested_attributes: ['utilization'] }))).toBe('INVALID_REQUEST')
    expect(refusal(await enroll({}, newest))).toBe('INVALID_REQUEST')
    const attributes = { requested_attributes: ['utilization'], bundles: [] }
    const { body } = await enroll(attributes, newest)
    expect(body).toMatchObject({ name: 'attribute', payload: { attributes } })
  })
})

describe('vehicles', () => {
  it('come at once', async () => {
    const person = await lender(service).verified('+15121231122')
    const { body } = await service.call('POST', `/entities/${person}/vehicles`, {})
    expect(body).toMatchObject({ entity_id: person, status: 'completed', error: null })
    expect(body['vehicles']).toEqual([
      {
        vin: expect.any(String),
        year: '2019',
        make: 'Toyota',
        model: 'RAV4',
        series: null,
        major_color: 'Silver',
        style: 'SUV',
      },
    ])
    expect((await service.call('GET', `/entities/${person}?expand[]=vehicle`)).body['vehicle']).toEqual(body)
    expect(await eventsOf(body['id'])).toEqual(['entity_vehicle.create', 'entity_vehicle.update'])
  })
})

describe('what an entity has', () => {
  it('follows from what is known of it', async () => {
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

  it.each(['connect', 'credit_scores', 'attributes', 'vehicles'])('%s need a verified person', async path => {
    const person = await someone(service, '+15121231111')
    const body = path === 'attributes' ? { attributes: ['credit_health_open_accounts'] } : {}
    expect(refusal(await service.call('POST', `/entities/${person}/${path}`, body))).toBe('ENTITY_VERIFICATION_MISSING')
    const company = await service.call('POST', '/entities', { type: 'corporation', corporation: { name: 'N' } })
    expect(refusal(await service.call('POST', `/entities/${company.body['id']}/${path}`, body))).toBe(
      'INVALID_ENTITY_TYPE',
    )
    await service.call('PATCH', '/team', { products: [] })
    expect(refusal(await service.call('POST', `/entities/${entity}/${path}`, body))).toBe('TEAM_CAPABILITY_RESTRICTED')
    await service.call('PATCH', '/team', {
      products: ['connect', 'credit_score', 'identity', 'attribute', 'vehicle', 'balance', 'update', 'payment'],
    })
  })

  it('opening products is told', async () => {
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
