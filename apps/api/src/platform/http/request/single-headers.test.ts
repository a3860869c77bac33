import { afterAll, describe, expect, it } from 'vitest'
import { createConsole } from '../../../console/app.js'
import { createLiveRows } from '../../../console/live/live-rows.js'
import { createOps } from '../../../main/listeners/ops.js'
import { errorOf, rejectionOf } from '../../../testing/contract/cases.js'
import { lender } from '../../../testing/money.js'
import { asBytes, openApi, openListener, sendRaw } from '../../../testing/raw-request.js'
import { testService } from '../../../testing/service.js'

const service = await testService()
const api = await openApi(service)
const { source, debts } = lender(service)
const payment: Record<string, unknown> = {
  amount: 5_000,
  source: (await source()).id,
  destination: (await debts()).accounts[0]!.id,
  description: 'Loan',
}
afterAll(() => api.close())

const count = async (table: 'payments' | 'idempotency') =>
  (await service.store.reader.selectFrom(table).select('team_id').execute()).length
const keyLine = (value: string) => `Idempotency-Key: ${asBytes(value)}`

/** Pays with each form of the key in turn. Returns the number of payments and the statuses of the responses. */
async function pay(...forms: (readonly string[])[]) {
  const before = await count('payments')
  const replies = []
  for (const lines of forms) replies.push(await api.post('/payments', payment, lines))
  expect(new Set(replies.map(reply => reply.text)).size).toBe(1)
  expect(replies.slice(1).every(reply => reply.headers['idempotency-mismatch'] === undefined)).toBe(true)
  return { payments: (await count('payments')) - before, status: replies[0]!.status }
}

describe('an idempotency key on the way', () => {
  it.each<[string, string, readonly string[]]>([
    ['sent in two equal headers', 'order-1', ['order-1', 'order-1']],
    ['sent in three equal headers', 'order-2', ['order-2', 'order-2', 'order-2']],
    ['joined by a proxy', 'order-3', ['order-3, order-3']],
    ['joined without a space', 'order-4', ['order-4,order-4,order-4']],
    ['joined with an empty copy', 'order-5', [' , order-5,']],
    ['sent beside an empty header', 'order-6', ['', 'order-6', '']],
    ['in double quotes', 'order-7', ['"order-7"']],
    ['in double quotes and joined', 'order-8', ['"order-8", "order-8"']],
    ['quoted in one of two headers', 'order-9', ['"order-9"', 'order-9']],
    ['with a comma, joined', 'loan 10, part 1', ['loan 10, part 1, loan 10, part 1']],
    ['with a comma, in double quotes', 'loan 11, loan 11b', ['"loan 11, loan 11b"']],
    ['with a comma, in double quotes and joined', 'loan 12,a', ['"loan 12,a","loan 12,a"']],
    ['of other letters, joined', 'crédit à', ['crédit à, crédit à']],
    ['of 255 characters, joined', 'é'.repeat(255), [`${'é'.repeat(255)}, ${'é'.repeat(255)}`]],
  ])('is one key and makes one payment if it is %s', async (_, key, values) => {
    const sent = values.map(keyLine)
    expect(await pay(sent, [keyLine(key)], sent)).toEqual({ payments: 1, status: 200 })
  })

  it.each<[string, readonly string[]]>([
    ['two different headers', ['a-1', 'a-2']],
    ['headers that differ in case', ['b-1', 'B-1']],
    ['two headers that share a part', ['c-1', 'c-1, c-2']],
    ['bytes that are not UTF-8', ['d-\xe9']],
    ['a cut off character', ['e-\xc3']],
    ['an empty value', ['']],
    ['only commas', [' , ,']],
    ['empty double quotes', ['""']],
    ['256 characters', ['x'.repeat(256)]],
  ])('is rejected before anything is stored if it has %s', async (_, values) => {
    const before = [await count('payments'), await count('idempotency')]
    const reply = await api.post(
      '/payments',
      payment,
      values.map(value => `Idempotency-Key: ${value}`),
    )
    expect([reply.status, rejectionOf(reply)]).toEqual([400, 'INVALID_REQUEST'])
    expect(errorOf(reply.body).message).toMatch(/Idempotency-Key/)
    expect([await count('payments'), await count('idempotency')]).toEqual(before)
  })

  it('keeps different keys apart', async () => {
    const keys = ['k', 'k,l', 'l,k', 'k;k', '"k', 'k"', '"k" and "k"', 'K', 'k k', 'k,l,k', 'ké', 'kè', 'k’', 'k‘']
    const before = await count('payments')
    for (const key of keys) expect((await api.post('/payments', payment, [keyLine(key)])).status).toBe(200)
    expect((await count('payments')) - before).toBe(keys.length)
  })

  it('in the query is the same key as in the header', async () => {
    const before = await count('payments')
    const query = (search: string) => api.post(`/payments?${search}`, payment)
    const replies = [
      await query('idempotency_key=query-%C3%A9+1'),
      await query('idempotency_key=query-%c3%a9%201&idempotency_key=query-%C3%A9+1'),
      await query('idempotency%5Fkey=query-%C3%A9+1'),
      await query('a=1;%69dempotency_ke%79=query-%C3%A9+1'),
      await api.post('/payments', payment, [keyLine('query-é 1')]),
      await api.post('/payments?idempotency_key=query-%C3%A9%201', payment, [keyLine('query-é 1')]),
    ]
    expect(replies.map(reply => reply.text)).toEqual(Array(6).fill(replies[0]!.text))
    expect((await count('payments')) - before).toBe(1)
  })

  it('is rejected if the header and the query differ', async () => {
    const before = [await count('payments'), await count('idempotency')]
    const reply = await api.post('/payments?idempotency_key=b', payment, [keyLine('a')])
    expect([reply.status, errorOf(reply.body).message]).toEqual([400, expect.stringContaining('different values')])
    expect([await count('payments'), await count('idempotency')]).toEqual(before)
  })

  it('may come after a thousand other headers', async () => {
    const others = Array.from({ length: 1_200 }, () => 'a:')
    const before = await count('payments')
    const replies = [
      await api.post('/payments', payment, [...others, keyLine('after others')]),
      await api.post('/payments', payment, [keyLine('after others')]),
    ]
    expect(replies.map(reply => reply.text)).toEqual(Array(2).fill(replies[0]!.text))
    expect((await count('payments')) - before).toBe(1)
    const differing = await api.post('/payments', payment, [keyLine('first'), ...others, keyLine('second')])
    expect(differing.status).toBe(400)
  })

  it.each([
    ['bytes that are not UTF-8', 'idempotency_key=%E9'],
    ['two different values', 'idempotency_key=a&idempotency_key=b'],
    ['an empty value', 'idempotency_key='],
    ['256 characters', `idempotency_key=${'x'.repeat(256)}`],
    ['a hyphen in its name', 'idempotency-key=a'],
    ['other case in its name', 'Idempotency_Key=a'],
    ['no separator in its name', 'idempotencyKey=a'],
    ['the form of a list', 'idempotency_key[]=a'],
    ['an encoded list', 'idempotency%5Fkey%5B0%5D=a'],
    ['a space in its name', '%20idempotency_key=a'],
  ])('in the query is rejected if it has %s', async (_, search) => {
    const before = [await count('payments'), await count('idempotency')]
    const reply = await api.post(`/payments?${search}`, payment)
    expect([reply.status, rejectionOf(reply)]).toEqual([400, 'INVALID_REQUEST'])
    expect([await count('payments'), await count('idempotency')]).toEqual(before)
  })
})

describe('a header that occurs once', () => {
  const json = 'Content-Type: application/json'
  const holder = { type: 'individual', individual: {} }
  it('may come in equal copies', async () => {
    const secret = `Authorization: Bearer ${service.key}`
    const lines = [secret, secret, json, json, 'Service-Version: 2026-03-30', 'Service-Version: 2026-03-30']
    const body = JSON.stringify(holder)
    expect((await sendRaw(api.port, '/entities', { lines, body })).status).toBe(200)
    const joined = [`${secret}, Bearer ${service.key}`, `${json},application/json`]
    expect((await sendRaw(api.port, '/entities', { lines: joined, body })).status).toBe(200)
    const prefer = ['Prefer: respond-async', 'Prefer: respond-async', 'Prefer: wait=5']
    expect((await api.post('/entities', holder, prefer)).status).toBe(200)
  })

  it.each([
    'Authorization',
    'Content-Type',
    'Content-Encoding',
    'Service-Version',
    'Method-Version',
    'Service-MLE',
    'Method-MLE',
    'Idempotency-Key',
    'Origin',
    'Sec-Fetch-Site',
    'Connector-Signature',
  ])('%s is rejected if its copies differ, on every listener', async name => {
    const ops = createOps(service.deps, () => true)
    const desk = createConsole({
      deps: service.deps,
      origin: 'http://localhost:4300',
      allowsKeys: true,
      oidc: null,
      live: createLiveRows(service.deps),
      api: (request, user) => service.app.api.fetch(request, { user }),
      page: '',
      asset: () => new Response(),
    })
    const listeners = [
      await openListener((request, env) => service.app.frame.fetch(request, env)),
      await openListener((request, env) => desk.fetch(request, env)),
      await openListener(ops),
    ]
    const lines = [`${name}: one`, `${name.toUpperCase()}: two`]
    for (const [port, path] of [
      [api.port, '/entities'],
      [api.port, '/enveloped/entities'],
      [listeners[0]!.port, '/s/redeem'],
      [listeners[1]!.port, '/api/session'],
      [listeners[2]!.port, '/livez'],
    ] as const) {
      const reply = await sendRaw(port, path, { lines, body: '{}' })
      const error = errorOf(reply.body)
      expect([reply.status, error.sub_type, error.message]).toEqual([
        400,
        'INVALID_REQUEST',
        expect.stringContaining(`several ${name.toUpperCase()} headers with different values`),
      ])
      expect(reply.headers['request-id']).toMatch(/^req_/)
      expect('success' in (reply.body as object)).toBe(path.startsWith('/enveloped'))
    }
    for (const listener of listeners) await listener.close()
  })
})
