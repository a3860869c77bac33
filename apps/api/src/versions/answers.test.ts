import { versions } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import { emit } from '../notify/emit.js'
import { readJson, writeJson } from '../platform/db/json.js'
import { transact } from '../platform/scope.js'
import { findTeam } from '../team/teams/store.js'
import { NEWEST } from '../testing/contract/cases.js'
import { lender } from '../testing/money.js'
import { testService } from '../testing/service.js'

const service = await testService()
const bank = lender(service)
const debts = await bank.debts()
const entity = debts.entity
const card = debts.accounts[0]!.id
const ach = (await bank.source()).id

type Body = Record<string, unknown>
async function at(version: string, path: string, method = 'GET', body?: unknown): Promise<Body> {
  const reply = await service.call(method, path, body, { 'service-version': version })
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.text}`)
  return reply.body
}

describe('products', () => {
  it.each(['2024-04-04', '2025-07-04', NEWEST])('are found by name, at %s', async version => {
    const [byName, all] = [
      await at(version, `/accounts/${card}/products/balance`),
      await at(version, `/accounts/${card}/products`),
    ]
    expect(byName).toEqual((all['data'] as Body)['balance'])
    expect('id' in byName).toBe(version === '2024-04-04')
    const instrument = version === NEWEST ? 'payment_instrument.card' : 'payment_instrument'
    expect(await at(version, `/accounts/${card}/products/${instrument}`)).toMatchObject({ name: instrument })
    expect(await at(version, `/entities/${entity}/products/connect`)).toMatchObject({ name: 'connect' })
  })

  it('have an id in events only if the version has product ids', async () => {
    const data = async (version: string) => {
      const { data: events } = await at(version, '/events?resource_type=product&page_limit=1')
      return (events as { data: Body }[])[0]!.data
    }
    expect('id' in (await data('2024-04-04'))).toBe(true)
    expect('id' in (await data('2025-07-04'))).toBe(false)
    expect('id' in (await data(NEWEST))).toBe(false)
  })
})

describe('the team', () => {
  const instruments = [
    'payment_instrument.card',
    'payment_instrument.network_token',
    'payment_instrument.inbound_achwire_payment',
  ]

  it("accepts and shows products by the version's names", async () => {
    expect((await at(NEWEST, '/team'))['products']).toEqual(expect.arrayContaining(instruments))
    const older = async () => {
      const { products } = await at('2025-07-04', '/team')
      return (products as { type: string; enabled: boolean }[]).flatMap(({ type, enabled }) => (enabled ? type : []))
    }
    expect(await older()).toContain('payment_instrument')
    const one = ['balance', 'connect', 'payment_instrument.card']
    expect((await at(NEWEST, '/team', 'PATCH', { products: one }))['products']).toEqual(one)
    expect(
      (await at(NEWEST, `/accounts/${card}/products/payment_instrument.network_token`))['status_error'],
    ).toMatchObject({
      sub_type: 'TEAM_CAPABILITY_RESTRICTED',
    })
    const all = { products: ['balance', 'connect', 'payment', 'payment_instrument'] }
    await at('2025-07-04', '/team', 'PATCH', all)
    expect((await older()).sort()).toEqual([...all.products].sort())
    await at('2025-07-04', '/team', 'PATCH', { products: (await at('2025-07-04', '/team'))['products'] })
    const names = (await at(NEWEST, '/team'))['products'] as string[]
    expect(names.sort()).toEqual(['balance', 'connect', 'payment', ...instruments].sort())
  })

  it('has all instruments if they were stored under their shared name', async () => {
    const row = await service.store.reader
      .selectFrom('teams')
      .selectAll()
      .where('id', '=', service.team)
      .executeTakeFirstOrThrow()
    const settings = writeJson({ ...readJson('teams.settings', row.settings), products: ['payment_instrument'] })
    await service.store.write(tx => tx.updateTable('teams').set({ settings }).where('id', '=', service.team).execute())
    expect((await at(NEWEST, '/team'))['products']).toEqual(instruments)
    await service.store.write(tx =>
      tx.updateTable('teams').set({ settings: row.settings }).where('id', '=', service.team).execute(),
    )
  })

  it("has the version's fields", async () => {
    const name = 'Northwind Lending'
    const common = { legal_name: name, status: 'active', logo: null }
    expect(await at(NEWEST, '/team')).toMatchObject({ ...common, ein: null, contacts: [], address: null })
    expect(await at(NEWEST, '/team')).not.toHaveProperty('keys')
    const old = await at('2025-12-01', '/team')
    expect(old).toMatchObject({ ...common, api_version: '2024-04-04' })
    expect(old['keys']).toMatchObject([{ type: 'secret', deleted: false, id: expect.stringMatching(/^key_/) }])
    expect(JSON.stringify(old['keys'])).not.toContain('sk_')
    expect(old).not.toHaveProperty('ein')
  })
})

it('an ACH account has subscription lists in 2025-12-01 and later', async () => {
  const lists = { subscriptions: [], available_subscriptions: [], restricted_subscriptions: [] }
  for (const version of ['2025-12-01', NEWEST]) expect(await at(version, `/accounts/${ach}`)).toMatchObject(lists)
  for (const version of ['2020-12-06', '2024-04-04', '2025-07-04'])
    for (const list of Object.keys(lists)) expect(await at(version, `/accounts/${ach}`)).not.toHaveProperty(list)
})

it('an event type that a version never had is omitted in that version', async () => {
  const team = (await findTeam(service.store.reader, service.team))!
  const data = { id: 'attr_0000000000000', entity_id: entity, attributes: null }
  await transact(service.deps, team, async scope => {
    await emit(scope, 'entity_attribute.purchasing_power.decreased', data)
    await emit(scope, 'entity_attribute.credit_health_credit_age_value.increased', data)
  })
  const types = async (version: string) =>
    ((await at(version, '/events?resource_id=attr_0000000000000'))['data'] as Body[]).map(event => event['type'])
  expect(await types(NEWEST)).toEqual([
    'entity_attribute.credit_health_credit_age_value.increased',
    'entity_attribute.purchasing_power.decreased',
  ])
  for (const version of versions.filter(each => each !== NEWEST))
    expect([version, await types(version)]).toEqual([version, ['attribute.credit_health_credit_age.increased']])
  const [, newer] = (await at(NEWEST, '/events?resource_id=attr_0000000000000'))['data'] as Body[]
  const reply = await service.call('GET', `/events/${newer!['id']}`, undefined, { 'service-version': '2025-12-01' })
  expect(reply.status).toBe(404)
})
