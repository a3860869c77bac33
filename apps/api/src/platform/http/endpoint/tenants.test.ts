import { expect, it } from 'vitest'
import { routes } from '../../../main/app.js'
import { bodies, createPlaces, queries } from '../../../testing/contract/places.js'
import { fundingAccount } from '../../../testing/frame.js'
import { lender } from '../../../testing/money.js'
import { testService } from '../../../testing/service.js'

const service = await testService()
const stranger = (await service.anotherTeam()).key
const places = await createPlaces(service)

/**
 * Merchants, card products, their images and the service's keys don't belong to any team. A link to a file works without
 * a key.
 */
const shared = /^\/(merchants|card_products?|assets|auth|file_links)\//
const ours = () => routes.filter(({ path, auth }) => path.includes(':') && auth !== 'opal' && !shared.test(path))

// kills: payments-of-own-team
// kills: rows-of-own-team
it('every route treats an id of another team like an unknown id: 404 and the same bytes except for the id', async () => {
  expect(ours().length).toBeGreaterThan(15)
  for (const route of ours())
    for (const mount of ['', '/enveloped'])
      for (const version of ['2024-04-04', '2026-03-30']) {
        const name = `${route.method} ${route.path}`
        const body = route.method === 'GET' ? undefined : (bodies[name] ?? {})
        const query = queries[name] ?? ''
        const headers = { authorization: `Bearer ${stranger}`, 'service-version': version }
        const foreign = await service.call(route.method, mount + places.fill(route.path, true) + query, body, headers)
        const unknown = await service.call(route.method, mount + places.fill(route.path, false) + query, body, headers)
        expect([name, foreign.status]).toEqual([name, 404])
        const text = (answer: string, isOurs: boolean) =>
          places
            .fill(route.path, isOurs)
            .split('/')
            .filter(part => part.includes('_'))
            .reduce((rest, id) => rest.replaceAll(id, '<id>'), answer)
        expect([name, foreign.status, text(foreign.text, true)]).toEqual([name, 404, text(unknown.text, false)])
      }
})

it('the owner can read each resource, which shows that the ids in these tests exist', async () => {
  // Skips transactions, which exist only for a subscribed card and have their own tests.
  for (const route of ours().filter(({ method, path }) => method === 'GET' && !path.includes('/transactions'))) {
    const own = await service.call('GET', places.fill(route.path, true))
    expect([route.path, own.status]).toEqual([route.path, 200])
  }
})

it('a record under a different holder of the same team is also 404', async () => {
  const other = await fundingAccount(service)
  for (const path of [`balances/${places.ids['balances/:id']}`, `updates/${places.ids['updates/:id']}`])
    expect((await service.call('GET', `/accounts/${other}/${path}`)).status).toBe(404)
  const entity = (await service.call('POST', '/entities', { type: 'individual', individual: {} })).body['id']
  expect((await service.call('GET', `/entities/${entity}/connect/${places.ids['connect/:id']}`)).status).toBe(404)
})

it("another team's lists contain none of our rows, with any filter", async () => {
  for (const path of [
    '/entities',
    '/accounts',
    `/accounts?holder_id=${places.ids['ent_id']}`,
    '/payments',
    `/payments?acc_id=${places.ids['acc_id']}`,
    '/opal/sessions',
    '/secrets',
    '/webhooks',
    `/opal/sessions?entity_id=${places.ids['ent_id']}`,
  ]) {
    const reply = await service.call('GET', path, undefined, { authorization: `Bearer ${stranger}` })
    expect([path, reply.body]).toEqual([path, { data: [] }])
  }
})

it('our ids count as unknown in request bodies from a child team and from another team', async () => {
  const { ids } = places
  const money = lender(service)
  const source = (await money.source('333444555')).id
  for (const key of [stranger, places.child.key]) {
    const bank = lender(service, key)
    const own = (await bank.source('666777888')).id
    const { entity, accounts } = await bank.debts()
    const debt = accounts[0]!.id
    await bank.must('PATCH', '/team', { forwarding_allow_list: ['http://127.0.0.1:1/'] })
    const rejection = async (method: string, path: string, body: unknown) =>
      ((await bank.call(method, path, body)).body.error as { sub_type: string } | undefined)?.sub_type
    const ach = { routing: '062103000', number: '123456789', type: 'checking' }
    const pay = { amount: 5_000, source: own, destination: debt, description: 'x', dry_run: true }
    const forward = { url: 'http://127.0.0.1:1/', method: 'POST', headers: {}, body: '{"a":"{{s.value}}"}' }
    const named = {
      mode: 'account_verification',
      entity_id: entity,
      account_verification: { account_id: ids['acc_id'] },
    }
    expect((await bank.call('POST', '/payments', pay)).status).toBe(200)
    const tries: [string, string, unknown, string][] = [
      ['POST', '/accounts', { holder_id: ids['ent_id'], ach }, 'INVALID_HOLDER_ID'],
      ['POST', '/payments', { ...pay, source }, 'INVALID_SOURCE'],
      ['POST', '/payments', { ...pay, destination: ids['acc_id'] }, 'INVALID_DESTINATION'],
      ['POST', '/payments', { ...pay, reversal_account: source }, 'INVALID_REQUEST'],
      ['PATCH', '/team', { default_source_account: source }, 'INVALID_SOURCE'],
      ['POST', '/elements/token', { type: 'connect', entity_id: ids['ent_id'], connect: {} }, 'INVALID_ENTITY'],
      ['POST', '/elements/token', { type: 'balance_transfer', session_id: ids['opal/sessions/:id'] }, 'NOT_FOUND'],
      ['POST', '/opal/token', { mode: 'connect', entity_id: ids['ent_id'] }, 'INVALID_ENTITY'],
      ['POST', '/opal/token', { session_id: ids['opal/sessions/:id'] }, 'NOT_FOUND'],
      ['POST', '/opal/token', named, 'INVALID_REQUEST'],
      ['POST', '/forwarding_requests', { ...forward, bindings: { s: ids['sec_id'] } }, 'BINDING_NOT_FOUND'],
      ['POST', '/simulate/events', { type: 'account.closed', account_id: ids['acc_id'] }, 'NOT_FOUND'],
      ['POST', '/teams/default_encryption_key', { key: ids['team_jwk_id'] }, 'INVALID_REQUEST'],
    ]
    for (const [method, path, body, expected] of tries)
      expect([path, body, await rejection(method, path, body)]).toEqual([path, body, expected])
    // A parent team has no access to its child's ids either.
    expect((await money.call('POST', '/payments', { ...pay, destination: ids['acc_id'] })).body.error?.sub_type).toBe(
      'INVALID_SOURCE',
    )
  }
})
