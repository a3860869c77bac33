import { consentProducts } from '@causeway/contract/fields/names'
import { versions } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import { kindOf } from '../../people/holders/product-rules.js'
import { paymentInstruments } from '../../people/products/payment-instrument/product.js'
import { products } from '../../people/products/registry.js'
import { NEWEST } from '../../testing/contract/cases.js'
import { fundingAccount, Person, someone, transferToken, verify } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const MISSING = 'PRODUCT_CONSENT_MISSING'
const PHONE = '+15121231111'

/** Opens a `connect` session for these products; for every product, without a list. */
async function open(entity: string, products?: readonly string[]): Promise<Person> {
  const connect = { account_filters: { selection_type: 'all' }, ...(products && { products }) }
  const made = await post('/elements/token', { type: 'connect', entity_id: entity, connect })
  expect(made.status, made.text).toBe(200)
  return Person.arrive(service, made.body['element_token'])
}

async function finish(person: Person): Promise<void> {
  await verify(service, person)
  const { accounts } = person.data('selection')
  const ids = accounts.filter(({ status }) => status !== 'ineligible').map(({ id }) => id)
  await person.send({ action: 'select', accounts: ids })
  await service.settle()
}

/** Takes a new person through a `connect` session for these products. */
async function connected(products?: readonly string[]) {
  const entity = await someone(service, PHONE)
  const person = await open(entity, products)
  const { shares } = person.data('consent')
  await finish(person)
  return { entity, shares, accounts: await accountsOf(entity) }
}

const headers = { 'service-version': NEWEST }
const get = (path: string) => service.call('GET', path, undefined, headers)
const post = (path: string, body: unknown = {}) => service.call('POST', path, body, headers)
const accountsOf = async (entity: string): Promise<string[]> =>
  ((await get(`/accounts?holder_id=${entity}`)).body['data'] as { id: string }[]).map(({ id }) => id)
const at = (holder: string) => (kindOf(holder) === 'entity' ? `/entities/${holder}` : `/accounts/${holder}`)
const refusalOf = (reply: { status: number; body: Record<string, never> }): string | undefined =>
  reply.status === 200 ? undefined : ((reply.body['error'] ?? {}) as { sub_type?: string }).sub_type

/** Returns the `sub_type` of each product that the holder could have, by name; undefined for an available product. */
async function productsOf(holder: string): Promise<Map<string, string | undefined>> {
  const { data } = (await get(`${at(holder)}/products`)).body as {
    data: Record<string, { status: string; status_error: { sub_type: string } | null }>
  }
  return new Map(
    Object.entries(data).flatMap(([name, { status, status_error }]) =>
      status === 'unavailable' ? [] : [[name, status_error?.sub_type] as const],
    ),
  )
}

const bodies: Record<string, Record<string, unknown>> = { sensitive: { expand: ['credit_card.number'] } }
const attributes = { requested_attributes: ['utilization'], bundles: [] }
const payloads: Record<string, Record<string, object>> = { entity: { attribute: { payload: { attributes } } } }
const unlimited = new Set(['connect', 'manual_connect'])

/** The endpoints of each kind of record, by holder. */
const paths = [...products, ...paymentInstruments].map(({ holder, name, path, listed }) => ({
  holder,
  name,
  path,
  listed,
}))

describe.each(consentProducts.map(name => [name]))('a consent to share %s', name => {
  const isAgreed = (product: string) => product === name || unlimited.has(product)

  // kills: consent-limits-access
  it('is the only product that the customer can use, in lists, objects, endpoints and subscriptions', async () => {
    const { entity, accounts } = await connected([name])
    expect(accounts.length).toBeGreaterThan(0)
    const seen = new Set<string>()
    for (const holder of [entity, ...accounts])
      for (const [product, refusal] of await productsOf(holder)) {
        seen.add(product)
        if (isAgreed(product)) expect([product, refusal]).not.toEqual([product, MISSING])
        else if (refusal !== 'TEAM_CAPABILITY_RESTRICTED') expect([product, refusal]).toEqual([product, MISSING])
      }
    expect(seen.size).toBeGreaterThan(8)
    const shown = (await get(`/entities/${entity}`)).body as { products: string[]; available_subscriptions: string[] }
    for (const product of [...shown.products, ...shown.available_subscriptions]) expect(isAgreed(product)).toBe(true)
    for (const { holder, name: product, path, listed: hasList } of paths) {
      if (hasList === false) continue
      const ids = holder === 'entity' ? [entity] : accounts
      for (const id of ids.slice(0, 1)) {
        const listed = refusalOf(await get(`${at(id)}/${path}`))
        const isListed = path === 'payment_instruments' ? name.startsWith('payment_instrument') : isAgreed(product)
        if (path !== 'payment_instruments' || !isListed)
          expect([product, listed]).toEqual([product, isListed ? undefined : MISSING])
      }
    }
    for (const id of [entity, ...accounts]) {
      const offered = await productsOf(id)
      for (const { holder, name: product, path } of paths) {
        if (kindOf(id) !== holder || offered.get(product) !== MISSING) continue
        const [, type] = product.split('.')
        const made = await post(`${at(id)}/${path}`, type ? { type } : (bodies[product] ?? {}))
        if (made.status !== 400 || refusalOf(made) !== MISSING)
          expect([product, refusalOf(made)]).toEqual([product, 'INVALID_REQUEST'])
        else expect(made.text).toContain(`did not agree to share ${product}`)
      }
      const { restricted_subscriptions: restricted } = (await get(at(id))).body as Record<string, string[]>
      for (const enroll of restricted ?? []) {
        const refusal = refusalOf(await post(`${at(id)}/subscriptions`, { enroll, ...payloads[kindOf(id)]?.[enroll] }))
        if (!isAgreed(enroll.replace('update.snapshot', 'update'))) expect([enroll, refusal]).toEqual([enroll, MISSING])
      }
    }
  })
})

describe('a consent to share only balances', () => {
  it('names no other data', async () => {
    const { shares } = await connected(['balance'])
    expect(shares).toEqual(['accounts', 'balance'])
  })

  // kills: no-events-without-consent
  it('hides the updates that the flow requested, in events, pointers, expansions and the list', async () => {
    const { accounts } = await connected(['balance'])
    for (const id of accounts) {
      const { body } = await get(`/accounts/${id}?expand[]=update&expand[]=transactions`)
      expect(body).toMatchObject({ update: null })
      expect((await get(`/accounts/${id}`)).body).toMatchObject({ update: null })
      expect(refusalOf(await get(`/accounts/${id}/updates`))).toBe(MISSING)
      const records = await service.store.reader
        .selectFrom('records')
        .select('id')
        .where('holder_id', '=', id)
        .where('product', '=', 'update')
        .execute()
      expect(records.length).toBeGreaterThan(0)
      const events = await service.store.reader
        .selectFrom('events')
        .select('type')
        .where(is =>
          is.or([
            is('resource_id', '=', id),
            is(
              'resource_id',
              'in',
              records.map(row => row.id),
            ),
          ]),
        )
        .execute()
      expect(events.map(({ type }) => type).filter(type => /^update\.|_(in|de)creased$/.test(type))).toEqual([])
    }
  })

  // kills: older-versions-keep-to-the-consent
  it('limits what older versions show in the account, in lists and in events', async () => {
    const shown = async (asked?: readonly string[]) => {
      const { entity, accounts } = await connected(asked)
      const texts: string[] = []
      for (const version of versions)
        for (const path of [`/accounts?holder_id=${entity}`, `/accounts/${accounts[0]}`, '/events?page_limit=100']) {
          const { text } = await service.call('GET', path, undefined, { 'service-version': version })
          texts.push(text)
        }
      // Fields of updates, with a value.
      return texts.join('\n').match(/"(?:data_source|data_updated_at|credit_limit|available_credit)":[^n]/g) ?? []
    }
    expect(await shown(['balance'])).toEqual([])
    expect(await shown()).not.toEqual([])
  })

  it('shows no ids of records that the flow made for itself', async () => {
    const { accounts } = await connected(['balance'])
    const { body } = await get(`/accounts/${accounts[0]}/products/update`)
    expect(body).toMatchObject({ latest_request_id: null, latest_successful_request_id: null })
  })

  // kills: access-is-limited-at-the-proof
  it('holds after a person agreed anew, in a session that had found their accounts before they withdrew', async () => {
    const entity = await someone(service, PHONE)
    const body = { type: 'connect', entity_id: entity, connect: { products: ['balance'] } }
    const mint = async () => (await post('/elements/token', body)).body['element_token'] as string
    const person = await verify(service, await Person.arrive(service, await mint()))
    expect(person.view.step).toBe('selection')
    await post(`/entities/${entity}/consent`, { type: 'withdraw' })
    await post(`/entities/${entity}/consent`, { type: 'grant' })
    await service.call('PUT', `/entities/${entity}`, { individual: { phone: PHONE } }, headers)
    const again = await verify(service, await Person.arrive(service, await mint()))
    expect(again.view.step).not.toBe('consent')
    expect((await productsOf(entity)).get('credit_score')).toBe(MISSING)
    expect(refusalOf(await post(`/entities/${entity}/credit_scores`))).toBe(MISSING)
  })

  it('refuses a payment to an account', async () => {
    const { accounts } = await connected(['balance'])
    const corporation = { name: 'Northwind Lending', ein: '123456789' }
    const holder_id = (await post('/entities', { type: 'corporation', corporation })).body['id']
    const ach = { routing: '062103000', number: '123456789', type: 'checking' }
    const source = (await post('/accounts', { holder_id, ach })).body['id']
    const payment = { amount: 500, source, destination: accounts[0], description: 'Loan' }
    const refused = await post('/payments', payment)
    expect(refusalOf(refused)).toBe('INVALID_DESTINATION_CAPABILITIES')
    expect(refused.text).toContain('did not agree to share payment')
  })

  // kills: confirmed-account-can-be-paid
  it('allows payments to the accounts that the person confirmed, after a transfer that asked for nothing new', async () => {
    const { entity, accounts } = await connected(['balance'])
    const { element_token, session_id } = await transferToken(service, entity, {
      ...{ loan_amount: 100_000, residual_amount_max: 100_000, products: ['balance'] },
    })
    const person = await Person.arrive(service, element_token)
    expect(person.view.step).not.toBe('consent')
    await person.arriveAtAccounts()
    if (person.view.step === 'selection') {
      const offered = person.data('selection').accounts.filter(({ status }) => status !== 'ineligible')
      await person.send({ action: 'select', accounts: offered.map(({ id }) => id) })
    }
    while (person.view.step === 'number') await person.send({ action: 'skip' })
    const [paid, ...others] = person.data('allocation').accounts.map(({ id }) => id)
    expect(others.length).toBeGreaterThan(0)
    const source = await fundingAccount(service)
    const pay = async (destination: string) =>
      refusalOf(await post('/payments', { amount: 500, source, destination, description: 'Loan' }))
    expect(await pay(paid!)).toBe('INVALID_DESTINATION_CAPABILITIES')
    const amounts = Object.fromEntries([[paid!, 5_000], ...others.map(id => [id, 0])])
    await person.send({ action: 'review', allocations: amounts })
    await person.send({ action: 'confirm' })
    expect(person.view.step).toBe('done')
    for (const id of accounts) expect([id, await pay(id)]).toEqual([id, id === paid ? undefined : expect.any(String)])
    expect((await productsOf(paid!)).get('sensitive')).toBe(MISSING)
    const released = await post(`/opal/sessions/${session_id}`, { action: 'release_payments', data: { source } })
    expect(released.body['data']['bt']['payment_ids'][paid!]).toMatch(/^pmt_/)
  })

  it('grows by what the person agrees to later, which is all that the later session asks for', async () => {
    const { entity, accounts } = await connected(['balance'])
    const more = await open(entity, ['balance', 'update'])
    const { documents, carried, shares } = more.data('consent')
    expect([documents.map(({ id }) => id), shares]).toEqual([['account_data'], ['statement']])
    expect(carried.map(({ id, shares }) => [id, shares])).toContainEqual(['credit_report', ['accounts']])
    await more.consent()
    await finish(more)
    expect((await productsOf(accounts[0]!)).get('update')).toBeUndefined()
    expect((await get(`/accounts/${accounts[0]}`)).body['update']).toMatch(/^upt_/)
    expect((await productsOf(entity)).get('credit_score')).toBe(MISSING)
    // Both consents together cover the products of this session.
    const again = await open(entity, ['update', 'balance'])
    expect(again.view.step).toBe('selection')
    const rows = await service.store.reader
      .selectFrom('consents')
      .select('products')
      .where('entity_id', '=', entity)
      .where('document', '=', 'account_data')
      .orderBy('id')
      .execute()
    expect(rows.map(({ products }) => products)).toEqual(['["connect","balance"]', '["update"]'])
    await finish(await open(entity))
    expect([...(await productsOf(entity)).values()]).not.toContain(MISSING)
    expect([...(await productsOf(accounts[0]!)).values()]).not.toContain(MISSING)
  })

  it('refuses a connect that requests other products or subscriptions', async () => {
    const { entity } = await connected(['balance'])
    for (const body of [{ products: ['payoff'] }, { subscriptions: ['update.snapshot'] }])
      expect(refusalOf(await post(`/entities/${entity}/connect`, body))).toBe(MISSING)
    expect((await post(`/entities/${entity}/connect`, { products: ['balance'] })).status).toBe(200)
  })

  it('does not grow until the session verifies the person', async () => {
    const { entity } = await connected(['balance'])
    const reply = await post('/elements/token', {
      type: 'connect',
      entity_id: entity,
      connect: { products: ['credit_score'] },
      phone_proof_days: 0,
    })
    await (await Person.arrive(service, reply.body['element_token'])).consent()
    expect((await productsOf(entity)).get('credit_score')).toBe(MISSING)
  })
})

describe('a person whom the customer connected through the API', () => {
  const verified = async () => {
    const entity = await someone(service, PHONE)
    const sessions = `/entities/${entity}/verification_sessions`
    const byo_sms = { timestamp: '2021-01-01T10:00:00.000Z' }
    await post(sessions, { type: 'phone', method: 'byo_sms', byo_sms })
    await post(sessions, { type: 'identity', method: 'kba', kba: {} })
    return entity
  }

  // kills: api-connect-is-not-limited
  it('is not limited by a later session', async () => {
    const entity = await verified()
    await post(`/entities/${entity}/connect`)
    await finish(await open(entity, ['balance']))
    for (const holder of [entity, ...(await accountsOf(entity))])
      expect([...(await productsOf(holder)).values()]).not.toContain(MISSING)
  })

  it('keeps the products that the customer received before the session', async () => {
    const entity = await verified()
    await post(`/entities/${entity}/credit_scores`)
    service.advance(10_000)
    await service.settle()
    await finish(await open(entity, ['balance']))
    const products = await productsOf(entity)
    expect([products.get('credit_score'), products.get('vehicle')]).toEqual([undefined, MISSING])
    expect(refusalOf(await get(`/entities/${entity}/credit_scores`))).toBeUndefined()
  })
})

describe('a session without a list of products', () => {
  it('asks for every product, and does not limit access', async () => {
    const { entity, accounts, shares } = await connected()
    expect(shares).toHaveLength(13)
    for (const holder of [entity, ...accounts]) expect([...(await productsOf(holder)).values()]).not.toContain(MISSING)
  })

  it('that verifies an identity adds only the identity to a limited access', async () => {
    const { entity } = await connected(['balance'])
    const made = await post('/opal/token', { mode: 'identity_verification', entity_id: entity })
    const person = await Person.arrive(service, (made.body['data'] as { token: string }).token)
    expect(person.data('consent').shares).toEqual(['identity'])
    await person.consent()
    expect(person.view.step).toBe('done')
    const products = await productsOf(entity)
    expect([products.get('identity'), products.get('credit_score')]).toEqual([undefined, MISSING])
  })
})
