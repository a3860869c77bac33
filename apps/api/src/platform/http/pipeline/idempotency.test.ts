import { describe, expect, it, vi } from 'vitest'
import { errorOf, NEWEST, rejectionOf } from '../../../testing/contract/cases.js'
import { lender } from '../../../testing/money.js'
import { asBytes } from '../../../testing/raw-request.js'
import { type Reply, testService } from '../../../testing/service.js'

const service = await testService()

const blank = { type: 'individual', individual: {} }
const kevin = { type: 'individual', individual: { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550101' } }
const post = (key: string, path = '/entities', body: unknown = blank, headers: Record<string, string> = {}) =>
  service.call('POST', path, body, { 'idempotency-key': key, ...headers })
const count = async (table: 'entities' | 'events' | 'jobs' | 'payments' = 'entities') => {
  const { n } = await service.store.reader
    .selectFrom(table)
    .select(query => query.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}
const how = (reply: Reply) => ({
  status: reply.status,
  text: reply.text,
  idem: reply.headers.get('idem-status'),
  replayed: reply.headers.get('idempotency-replayed'),
  mismatch: reply.headers.get('idempotency-mismatch'),
})

describe('an idempotency key', () => {
  it('8 idempotency key has 1 to 255 characters of any kind, and applies to every POST', async () => {
    for (const text of ['a', 'x'.repeat(255), 'ä ö/%&"\'', '2b1f6c5e-0d3c-4b1e-9d7a-3f0f6a1c2d3e']) {
      const key = asBytes(text)
      expect([(await post(key)).status, (await post(key)).headers.get('idem-status')]).toEqual([200, 'replayed'])
    }
    for (const key of ['', ' ', 'x'.repeat(256)]) {
      const before = await count()
      const reply = await post(key)
      expect([reply.status, rejectionOf(reply)]).toEqual([400, 'INVALID_REQUEST'])
      expect(errorOf(reply.body).message).toMatch(/^Idempotency-Key must be 1 to 255 characters/)
      expect(await count()).toBe(before)
    }
  })

  it('in the query applies if the header is absent', async () => {
    const first = await service.call('POST', '/entities?idempotency_key=in-query', blank)
    expect(first.headers.get('idem-status')).toBe('stored')
    expect((await service.call('POST', '/entities?idempotency_key=in-query', blank)).text).toBe(first.text)
    expect((await post('in-query')).text).toBe(first.text)
    const other = await post('in-header', '/entities?idempotency_key=in-query')
    expect(other.text).not.toBe(first.text)
  })

  it('is ignored for a GET or a PUT', async () => {
    const made = await post('means-nothing')
    const headers = { 'idempotency-key': 'means-nothing' }
    for (const [method, body] of [['GET'], ['PUT', { metadata: { a: 1 } }], ['PUT', { metadata: { a: 2 } }]] as const) {
      const reply = await service.call(method, `/entities/${made.body['id']}`, body, headers)
      expect([reply.status, reply.headers.get('idem-status')]).toEqual([200, 'bypassed'])
      if (body) expect(reply.body['metadata']).toEqual(body.metadata)
    }
  })

  // kills: keys-of-own-team
  it('of one team does not affect another', async () => {
    const other = await service.anotherTeam()
    const first = await post('shared')
    const second = await post('shared', '/entities', blank, { authorization: `Bearer ${other.key}` })
    expect(second.headers.get('idem-status')).toBe('stored')
    expect(second.body['id']).not.toBe(first.body['id'])
  })
})

describe('a replay', () => {
  it('7 replay is byte for byte the first response, with its own Request-Id', async () => {
    const first = await post('bytes', '/entities', kevin)
    const events = await count('events')
    const second = await post('bytes', '/entities', kevin)
    expect(how(first)).toMatchObject({ status: 200, idem: 'stored', replayed: null, mismatch: null })
    expect(how(second)).toEqual({ ...how(first), idem: 'replayed', replayed: 'true' })
    expect(second.headers.get('request-id')).not.toBe(first.headers.get('request-id'))
    expect(second.headers.get('content-type')).toBe('application/json')
    expect(await count('events')).toBe(events)
  })

  it('7 replay includes every rejection: invalid JSON and fields, and an unknown path, id or version', async () => {
    const cases: [string, unknown, Record<string, string>?][] = [
      ['/entities', '{"type":'],
      ['/entities', '[]'],
      ['/entities', {}],
      ['/entities', { type: 'individual', individual: { phone: '1' } }],
      ['/no/such/path', {}],
      ['/entities/ent_unknown/connect', {}],
      ['/opal/sessions/osess_unknown', { action: 'release_payments' }],
      ['/entities', `"${'x'.repeat(1_048_576)}"`],
      ['/enveloped/elements/token', {}, { 'service-version': '1999-01-01' }],
      ['/payments', { amount: 5_000 }],
    ]
    for (const [index, [path, body, headers]] of cases.entries()) {
      const first = await post(`refused-${index}`, path, body, headers)
      expect([first.status >= 400, first.headers.get('idem-status')]).toEqual([true, 'stored'])
      const second = await post(`refused-${index}`, path, body, headers)
      expect(how(second)).toMatchObject({ status: first.status, text: first.text, idem: 'replayed', mismatch: null })
      const other = await post(`refused-${index}`, path, { other: 1 }, headers)
      expect(how(other)).toMatchObject({ status: first.status, text: first.text, idem: 'replayed', mismatch: 'true' })
    }
  })

  // kills: fault-undoes-effect
  it('7 replay of a 500 is stored after its effect is rolled back, and is returned from then on', async () => {
    const before = [await count(), await count('events'), await count('jobs')]
    vi.spyOn(service.deps.jobs, 'enqueue').mockRejectedValueOnce(new Error('canary of a queue'))
    const first = await post('fault', '/entities', kevin)
    expect([first.status, first.headers.get('idem-status')]).toEqual([500, 'stored'])
    expect([await count(), await count('events'), await count('jobs')]).toEqual(before)
    const second = await post('fault', '/entities', kevin)
    expect(how(second)).toMatchObject({ status: 500, text: first.text, idem: 'replayed' })
    expect(await count()).toBe(before[0])
    expect(service.lines.join('')).not.toContain('canary')
    expect((await post('another', '/entities', kevin)).status).toBe(200)
  })

  it.each<[string, string, unknown, number]>([
    ['an answer', '/entities', kevin, 200],
    ['a rejected field', '/entities', { type: 'individual', individual: { phone: '1' } }, 400],
    ['an unknown path', '/no/such/path', {}, 404],
    ['a value that is shown once', '/teams', { name: 'Northwind “Child” Ltd' }, 200],
  ])('has the form of its own mount and the version of the first request: %s', async (name, path, body, status) => {
    for (const [version, first, second] of [
      ['2020-12-06', '', '/enveloped'],
      [NEWEST, '/enveloped', ''],
    ] as const) {
      const send = (mount: string, sent: string, key = `${name} ${version}`) =>
        post(key, `${mount}${path}`, body, { [mount === '' ? 'service-version' : 'method-version']: sent })
      const made = await send(first, version)
      expect([made.status, made.headers.get('idem-status')]).toEqual([status, 'stored'])
      const again = await send(second, NEWEST)
      expect(how(again)).toMatchObject({ status, idem: 'replayed', mismatch: null })
      const inner = (reply: Reply, mount: string) =>
        mount === '' ? reply.body : (reply.body as { data: unknown }).data
      // A new key is shown only once.
      if (!again.text.includes('"value":null')) expect(inner(again, second)).toEqual(inner(made, first))
      const fresh = await send(second, version, `${name} ${version} fresh`)
      expect(Object.keys(again.body)).toEqual(Object.keys(fresh.body))
      expect((again.body as { message?: unknown }).message).toEqual((fresh.body as { message?: unknown }).message)
      if (!made.text.includes('"value":"sk_')) expect((await send(first, version)).text).toBe(made.text)
    }
  })

  it('has the version of the first request, whatever its own version', async () => {
    const first = await post('versions')
    expect((await post('versions', '/entities', blank, { 'service-version': NEWEST })).text).toBe(first.text)
    expect((await post('versions', '/entities', blank, { 'service-version': 'x' })).text).toBe(first.text)
  })

  it('compares bodies as JSON: spacing, order and escapes do not matter', async () => {
    const text =
      '{"type":"individual","individual":{"first_name":"Zoé","last_name":"🌸"},"metadata":{"a":1,"b":[1,{"c":-0,"d":"/"}]}}'
    const first = await post('json', '/entities', text)
    const same = [
      ` {\n"individual" : {"last_name":"\\ud83c\\udf38","first_name":"Zo\\u00e9"},"metadata":{"b":[1.0,{"d":"\\/","c":0}],"\\u0061":1e0},\t"type":"individual"}\r\n`,
      text.replace('"a":1', '"a":0.1e1'),
    ]
    for (const body of same)
      expect(how(await post('json', '/entities', body))).toMatchObject({ text: first.text, mismatch: null })
    const others = [
      text.replace('[1,{', '[2,{'),
      text.replace('"a":1', '"a":"1"'),
      text.replace('"a":1', '"a":true'),
      text.replace('"a":1,', ''),
      text.replace('Zoé', 'Zoe\u0301'),
      text.replace('[1,{"c":-0,"d":"/"}]', '[{"c":-0,"d":"/"},1]'),
    ]
    for (const body of others)
      expect(how(await post('json', '/entities', body))).toMatchObject({ text: first.text, mismatch: 'true' })
    const empty = await post('empty', '/teams/mle/public_keys', '')
    expect(how(await post('empty', '/teams/mle/public_keys', ' {} '))).toMatchObject({
      text: empty.text,
      mismatch: null,
    })
  })

  // kills: replay-reports-other-body
  it('reports a mismatch if the body differs, and has no effect', async () => {
    const first = await post('differs')
    const before = await count()
    expect(how(await post('differs', '/entities', kevin))).toMatchObject({ text: first.text, mismatch: 'true' })
    expect(how(await post('differs', '/entities', '{'))).toMatchObject({ text: first.text, mismatch: 'true' })
    expect(how(await post('differs'))).toMatchObject({ mismatch: null })
    expect(await count()).toBe(before)
  })

  // kills: replay-for-same-path
  it('is never the response to another path: the request is rejected, and the key stays with the first one', async () => {
    const body = { type: 'connect', connect: { products: [] } }
    const first = await post('token-1', '/elements/token', { ...body, entity_id: (await post('of token')).body['id'] })
    expect(first.status).toBe(200)
    const before = await count()
    for (const path of ['/entities', '/enveloped/entities', '/opal/token', '/no/such/path']) {
      const other = await post('token-1', path)
      expect([other.status, rejectionOf(other)]).toEqual([400, 'INVALID_REQUEST'])
      expect(errorOf(other.body).message).toMatch(
        /^This Idempotency-Key was already used for a request with another method/,
      )
      expect(how(other)).toMatchObject({ idem: 'bypassed', replayed: null, mismatch: 'true' })
      expect(other.text).not.toContain('pk_elem_')
    }
    expect(await count()).toBe(before)
  })

  it('is never the response to a request of another entity or account', async () => {
    const [one, two] = [(await post('e-1')).body['id'], (await post('e-2')).body['id']]
    const start = (id: string) =>
      post('of one', `/entities/${id}/verification_sessions`, { type: 'phone', method: 'sms', sms: {} })
    const first = await start(one)
    expect((await start(one)).text).toBe(first.text)
    expect((await start(two)).status).toBe(400)
  })

  it('works after a restart', async () => {
    const first = await post('restart')
    const after = await service.again()
    const second = await after.call('POST', '/entities', blank, { 'idempotency-key': 'restart' })
    expect(how(second)).toMatchObject({ text: first.text, idem: 'replayed' })
  })

  it('does not include responses sent before execution: a 401 leaves the key unused', async () => {
    expect((await post('free', '/entities', blank, { authorization: 'Bearer sk_x' })).status).toBe(401)
    expect((await post('free', '/entities', blank, { origin: 'https://a.example' })).status).toBe(401)
    expect(how(await post('free'))).toMatchObject({ status: 200, idem: 'stored' })
  })

  // kills: answers-are-sealed
  it('is stored encrypted', async () => {
    await post('sealed', '/entities', { type: 'individual', individual: { first_name: 'Canarybird' } })
    const rows = await service.store.reader.selectFrom('idempotency').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('Canarybird')
  })
})

describe('simultaneous requests', () => {
  // kills on PostgreSQL: key-belongs-to-first-request
  it('100 posts with one key, through two processes if the engine supports them, have one effect and return equal bytes', async () => {
    const other = service.store.engine === 'postgres' ? await service.again() : service
    const before = await count()
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 ? other : service).call('POST', '/entities', kevin, { 'idempotency-key': 'at-once' }),
      ),
    )
    expect(await count()).toBe(before + 1)
    expect(new Set(replies.map(reply => `${reply.status} ${reply.text}`)).size).toBe(1)
    expect(replies.filter(reply => reply.headers.get('idem-status') === 'stored')).toHaveLength(1)
  })

  it('4.11.2 100 simultaneous payments with one key create one payment and return equal bytes', async () => {
    const { source, debts } = lender(service)
    const from = await source()
    const { accounts } = await debts()
    const body = { amount: 5_000, source: from.id, destination: accounts[0]!.id, description: 'Loan' }
    const before = await count('payments')
    const replies = await Promise.all(Array.from({ length: 100 }, () => post('pay', '/payments', body)))
    expect(await count('payments')).toBe(before + 1)
    expect(new Set(replies.map(reply => `${reply.status} ${reply.text}`)).size).toBe(1)
    expect(replies[0]!.status).toBe(200)
  })

  it('with different keys do not wait for each other', async () => {
    const before = await count()
    const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => post(`apart-${index}`)))
    expect(new Set(replies.map(reply => reply.body['id'])).size).toBe(40)
    expect(await count()).toBe(before + 40)
  })
})
