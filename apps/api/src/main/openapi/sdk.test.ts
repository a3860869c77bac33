/**
 * Tests our own library against the real service: the service accepts the library's requests, and the library accepts
 * the service's signatures.
 */
import { readFileSync } from 'node:fs'
import * as sdk from '@causeway/sdk'
import { describe, expect, it } from 'vitest'
import { signatureHeaders } from '../../notify/webhooks/sign.js'
import { HOST, Person, someone } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

/** A client that calls the service in this process and uses the service's clock. */
class Client extends sdk.Causeway {
  constructor(options: sdk.ClientOptions) {
    super({
      ...options,
      fetch: async (input, init) => service.app.api.fetch(new Request(input, init)),
      now: () => service.deps.clock(),
      sleep: async ms => service.advance(ms),
      random: () => 0.999,
    })
  }
}
const clientOf = (apiKey: string) => new Client({ apiKey, baseUrl: 'http://127.0.0.1:4000' })
const service = await testService()
const causeway = clientOf(service.key)

const rejection = async (asking: Promise<unknown>) => {
  const error = await asking.then(
    () => null,
    reason => reason,
  )
  expect(error).toBeInstanceOf(sdk.CausewayError)
  return error as sdk.CausewayError
}

async function money() {
  const company = await causeway.entities.create({ type: 'corporation', corporation: { name: 'Northwind' } })
  const ach = { routing: '062103000', number: '123456789', type: 'checking' } as const
  const source = await causeway.accounts.create({ holder_id: company.id, ach })
  const { id } = await causeway.entities.retrieve(await someone(service, '+15125550101'))
  const timestamp = '2026-03-02T10:00:00.000Z'
  const sessions = causeway.entities.verificationSessions
  await sessions.create(id, { type: 'phone', method: 'byo_sms', byo_sms: { timestamp } })
  await sessions.create(id, { type: 'identity', method: 'kba', kba: {} })
  const connect = await causeway.entities.connect.create(id, { expand: ['accounts'] })
  const [debt] = connect.accounts as sdk.Account[]
  return { amount: 5_000, source: source.id, destination: debt!.id, description: 'Loan' }
}

it('runs the example from its page', async () => {
  const page = readFileSync(new URL('../../../../../packages/sdk/README.md', import.meta.url), 'utf8')
  const example = /```js\n([\s\S]+?)```/.exec(page)?.[1] ?? ''
  const said: unknown[] = []
  const code = example.replace(/import (\{.+\}) from '@causeway\/sdk'/, 'const $1 = sdk')
  expect(code).not.toBe(example)
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  await AsyncFunction(
    'sdk',
    'process',
    'console',
    code,
  )(
    { ...sdk, Causeway: Client },
    { env: { CAUSEWAY_KEY: service.key, CAUSEWAY_URL: 'http://127.0.0.1:4000' } },
    { log: (value: unknown) => said.push(value) },
  )
  expect(said).toEqual(['ENTITY_VERIFICATION_MISSING', 'incomplete'])
})

describe('requests', () => {
  it('pay once, even if the keys change in the meantime, and report an earlier use of a key', async () => {
    const order = await money()
    await service.fault('idempotency', 'failing')
    const before = service.deps.clock()
    const payment = await causeway.payments.create(order, { maxRetries: 10, idempotencyKey: 'once' })
    expect(service.deps.clock() - before).toBeGreaterThanOrEqual(30_000)
    expect((await causeway.payments.create(order, { idempotencyKey: 'once' })).id).toBe(payment.id)
    const other = await rejection(causeway.payments.create({ ...order, amount: 6_000 }, { idempotencyKey: 'once' }))
    expect(other).toMatchObject({ sub_type: 'IDEMPOTENCY_MISMATCH', idempotency_key: 'once' })
    expect((await causeway.payments.list()).data.map(({ id }) => id)).toEqual([payment.id])
  })

  it("iterate over a list's pages, and return totals if a page number is requested", async () => {
    for (let index = 0; index < 5; index += 1) await causeway.secrets.create({ value: `value ${index}` })
    const ids: string[] = []
    for await (const { id } of causeway.secrets.list({ page_limit: 2 })) ids.push(id)
    expect(ids).toHaveLength(5)
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
    expect(await causeway.secrets.list({ page: 2, page_limit: 2 })).toMatchObject({ total_count: 5, data: [{}, {}] })
  })

  it('return the resource itself, wherever it appears in the body', async () => {
    const [entity] = (await causeway.entities.list({ page_limit: 1 })).data
    expect(await causeway.ping()).toBeUndefined()
    expect(await causeway.entities.subscriptions.list(entity!.id)).toEqual({})
    expect(await causeway.entities.products.list(entity!.id)).toMatchObject({ connect: { name: 'connect' } })
    const [secret] = (await causeway.secrets.list()).data
    expect(await causeway.secrets.delete(secret!.id)).toBeUndefined()
    const { token, session_id } = await causeway.opal.token.create({
      mode: 'balance_transfer',
      entity_id: entity!.id,
      balance_transfer: { loan_amount: 100_000 },
    })
    expect((await causeway.opal.token.retrieve(token)).id).toBe(session_id)
    expect(await causeway.opal.token.delete(token)).toBeUndefined()
    expect(await rejection(causeway.opal.token.retrieve(token))).toMatchObject({ code: 401 })
  })

  it("throw the service's errors, with their ids", async () => {
    const error = await rejection(causeway.accounts.retrieve('acc_unknown'))
    expect(error).toMatchObject({ type: 'INVALID_REQUEST', code: 404, sub_type: 'NOT_FOUND' })
    expect(error.request_id).toMatch(/^req_/)
  })

  it('name the field, and link to the endpoint in the reference', async () => {
    const refusals = [
      await rejection(
        causeway.payments.create({ amount: 0, source: 'acc_1', destination: 'acc_2', description: 'Loan' }),
      ),
      await rejection(causeway.payments.list({ page_limit: 0 })),
      await rejection(causeway.entities.create({ type: 'individual', individual: { first_name: 7 as never } })),
    ]
    expect(refusals.map(({ param }) => param)).toEqual(['amount', 'page_limit', 'individual.first_name'])
    const html = await (await service.app.api.fetch(new Request('http://127.0.0.1:4000/docs'))).text()
    for (const { doc_url } of [...refusals, await rejection(causeway.accounts.balances.retrieve('acc_1', 'bal_1'))]) {
      const { origin, pathname, hash } = new URL(doc_url ?? '')
      expect([origin, pathname]).toEqual(['http://127.0.0.1:4000', '/docs'])
      expect(html).toContain(`<article id="${hash.slice(1)}">`)
    }
  })
})

it('a delivery that the service signs is accepted, and signWebhook creates the same signature', async () => {
  const at = service.deps.clock()
  const now = () => at
  const body = JSON.stringify({ id: 'pmt_1', event: 'evt_1' })
  for (const secret of ['a secret', `whsec_${Buffer.alloc(24, 5).toString('base64')}`]) {
    const headers = signatureHeaders({ id: 'dlv_1', at, body, secrets: [secret, 'older'], token: null, peer: false })
    for (const known of [secret, 'older'])
      expect(await sdk.verifyWebhook({ body, headers, secret: known, now })).toMatchObject({ delivery_id: 'dlv_1' })
    const { 'Content-Type': _, ...signed } = await sdk.signWebhook({ body, secret, id: 'dlv_1', now })
    expect(signed).toEqual(signatureHeaders({ id: 'dlv_1', at, body, secrets: [secret], token: null, peer: false }))
  }
})

it("a session's result is accepted by its own team, for ten minutes", async () => {
  const entity = await someone(service, '+15125550101')
  const { element_token, session_id } = await causeway.elements.token.create({
    type: 'balance_transfer',
    entity_id: entity,
    balance_transfer: { loan_amount: 500_000 },
    allowed_origins: [HOST],
  })
  const person = await Person.arrive(service, element_token)
  await person.arriveAtAccounts()
  const { accounts } = person.data('selection')
  await person.send({ action: 'select', accounts: accounts.map(({ id }) => id) })
  await person.send({ action: 'review', allocations: person.data('allocation').suggestion })
  await person.send({ action: 'confirm' })
  const result = person.view.result ?? ''

  const claims = await causeway.verifyResult(result)
  const { bt } = await causeway.opal.sessions.retrieve(session_id)
  expect(claims).toMatchObject({ sub: session_id, entity_id: entity, mode: 'balance_transfer' })
  expect(claims.allocated).toBe(Object.values(bt?.allocations ?? {}).reduce((sum, cents) => sum + cents, 0))
  const { key } = await service.anotherTeam()
  await expect(clientOf(key).verifyResult(result)).rejects.toMatchObject({ reason: 'audience' })
  service.advance(11 * 60_000)
  await expect(causeway.verifyResult(result)).rejects.toBeInstanceOf(sdk.VerificationError)
})
