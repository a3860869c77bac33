import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { errorOf, NEWEST } from '../../testing/cases.js'
import { lender } from '../../testing/money.js'
import { asBytes } from '../../testing/raw-request.js'
import { type Reply, type TestService, testService } from '../../testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.stop())

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
      expect([reply.status, errorOf(reply.body).sub_type]).toEqual([400, 'INVALID_REQUEST'])
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
      const second = await post(`refused-${index}`, '/entities', blank)
      expect(how(second)).toMatchObject({ status: first.status, text: first.text, idem: 'replayed', mismatch: 'true' })
    }
  })

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

  it('has the same bytes on another mount and in another version', async () => {
    const first = await post('mounts', '/enveloped/entities')
    expect(first.text).toMatch(/^\{"success":true/)
    expect(how(await post('mounts', '/entities'))).toMatchObject({ text: first.text, mismatch: null })
    expect((await post('mounts', '/entities', blank, { 'service-version': NEWEST })).text).toBe(first.text)
    expect((await post('mounts', '/entities', blank, { 'service-version': 'x' })).text).toBe(first.text)
  })

  it('reports a mismatch if the path or body differs, and has no effect', async () => {
    const first = await post('differs')
    const before = await count()
    expect(how(await post('differs', '/entities', kevin))).toMatchObject({ text: first.text, mismatch: 'true' })
    expect(how(await post('differs', '/accounts'))).toMatchObject({ text: first.text, mismatch: 'true' })
    expect(how(await post('differs', '/entities', '{'))).toMatchObject({ text: first.text, mismatch: 'true' })
    expect(how(await post('differs'))).toMatchObject({ mismatch: null })
    expect(await count()).toBe(before)
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

  it('is stored encrypted', async () => {
    await post('sealed', '/entities', { type: 'individual', individual: { first_name: 'Canarybird' } })
    const rows = await service.store.reader.selectFrom('idempotency').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('Canarybird')
  })
})

describe('simultaneous requests', () => {
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
