import { afterAll, beforeAll, expect, it } from 'vitest'
import { addTransaction } from '../accounts/transactions.js'
import { routes } from '../app.js'
import { createId } from '../crypto/random.js'
import { paymentInstruments } from '../products/payment-instrument.js'
import { products } from '../products/registry.js'
import { insertRecord } from '../products/store.js'
import { transact } from '../scope.js'
import { findTeam } from '../teams/store.js'
import { publicJwk } from '../testing/encryption.js'
import { confirmed, fundingAccount } from '../testing/frame.js'
import { lender } from '../testing/money.js'
import { type TestService, testService } from '../testing/service.js'

let service: TestService
let stranger: string
/** Ids of our team by the name of their place in a path. */
let ids: Record<string, string>
const never = '0000000000000'

beforeAll(async () => {
  service = await testService()
  stranger = (await service.anotherTeam()).key
  const { must } = lender(service)
  const source = await fundingAccount(service)
  const { session, accounts, entity } = await confirmed(service, '+15125550100')
  await service.call('POST', `/opal/sessions/${session}`, { action: 'release_payments', data: { source } })
  const released = await service.call('GET', `/opal/sessions/${session}`)
  const account = accounts[0]!
  const element = await must('POST', '/elements/token', { type: 'balance_transfer', session_id: session })
  const shown = await must('GET', `/entities/${entity}`)
  const payment = Object.values(released.body['data']['bt']['payment_ids'] as Record<string, string>)[0]!
  const needs = (await must('GET', `/accounts?holder_id=${entity}&liability.mch_id=mch_301761`)) as unknown as {
    data: { id: string }[]
  }
  const named = async (path: string, name: string) =>
    ((await must('GET', path)) as unknown as { data: Record<string, { id: string }> }).data[name]!
  const verification = await must('POST', `/accounts/${needs.data[0]!.id}/verification_sessions`, { type: 'standard' })
  const made = await records(entity, account)
  const hook = await must('POST', '/webhooks', { type: 'entity.create', url: 'http://127.0.0.1:1/hook' })
  await must('POST', '/entities', { type: 'corporation', corporation: { name: 'Told' } })
  const [told] = (await must('GET', `/webhooks/${hook.id}/deliveries`))['data'] as { id: string; event_id: string }[]
  for (const status of ['processing', 'sent']) await must('POST', `/simulate/payments/${payment}`, { status })
  const back = { status: 'reversal_required', error_code: 10009 }
  const reversal = (await must('POST', `/simulate/payments/${payment}`, back))['reversal_id'] as string
  const instrument = made['accounts/:acc_id/payment_instruments/:id']!
  ids = {
    ent_id: entity,
    acc_id: account,
    pmt_id: payment,
    rvs_id: reversal,
    'simulate/payments/payment_instruments/:id': instrument,
    'simulate/payments/payment_instrument/:id': instrument,
    token: element['element_token'] as string,
    'opal/sessions/:id': session,
    'elements/sessions/:id': session,
    sec_id: (await must('POST', '/secrets', { value: 'x' })).id,
    freq_id: await forwarded(),
    rpt_id: (await must('POST', '/reports', { type: 'ach.pull.upcoming' })).id,
    whk_id: hook.id,
    dlv_id: told!.id,
    evt_id: told!.event_id,
    key_id: (await must('POST', '/team/keys')).id,
    team_jwk_id: (await must('POST', '/teams/mle/public_keys', { jwk: await publicJwk('ours') })).id,
    macc_id: ((await must('GET', '/managed_accounts'))['data'] as { id: string }[])[0]!.id,
    ...made,
    crs_id: made['entities/:ent_id/credit_scores/:id']!,
    again: entity,
    'entities/:ent_id/products/:prd_id': (await named(`/entities/${entity}/products`, 'connect')).id,
    'accounts/:acc_id/products/:prd_id': (await named(`/accounts/${account}/products`, 'balance')).id,
    'entities/:ent_id/subscriptions/:sub_id': (
      await must('POST', `/entities/${entity}/subscriptions`, { enroll: 'connect' })
    ).id,
    'accounts/:acc_id/subscriptions/:sub_id': (
      await must('POST', `/accounts/${account}/subscriptions`, { enroll: 'update' })
    ).id,
    'accounts/:acc_id/verification_sessions/:id': verification.id,
    'entities/:ent_id/verification_sessions/:id': (
      shown['verification'] as { phone: { latest_verification_session: string } }
    ).phone.latest_verification_session,
    'needs number': needs.data[0]!.id,
  }
})
afterAll(() => service.stop())

const purchase = {
  descriptor: 'Coffee',
  merchant: null,
  merchant_category_code: '5814',
  amount: 450,
  currency_code: 'USD',
  transacted_at: '2026-03-01T10:00:00.000Z',
  posted_at: null,
  voided_at: null,
}

/** A request that went nowhere: nobody listens there. */
async function forwarded(): Promise<string> {
  const { must, call } = lender(service)
  const url = 'http://127.0.0.1:1/'
  await must('PATCH', '/team', { forwarding_allow_list: [url] })
  const { text } = await call('POST', '/forwarding_requests', {
    url,
    method: 'POST',
    headers: {},
    body: '1',
    bindings: {},
  })
  return /freq_\w+/.exec(text)![0]
}

/** A record of every product there is, by its path. */
async function records(entity: string, account: string): Promise<Record<string, string>> {
  const team = (await findTeam(service.store.reader, service.team))!
  const made = await transact(service.deps, team, scope =>
    Promise.all(
      [...products, ...paymentInstruments].map(async ({ path, prefix, name, holder }) => {
        const id = createId(prefix, scope.now)
        const holder_id = holder === 'entity' ? entity : account
        await insertRecord(scope, { id, holder_id, product: name, status: 'pending' })
        const base = holder === 'entity' ? 'entities/:ent_id' : 'accounts/:acc_id'
        return [`${base}/${path}/:id`, id] as const
      }),
    ),
  )
  const bought = await transact(service.deps, team, scope => addTransaction(scope, account, purchase, 'sub_none'))
  return { ...Object.fromEntries(made), 'accounts/:acc_id/transactions/:id': bought!.id }
}

/** Bodies that would be taken if the id were the caller's own. */
const bodies: Record<string, unknown> = {
  'POST /opal/sessions/:id': { action: 'release_payments' },
  'POST /simulate/opal/sessions/:id': { allocations: {} },
  'POST /entities/:ent_id/verification_sessions': { type: 'phone', method: 'sms', sms: {} },
  'PUT /entities/:ent_id/verification_sessions/:id': { type: 'phone', method: 'sms', sms: { sms_code: '123456' } },
  'PUT /accounts/:acc_id/verification_sessions/:id': { standard: { number: '4000000000090342' } },
  'POST /accounts/:acc_id/verification_sessions': { type: 'standard' },
  'PUT /payments/:pmt_id/reversals/:rvs_id': { status: 'pending' },
  'POST /simulate/payments/payment_instruments/:id': { amount: 100 },
  'POST /simulate/payments/payment_instrument/:id': { amount: 100 },
  'POST /simulate/payments/:pmt_id': { status: 'processing' },
  'PUT /entities/:ent_id': { metadata: {} },
  'POST /entities/:ent_id/consent': { type: 'withdraw' },
  'POST /accounts/:acc_id/consent': { type: 'withdraw' },
  'POST /simulate/entities/:ent_id/connect': { behaviors: ['new_auto_loan_account'] },
  'POST /simulate/entities/:ent_id/attributes': { behaviors: ['new_soft_inquiry'] },
  'POST /entities/:ent_id/subscriptions': { enroll: 'connect' },
  'POST /accounts/:acc_id/subscriptions': { enroll: 'update' },
  'PATCH /webhooks/:whk_id': { status: 'active' },
  'POST /webhooks/:whk_id/rotate': { auth_token: 'x' },
  'POST /webhooks/:whk_id/redeliver': { since: '2026-03-01T00:00:00.000Z' },
}
/** Merchants, card products and keys of the service belong to nobody. */
const shared = /^\/(merchants|card_products?|auth)\//
const ours = () => routes.filter(({ path, auth }) => path.includes(':') && auth !== 'opal' && !shared.test(path))

/** A path with an id in each place: the one we have for it, or one like it that nobody has. */
function fill(path: string, real: boolean): string {
  return path.replace(/:(\w+)/g, (_, name: string, at: number) => {
    const before = path.slice(0, at).replace(/^\//, '')
    const key = Object.keys(ids)
      .filter(known => known.endsWith(`:${name}`) && (before + `:${name}`).endsWith(known))
      .sort((a, b) => b.length - a.length)[0]
    const id = ids[key ?? name]
    if (id === undefined) throw new Error(`The walk has no id for ${name} of ${path}`)
    const own = path.includes('accounts/:acc_id/verification_sessions') && name === 'acc_id' ? ids['needs number']! : id
    return real ? own : own.replace(/^([a-z_]+_).*/, `$1${never}`)
  })
}

it('every route with an id of another team answers as for an id that nobody has: 404 and the same bytes', async () => {
  expect(ours().length).toBeGreaterThan(15)
  for (const route of ours())
    for (const mount of ['', '/enveloped'])
      for (const version of ['2024-04-04', '2026-03-30']) {
        const name = `${route.method} ${route.path}`
        const body = route.method === 'GET' ? undefined : (bodies[name] ?? {})
        const headers = { authorization: `Bearer ${stranger}`, 'service-version': version }
        const foreign = await service.call(route.method, mount + fill(route.path, true), body, headers)
        const unknown = await service.call(route.method, mount + fill(route.path, false), body, headers)
        expect([name, foreign.status]).toEqual([name, 404])
        expect([name, foreign.status, foreign.text]).toEqual([name, unknown.status, unknown.text])
      }
})

it('the owner finds each of them, so the walk walks on real ids', async () => {
  // Transactions are there for a subscribed card alone; their own tests have one.
  for (const route of ours().filter(({ method, path }) => method === 'GET' && !path.includes('/transactions'))) {
    const own = await service.call('GET', fill(route.path, true))
    expect([route.path, own.status]).toEqual([route.path, 200])
  }
})

it('a record under another holder of the same team is 404 too', async () => {
  const other = await fundingAccount(service)
  for (const path of [`balances/${ids['balances/:id']}`, `updates/${ids['updates/:id']}`])
    expect((await service.call('GET', `/accounts/${other}/${path}`)).status).toBe(404)
  const entity = (await service.call('POST', '/entities', { type: 'individual', individual: {} })).body['id']
  expect((await service.call('GET', `/entities/${entity}/connect/${ids['connect/:id']}`)).status).toBe(404)
})

it('lists of another team hold nothing of ours, whatever the filter', async () => {
  for (const path of [
    '/entities',
    '/accounts',
    `/accounts?holder_id=${ids['ent_id']}`,
    '/payments',
    `/payments?acc_id=${ids['acc_id']}`,
    '/opal/sessions',
    '/secrets',
    '/webhooks',
    `/opal/sessions?entity_id=${ids['ent_id']}`,
  ]) {
    const reply = await service.call('GET', path, undefined, { authorization: `Bearer ${stranger}` })
    expect([path, reply.body]).toEqual([path, { data: [] }])
  }
})

it('ids of ours in the bodies of another team are unknown ones', async () => {
  const headers = { authorization: `Bearer ${stranger}` }
  const refusal = async (path: string, body: unknown) =>
    (await service.call('POST', path, body, headers)).body['error']['sub_type']
  const ach = { routing: '062103000', number: '123456789', type: 'checking' }
  expect(await refusal('/accounts', { holder_id: ids['ent_id'], ach })).toBe('INVALID_HOLDER_ID')
  expect(await refusal('/elements/token', { type: 'connect', entity_id: ids['ent_id'] })).toBe('INVALID_ENTITY')
  expect(await refusal('/opal/token', { mode: 'connect', entity_id: ids['ent_id'] })).toBe('INVALID_ENTITY')
  expect(await refusal('/opal/token', { session_id: ids['opal/sessions/:id'] })).toBe('NOT_FOUND')
  const payment = { amount: 5_000, source: ids['acc_id'], destination: ids['acc_id'], description: 'x' }
  expect(await refusal('/payments', { ...payment, destination: 'acc_other' })).toBe('INVALID_SOURCE')
})
