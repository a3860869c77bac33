/** Tests requests and responses that existing client libraries rely on, by version and mount. */
import { liabilityTypes } from '@causeway/contract/fields/liability'
import { teamProducts } from '@causeway/contract/fields/names'
import { describe, expect, it } from 'vitest'

import { publicJwk } from '../testing/encryption.js'
import { lender } from '../testing/money.js'
import { testService } from '../testing/service.js'

const service = await testService()
const bank = lender(service)
const debts = await bank.debts()
const entity = debts.entity
const account = debts.accounts[0]!.id

const newest = '2026-03-30'
type Body = Record<string, unknown>
/** Returns the status and the data of a call in a version, on either mount. */
async function send(method: string, path: string, body?: unknown, version = '2024-04-04') {
  const reply = await service.call(method, path, body, { 'service-version': version })
  const { data } = reply.body as { data?: Body }
  const content = path.startsWith('/enveloped') ? data! : (reply.body as Body)
  return {
    status: reply.status,
    body: content,
    message: (content['error'] as { message: string } | undefined)?.message,
  }
}

describe('the team', () => {
  it.each(['2025-12-01', '2024-04-04'])('is what GET /teams returns as one object at %s', async version => {
    for (const mount of ['', '/enveloped']) {
      const { body } = await send('GET', `${mount}/teams`, undefined, version)
      expect(body).toMatchObject({ id: service.team, api_version: '2024-04-04', status: 'active' })
      expect(body).toEqual((await send('GET', `${mount}/team`, undefined, version)).body)
    }
  })

  it('has its child teams listed at the latest version', async () => {
    expect((await send('GET', '/teams', undefined, newest)).body).toEqual({ data: [] })
  })

  it('has every product, with its state, up to 2025-12-01', async () => {
    const { body } = await send('GET', '/team', undefined, '2025-12-01')
    expect(body['products']).toEqual(teamProducts.map(type => ({ type, enabled: type !== 'manual_connect' })))
    const older = (await send('GET', '/team', undefined, '2024-04-04')).body['products'] as { type: string }[]
    expect(older.map(({ type }) => type).filter(type => type.startsWith('payment_instrument'))).toEqual([
      'payment_instrument',
    ])
    expect((await send('GET', '/team', undefined, newest)).body['products']).toContain('balance')
  })
})

describe('the legal details of a team', () => {
  const details = {
    legal_name: 'Northwind Auto LLC',
    contacts: [{ name: 'Ana Ruiz', email: 'ana.ruiz@northwind-auto.example', type: 'compliance' }],
    address: { line1: '500 Canary Boulevard', city: 'Austin', state: 'TX', zipcode: '78701', country: 'US' },
  }

  it('are stored sealed for a new team, returned, and changed one by one', async () => {
    const team = await send(
      'POST',
      '/enveloped/teams',
      { name: 'Northwind Auto', ein: '98-7654321', ...details },
      newest,
    )
    expect(team).toMatchObject({ status: 200, body: { ...details, ein: '987654321' } })
    const child = lender(service, (team.body['key'] as { value: string }).value)
    const latest = { 'service-version': newest }
    const changed = await child.call('PATCH', '/team', { contacts: [] }, latest)
    expect(changed.body).toMatchObject({ ...details, ein: '987654321', contacts: [] })
    expect((await child.call('GET', '/team', undefined, latest)).body).toMatchObject({ contacts: [] })
    const row = await service.store.reader
      .selectFrom('teams')
      .selectAll()
      .where('id', '=', String(team.body['id']))
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toMatch(/987654321|Ruiz|Canary|LLC/)
  })

  it.each([
    ['an EIN of eight digits', { ein: '12-345678' }],
    ['a contact without an email address', { contacts: [{ name: 'Ana', type: 'legal' }] }],
    ['an address without a city', { address: { ...details.address, city: undefined } }],
    ['a blank legal name', { legal_name: ' ' }],
  ])('are rejected with %s', async (_name, body) => {
    expect((await send('PATCH', '/team', body, newest)).status).toBe(400)
    expect((await send('POST', '/teams', { name: 'Bad', ...body }, newest)).status).toBe(400)
  })
})

describe('fields by version', () => {
  it('a reversal has a fee, which is null, from 2025-12-01 on', async () => {
    const source = (await bank.source()).id
    const { id } = await bank.must('POST', '/payments', {
      amount: 5_000,
      source,
      destination: account,
      description: 'x',
    })
    for (const status of ['processing', 'sent', 'posted'])
      await bank.must('POST', `/simulate/payments/${id}`, { status })
    await bank.must('POST', `/simulate/payments/${id}`, { status: 'reversal_required', error_code: 10009 })
    const first = async (version: string) => {
      const { body } = await send('GET', `/payments/${id}/reversals`, undefined, version)
      return (body['data'] as Body[])[0]!
    }
    expect((await first(newest))['fee']).toBeNull()
    expect((await first('2025-12-01'))['fee']).toBeNull()
    expect(await first('2025-07-04')).not.toHaveProperty('fee')
  })

  it('an event has the ids of its entity, account and payment from 2025-12-01 on', async () => {
    const events = async (version: string, query: string) =>
      (await send('GET', `/events?${query}`, undefined, version)).body['data'] as Body[]
    const [update] = await events(newest, 'type=account.create')
    const [older] = await events('2025-07-04', 'type=account.create')
    expect(update).toMatchObject({ related_ids: expect.arrayContaining([update!['resource_id']]) })
    expect(older).not.toHaveProperty('related_ids')
    const [reversal] = await events('2025-12-01', 'type=payment_reversal.create')
    expect(reversal!['related_ids']).toEqual([expect.stringMatching(/^pmt_/)])
  })

  it('a merchant has rpps identifiers at the latest version only', async () => {
    const ids = async (version: string) =>
      Object.keys((await send('GET', '/merchants/mch_300485', undefined, version)).body['provider_ids'] as object)
    expect(await ids(newest)).toEqual(['plaid', 'mx', 'finicity', 'dpp', 'rpps'])
    expect(await ids('2025-12-01')).toEqual(['plaid', 'mx', 'finicity', 'dpp'])
    // No merchant has an rpps identifier. Older versions ignore the filter.
    const countMerchants = async (query: string, version: string) =>
      ((await send('GET', `/merchants?${query}`, undefined, version)).body['data'] as Body[]).length
    expect(await countMerchants('provider_id.rpps=0000012345', newest)).toBe(0)
    expect(await countMerchants('provider_id.rpps=0000012345', '2025-12-01')).toBe(await countMerchants('', newest))
  })
})

it('a card product has two designs, although no person in the sandbox has the card', async () => {
  const { body } = await send('GET', '/card_products/pdt_17', undefined, newest)
  expect(body).toMatchObject({
    name: 'Chase Freedom',
    issuer: 'Chase',
    brands: [
      { id: 'pdt_17_brd_1', network: 'visa' },
      { id: 'pdt_17_brd_2', network: 'visa' },
    ],
  })
})

describe('a person at 2020-12-06, a version without verification sessions', () => {
  const details = {
    type: 'individual',
    individual: { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550101', dob: '1980-05-05' },
  }
  const oldest = '2020-12-06'
  const statusOf = async (id: unknown) => (await send('GET', `/entities/${id}`)).body['status']

  it('is verified by a match with full details, and can be paid', async () => {
    const person = await send('POST', '/enveloped/entities', details, oldest)
    expect(person.body).toMatchObject({
      status: 'active',
      capabilities: expect.arrayContaining(['payments:send', 'payments:receive']),
    })
    const ach = { routing: '062103000', number: '123456789', type: 'checking' }
    const source = await send('POST', '/accounts', { holder_id: person.body['id'], ach }, oldest)
    const payment = { amount: 5_000, source: source.body['id'], destination: account, description: 'Loan' }
    expect((await send('POST', '/payments', payment, oldest)).status).toBe(200)
  })

  it('is verified when an update completes the details', async () => {
    const { dob, ...individual } = details.individual
    const person = await send('POST', '/entities', { ...details, individual: { first_name: 'Kevin', dob } }, oldest)
    expect(await statusOf(person.body['id'])).toBe('incomplete')
    const updated = await send('PUT', `/entities/${person.body['id']}`, { individual }, oldest)
    expect(updated.body['status']).toBe('active')
  })

  it('is not verified without a birth date, without a match, or in a later version', async () => {
    const { dob: _, ...dateless } = details.individual
    const unknown = { ...details.individual, phone: '+15125550103' }
    for (const individual of [dateless, unknown]) {
      const person = await send('POST', '/entities', { ...details, individual }, oldest)
      expect(await statusOf(person.body['id'])).toBe('incomplete')
    }
    const later = await send('POST', '/entities', details, '2024-04-04')
    expect(later.body['status']).toBe('incomplete')
  })

  // kills: match-verifies-in-the-sandbox-only
  it('is not verified by a match in production', async () => {
    const production = await testService({ environment: 'production' })
    const { body } = await production.call('POST', '/entities', details, { 'service-version': oldest })
    expect(body).toMatchObject({ status: 'incomplete' })
  })
})

describe('a request without credit reports', () => {
  it('is accepted with empty fields', async () => {
    const { status } = await send('POST', `/entities/${entity}/connect`, { bureau: null, artifacts: [] }, newest)
    expect(status).toBe(200)
  })
})

describe('filters of a token', () => {
  const all = [...liabilityTypes]
  it.each([
    ['include', { connect: { account_filters: { include: { account_types: all } } } }],
    ['exclude', { connect: { account_filters: { exclude: { account_types: all } } } }],
  ])('accept every liability type: %s', async (_name, block) => {
    expect(await send('POST', '/opal/token', { mode: 'connect', entity_id: entity, ...block })).toMatchObject({
      status: 200,
    })
  })

  it('accept every liability type in an element token', async () => {
    const connect = { account_filters: { liability_types: all } }
    expect((await send('POST', '/elements/token', { type: 'connect', entity_id: entity, connect })).status).toBe(200)
  })

  it('treat all as multiple in card_connect', async () => {
    const card_connect = { selection_type: 'all' }
    const token = await send('POST', '/opal/token', { mode: 'card_connect', entity_id: entity, card_connect })
    expect(token.status).toBe(200)
  })
})

describe('an element token on /enveloped', () => {
  const create = (mount: string, connect: object, more: object = {}) =>
    send('POST', `${mount}/elements/token`, { type: 'connect', connect, ...more })

  it('takes the entity and the redirect URL from inside connect', async () => {
    const redirect_url = 'http://localhost:3000/done'
    const token = await create('/enveloped', { entity_id: entity, products: ['balance'], redirect_url })
    expect(token).toMatchObject({ status: 200, body: { hosted_url: expect.any(String) } })
    expect((await create('', { entity_id: entity })).status).toBe(400)
  })

  it('takes them once, and rejects two that differ', async () => {
    expect((await create('/enveloped', { entity_id: entity }, { entity_id: entity })).status).toBe(200)
    const other = await create('/enveloped', { entity_id: entity }, { entity_id: 'ent_other' })
    expect([other.status, other.message]).toEqual([
      400,
      'connect.entity_id must equal entity_id. Send it once, outside connect.',
    ])
  })

  it('still needs exactly one person', async () => {
    const person = { type: 'individual', individual: { first_name: 'Ana', last_name: 'Ruiz' } }
    expect((await create('/enveloped', {})).status).toBe(400)
    expect((await create('/enveloped', { entity_id: entity, entity: person })).status).toBe(400)
    expect((await create('/enveloped', { entity_id: 7 })).status).toBe(400)
  })

  it('names no unknown field', async () => {
    const body = { type: 'connect', connect: { entity_id: entity } }
    const reply = await service.call('POST', '/enveloped/elements/token', body)
    expect(reply.headers.get('service-unknown-fields')).toBeNull()
  })
})

describe('a public key of a team on /enveloped', () => {
  it('may name any algorithm for RSA, and the response names the one that is used', async () => {
    const jwk = { ...(await publicJwk('older')), alg: 'RS256' }
    const body = { type: 'direct', contact: 'security@northwind.example', jwk }
    expect((await send('POST', '/teams/mle/public_keys', body, newest)).message).toMatch(/^jwk\.alg, if sent, must be/)
    const created = await send('POST', '/enveloped/teams/mle/public_keys', body, newest)
    expect(created.body['jwk']).toEqual({ ...jwk, alg: 'RSA-OAEP-256' })
  })

  it('of an elliptic curve is rejected', async () => {
    const jwk = { kty: 'EC', kid: 'curve', crv: 'P-256', x: 'AQAB', y: 'AQAB' }
    const refused = await send('POST', '/enveloped/teams/mle/public_keys', { jwk }, '2025-12-01')
    expect(refused.message).toMatch(/^jwk\.kty must be RSA/)
  })
})

describe('a verification session', () => {
  it.each(['element', 'opal'])('with the method %s is rejected, and the message says when one begins', async method => {
    const body = { type: 'phone', method }
    const refused = await send('POST', `/enveloped/entities/${entity}/verification_sessions`, body)
    expect([refused.status, refused.message]).toEqual([400, expect.stringMatching(/begins when the person opens/)])
  })
})

describe('enroll: transactions', () => {
  it('means transaction on /enveloped up to 2024-04-04', async () => {
    const enroll = async (mount: string, version: string) =>
      (await send('POST', `${mount}/accounts/${account}/subscriptions`, { enroll: 'transactions' }, version)).message
    expect(await enroll('', '2024-04-04')).toMatch(/^enroll must be one of/)
    expect(await enroll('/enveloped', '2025-07-04')).toMatch(/^enroll must be one of/)
    expect(await enroll('/enveloped', '2024-04-04')).not.toMatch(/^enroll must be one of/)
  })
})

describe('a credit score in the sandbox', () => {
  const request = async (phone: string) => {
    const id = await bank.verified(phone)
    return `/entities/${id}/credit_scores/${(await bank.must('POST', `/entities/${id}/credit_scores`)).id}`
  }

  it('is one score of Equifax, or two of a person whom two bureaus know', async () => {
    const paths = [await request('+15125550100'), await request('+15125550102')]
    service.advance(6_000)
    await service.settle()
    const sources = []
    for (const path of paths) {
      const { scores } = (await bank.must('GET', path)) as unknown as { scores: { source: string; model: string }[] }
      sources.push(scores.map(({ source, model }) => `${source} ${model}`))
    }
    expect(sources).toEqual([['equifax vantage_4'], ['equifax vantage_4', 'transunion vantage_4']])
  })

  it('is simulated by its number alone, or as failed', async () => {
    const path = await request('+15125550100')
    const simulate = (of: string, body: object) => send('POST', `/simulate${of}`, body)
    expect((await simulate(path, {})).status).toBe(400)
    expect((await simulate(path, { score: 700, status: 'failed' })).status).toBe(400)
    expect((await simulate(path, { score: 700, status: 'completed' })).body).toMatchObject({
      status: 'completed',
      scores: [{ score: 700, source: 'equifax', model: 'vantage_4', factors: [] }],
    })
    expect((await simulate(await request('+15125550100'), { score: null, status: 'failed' })).body).toMatchObject({
      status: 'failed',
      scores: null,
      error: { code: 23001 },
    })
  })
})
