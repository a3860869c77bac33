import { consentProducts } from '@causeway/contract/fields/names'
import { reportTypes } from '@causeway/contract/resources/report'
import { describe, expect, it } from 'vitest'
import { kindOf } from '../../people/holders/product-rules.js'
import { NEWEST } from '../../testing/contract/cases.js'
import { LOAN, Person, someone, verify } from '../../testing/frame.js'
import { blankTradeline } from '../../testing/records.js'
import { type TestService, testService } from '../../testing/service.js'

const MISSING = 'PRODUCT_CONSENT_MISSING'
const PHONE = '+15121231111'

/** Returns the actions of a customer and of a person in each mode. */
function actions(service: TestService) {
  const headers = { 'service-version': NEWEST }
  const call = (method: 'GET' | 'POST', path: string, body?: unknown) => service.call(method, path, body, headers)
  const arrive = async (mode: string, entity: string, config: object = {}) => {
    const made = await call('POST', '/opal/token', { mode, entity_id: entity, [mode]: config })
    if (made.status !== 200) throw new Error(made.text)
    return Person.arrive(service, made.body['data']['token'])
  }
  /** Returns the subtype of the refusal of each product that the holder could have; undefined for a usable product. */
  const refusalsOf = async (holder: string) => {
    const base = kindOf(holder) === 'entity' ? 'entities' : 'accounts'
    const { data } = (await call('GET', `/${base}/${holder}/products`)).body as {
      data: Record<string, { status: string; status_error: { sub_type: string } | null }>
    }
    return Object.entries(data).flatMap(([name, { status, status_error: error }]) =>
      status === 'unavailable' ? [] : [[name, error?.sub_type] as const],
    )
  }
  return {
    call,
    arrive,
    /** Verifies the person and chooses every account that can be chosen. */
    async choose(person: Person) {
      await verify(service, person)
      const open = person.data('selection').accounts.filter(({ status }) => status !== 'ineligible')
      await person.send({ action: 'select', accounts: open.map(({ id }) => id) })
      await service.settle()
    },
    async accountsOf(entity: string) {
      const { data } = (await call('GET', `/accounts?holder_id=${entity}`)).body as {
        data: { id: string; liability: { type: string; mask: string } | null }[]
      }
      return data
    },
    refusalsOf,
    /** Returns the names of the products that the customer can use, or could if other conditions were met. */
    async agreedTo(...holders: string[]) {
      const refusals = (await Promise.all(holders.map(refusalsOf))).flat()
      return new Set(refusals.flatMap(([name, refusal]) => (refusal === MISSING ? [] : [name])))
    },
  }
}

const service = await testService()
const { call, arrive, choose, accountsOf, refusalsOf, agreedTo } = actions(service)
const unlimited = ['connect', 'manual_connect']
/** Returns a person whom the customer verified through the API. */
async function verified(): Promise<string> {
  const entity = await someone(service, PHONE)
  const sessions = `/entities/${entity}/verification_sessions`
  const byo_sms = { timestamp: '2021-01-01T10:00:00.000Z' }
  await call('POST', sessions, { type: 'phone', method: 'byo_sms', byo_sms })
  await call('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
  return entity
}

const team = (await call('GET', '/team')).body as { products: string[] }
const products = [...new Set([...team.products, 'transaction'])]
expect((await service.call('PATCH', '/team', { products }, { 'service-version': NEWEST })).body['products']).toEqual(
  products,
)

describe.each(['card_connect', 'balance_transfer'])('a session of %s', mode => {
  const config = mode === 'balance_transfer' ? LOAN : { selection_type: 'multiple' }
  it.each(consentProducts)('that asks for %s limits the customer to it', async product => {
    const entity = await someone(service, PHONE)
    const person = await arrive(mode, entity, { ...config, products: [product] })
    const { shares } = person.data('consent')
    const [, ...named] = shares
    expect([shares[0], named.length > 0]).toEqual(['accounts', true])
    await choose(person)
    const holders = [entity, ...(await accountsOf(entity)).map(({ id }) => id)]
    expect(holders.length).toBeGreaterThan(1)
    const refusals = (await Promise.all(holders.map(refusalsOf))).flat()
    const limited = refusals.filter(([name]) => !unlimited.includes(name) && name !== product)
    expect(limited.length).toBeGreaterThan(8)
    for (const [name, refusal] of limited)
      if (refusal !== 'TEAM_CAPABILITY_RESTRICTED') expect([name, refusal]).toEqual([name, MISSING])
    for (const [name, refusal] of refusals.filter(([name]) => name === product))
      expect([name, refusal]).not.toEqual([name, MISSING])
  })

  it('that lists no products asks for all of them', async () => {
    const entity = await someone(service, PHONE)
    const person = await arrive(mode, entity, config)
    expect(person.data('consent').shares).toHaveLength(13)
    await choose(person)
    for (const holder of [entity, ...(await accountsOf(entity)).map(({ id }) => id)])
      expect((await refusalsOf(holder)).map(([, refusal]) => refusal)).not.toContain(MISSING)
  })
})

describe('a session of transactions', () => {
  it('asks for all products', async () => {
    const entity = await someone(service, PHONE)
    const person = await arrive('transactions', entity)
    expect(person.data('consent').shares).toHaveLength(13)
    await verify(service, person)
    expect((await refusalsOf(entity)).map(([, refusal]) => refusal)).not.toContain(MISSING)
  })
})

describe('a session of account_verification, after one that asked for balances', () => {
  const card = { number: '4000000000007102', exp_month: '09', exp_year: '2028', cvv: '539', billing_zip_code: '78758' }
  const data = ['attribute', 'balance', 'card_brand', 'sensitive', 'update']
  const instruments = ['card', 'inbound_achwire_payment', 'network_token'].map(name => `payment_instrument.${name}`)
  it.each([
    ['data', data],
    ['payments', ['balance', 'payment']],
    ['transactions', ['balance', 'transaction']],
    [undefined, [...data, ...instruments, 'payment', 'transaction']],
  ] as const)('with the intent %s adds only the products that it needs', async (intent, expected) => {
    const entity = await someone(service, PHONE)
    await choose(await arrive('connect', entity, { selection_type: 'all', products: ['balance'] }))
    const account = (await accountsOf(entity)).find(({ liability }) => liability?.mask === '7102')!.id
    const person = await arrive('account_verification', entity, { account_id: account, ...(intent && { intent }) })
    if (person.view.step === 'consent') await person.consent()
    while (person.view.step === 'card' || person.view.step === 'number') {
      const { fields } = person.view.step === 'card' ? person.data('card') : { fields: ['number'] as const }
      await person.send({ action: 'submit', ...Object.fromEntries(fields.map(field => [field, card[field]])) })
    }
    expect(person.view).toMatchObject({ step: 'done', errors: [] })
    expect([...(await agreedTo(account))].sort()).toEqual([...expected].sort())
    expect((await refusalsOf(entity)).filter(([name]) => name === 'credit_score')).toEqual([['credit_score', MISSING]])
  })
})

describe('without a credit bureau', async () => {
  const own = await testService({
    ports: ports => ({ ...ports, network: { ...ports.network, bureau: () => undefined } }),
  })
  const customer = actions(own)

  // kills: consent-grants-only-what-it-names
  it('a session that lists no products asks for the products that its documents name', async () => {
    const entity = await someone(own, PHONE)
    const person = await customer.arrive('connect', entity, { selection_type: 'all' })
    const { shares } = person.data('consent')
    for (const kind of ['credit_score', 'credit_profile', 'vehicles']) expect(shares).not.toContain(kind)
    expect(shares).toContain('balance')
    await customer.choose(person)
    const agreed = await customer.agreedTo(entity, (await customer.accountsOf(entity))[0]!.id)
    expect([agreed.has('balance'), agreed.has('identity')]).toEqual([true, true])
    for (const product of ['credit_score', 'vehicle', 'attribute'])
      expect([product, agreed.has(product)]).toEqual([product, false])
    const { documents } = (await customer.arrive('connect', await someone(own, PHONE), {})).data('consent')
    expect(documents.map(({ id }) => id)).not.toContain('credit_report')
  })

  // kills: unnamed-product-is-not-asked-for
  it('a token that asks for a credit score is rejected', async () => {
    const entity_id = await someone(own, PHONE)
    const refused = await customer.call('POST', '/opal/token', {
      mode: 'connect',
      entity_id,
      connect: { products: ['balance', 'credit_score'] },
    })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain("products can't include credit_score")
  })
})

describe('what the person did not agree to share', () => {
  // kills: simulated-events-keep-to-the-consent
  // kills: simulated-score-keeps-to-the-consent
  it('is in no simulation, even if the customer requested it before', async () => {
    const entity = await verified()
    const attributes = { requested_attributes: ['utilization'], bundles: [] }
    const { id } = (await call('POST', `/entities/${entity}/credit_scores`)).body as { id: string }
    expect((await call('POST', `/entities/${entity}/attributes`, { attributes })).status).toBe(200)
    await choose(await arrive('connect', entity, { selection_type: 'all', products: ['balance'] }))
    const score = { score: 700 }
    for (const [path, body] of [
      [`/simulate/entities/${entity}/credit_scores/${id}`, score],
      ['/simulate/events', { type: 'entity_attribute.credit_health_credit_age_value.increased', entity_id: entity }],
    ] as const)
      expect([path, (await call('POST', path, body)).text]).toEqual([path, expect.stringContaining(MISSING)])
  })

  it('is in no report', async () => {
    const entity = await someone(service, PHONE)
    await choose(await arrive('connect', entity, { selection_type: 'all', products: ['balance'] }))
    const [account] = await accountsOf(entity)
    const texts: string[] = []
    for (const type of reportTypes) {
      const made = await call('POST', '/reports', { type })
      expect([type, made.status]).toEqual([type, 200])
      texts.push((await call('GET', `/reports/${made.body['id']}/download`)).text)
    }
    const text = texts.join('\n')
    for (const value of [PHONE, 'Doyle', account!.id, account!.liability!.mask]) expect(text).not.toContain(value)
  })
})

describe('access that the customer obtained through the API', () => {
  // kills: running-api-connect-is-not-limited
  it('includes a connect that is running when a session starts, but only the accounts that the person chooses', async () => {
    const entity = await verified()
    const async = { 'service-version': NEWEST, prefer: 'respond-async' }
    const { body } = await service.call('POST', `/entities/${entity}/connect`, {}, async)
    expect(body['status']).toBe('pending')
    const person = await arrive('connect', entity, { selection_type: 'multiple', products: ['balance'] })
    await verify(service, person)
    expect((await call('GET', `/entities/${entity}/connect/${body['id']}`)).body['status']).toBe('completed')
    const [chosen, ...others] = person.data('selection').accounts.map(({ id }) => id)
    await person.send({ action: 'select', accounts: [chosen] })
    expect([(await accountsOf(entity)).map(({ id }) => id), others.length > 0]).toEqual([[chosen], true])
    for (const holder of [entity, chosen!])
      expect((await refusalsOf(holder)).map(([, refusal]) => refusal)).not.toContain(MISSING)
  })

  // kills: own-report-is-not-limited
  it("includes new accounts in the customer's own credit report", async () => {
    const own = [...products, 'manual_connect']
    await service.call('PATCH', '/team', { products: own }, { 'service-version': NEWEST })
    const entity = await someone(service, PHONE)
    await choose(await arrive('connect', entity, { selection_type: 'all', products: ['balance'] }))
    const before = await accountsOf(entity)
    const debt = { designator_code: null, number: '4000123412341234', creditor_name: 'CITI BANK NA', external_id: null }
    const tradelines = [{ ...blankTradeline, portfolio_type_code: 'revolving', ...debt }]
    const found = await call('POST', `/entities/${entity}/manual_connect`, { bureau: 'equifax', tradelines })
    expect([found.status, found.text]).toEqual([200, expect.stringContaining('acc_')])
    const added = (await accountsOf(entity)).filter(({ id }) => !before.some(each => each.id === id))
    expect(added).toHaveLength(1)
    expect((await refusalsOf(added[0]!.id)).map(([, refusal]) => refusal)).not.toContain(MISSING)
    expect((await refusalsOf(before[0]!.id)).map(([, refusal]) => refusal)).toContain(MISSING)
  })
})
