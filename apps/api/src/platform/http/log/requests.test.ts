import { describe, expect, it, vi } from 'vitest'
import { routes } from '../../../main/app.js'
import { errorOf, NEWEST, rejectionOf, speaking } from '../../../testing/contract/cases.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

describe('every request', () => {
  it('4.10.1 ping returns success, null and pong on both mounts, with or without a key, and nothing else', async () => {
    for (const path of ['/ping', '/enveloped/ping'])
      for (const headers of [{}, { authorization: '' }, { 'service-version': NEWEST }] as Record<string, string>[]) {
        const reply = await service.call('GET', path, undefined, headers)
        expect(reply.text).toBe('{"success":true,"data":null,"message":"pong"}')
        expect(reply.status).toBe(200)
        expect(reply.headers.get('request-id')).toMatch(/^req_\w{20}$/)
      }
  })

  it.each(speaking)('7 body an error has type, code, sub_type and message and nothing else, $name', async spoken => {
    const reply = await service.call('GET', `${spoken.mount}/entities/ent_unknown`, undefined, spoken.headers)
    const error = {
      type: 'INVALID_REQUEST',
      code: 404,
      sub_type: 'NOT_FOUND',
      message: 'No resource of this team was found for ent_unknown.',
    }
    expect(reply.body).toEqual(
      spoken.mount === '' ? { error } : { success: false, data: { error }, message: error.message },
    )
    expect(reply.status).toBe(404)
    expect(reply.headers.get('content-type')).toBe('application/json')
  })

  it('7 request id every response has its own Request-Id, including errors and unknown paths', async () => {
    const ids = new Set<string>()
    const calls: [string, string, (string | undefined)?, Record<string, string>?][] = [
      ['GET', '/ping'],
      ['GET', '/entities'],
      ['POST', '/entities', '{'],
      ['GET', '/entities/ent_x'],
      ['GET', '/no/such/path'],
      ['GET', '/entities', undefined, { authorization: 'Bearer sk_wrong' }],
      ['POST', '/elements/token', '{}'],
      ['GET', '/.well-known/jwks.json'],
    ]
    for (const [method, path, body, headers] of calls) {
      const reply = await service.call(method, path, body, headers)
      const id = reply.headers.get('request-id')!
      expect(id).toMatch(/^req_/)
      expect(reply.headers.get('idem-request-id')).toBe(id)
      expect(reply.headers.get('idem-status')).toBe('bypassed')
      ids.add(id)
    }
    expect(ids.size).toBe(calls.length)
  })

  it('request ids sort in the order of the requests, even within a millisecond', async () => {
    const ids: string[] = []
    for (let each = 0; each < 20; each += 1) {
      ids.push((await service.call('GET', '/ping')).headers.get('request-id')!)
      if (each % 5 === 0) service.advance(1)
    }
    expect(ids.toSorted()).toEqual(ids)
  })

  it('a response is never stored by an intermediate cache', async () => {
    expect((await service.call('GET', '/entities')).headers.get('cache-control')).toBe('no-store')
  })

  it('an internal error is a 500 without details, logged by request id without its message', async () => {
    vi.spyOn(service.store.reader, 'selectFrom').mockImplementationOnce(() => {
      throw new Error('canary of a driver')
    })
    // Specifies a version so that the test's response check doesn't read the store before the service does.
    const reply = await service.call('GET', '/entities', undefined, { 'service-version': NEWEST })
    expect(reply.status).toBe(500)
    expect(errorOf(reply.body)).toMatchObject({ type: 'API_ERROR', code: 500, sub_type: 'INTERNAL_ERROR' })
    expect(reply.text).not.toContain('canary')
    expect(service.lines.join('\n')).not.toContain('canary')
    const line = service.lines.find(text => text.includes('"fault"'))!
    expect(JSON.parse(line)).toMatchObject({ request_id: reply.headers.get('request-id'), route: '/entities' })
  })
})

describe('authentication', () => {
  const rejection = async (authorization: string, more: Record<string, string> = {}) => {
    const reply = await service.call('GET', '/entities', undefined, { authorization, ...more })
    return [reply.status, errorOf(reply.body).type, rejectionOf(reply)]
  }

  it('a missing, malformed or unknown key is 401', async () => {
    for (const value of ['', 'Bearer', 'Bearer ', 'Basic abc', `Bearer sk_${'x'.repeat(40)}`, `Token ${service.key}`])
      expect(await rejection(value)).toEqual([401, 'INVALID_AUTHORIZATION', 'UNAUTHORIZED'])
  })

  it('a revoked key is 401 within two seconds', async () => {
    const other = await service.anotherTeam()
    const asked = () => service.call('GET', '/entities', undefined, { authorization: `Bearer ${other.key}` })
    expect((await asked()).status).toBe(200)
    await service.store.write(tx =>
      tx.updateTable('api_keys').set({ revoked_at: 1 }).where('team_id', '=', other.team).execute(),
    )
    service.advance(2_000)
    expect((await asked()).status).toBe(401)
  })

  it('an element or Opal token on an endpoint that requires the secret key is 403', async () => {
    for (const token of [`pk_elem_${'a'.repeat(49)}`, `otkn_${'a'.repeat(49)}`])
      expect(await rejection(`Bearer ${token}`)).toEqual([403, 'INVALID_REQUEST', 'FORBIDDEN'])
  })

  it('a secret key sent from a browser is 401, and the message says so', async () => {
    const reply = await service.call('GET', '/entities', undefined, { origin: 'https://www.example.com' })
    expect(reply.status).toBe(401)
    expect(errorOf(reply.body).message).toMatch(/from a browser/)
  })

  it('every route except ping and the key set requires a key, on both mounts', async () => {
    for (const route of routes) {
      const path = route.path.replace(/:\w+/g, 'x')
      for (const mount of ['', '/enveloped']) {
        const reply = await service.call(route.method, mount + path, route.method === 'GET' ? undefined : '{}', {
          authorization: '',
        })
        const open = route.path.includes(':') ? 404 : 200
        expect([route.path, reply.status]).toEqual([route.path, route.auth === 'none' ? open : 401])
      }
    }
  })

  it('simulations exist only in the sandbox', async () => {
    const production = await testService({ environment: 'production' })
    for (const route of routes.filter(known => known.path.startsWith('/simulate'))) {
      const body = route.method === 'GET' ? undefined : {}
      const reply = await production.call(route.method, route.path.replace(/:\w+/g, 'x'), body)
      expect([reply.status, rejectionOf(reply)]).toEqual([403, 'FORBIDDEN'])
    }
  })
})

describe('versions', () => {
  it('an unknown version is 400 for every method, has no effect, and the error names the known versions', async () => {
    for (const [method, path, body] of [
      ['GET', '/entities'],
      ['POST', '/entities', { type: 'individual', individual: {} }],
    ] as const) {
      const reply = await service.call(method, path, body, { 'service-version': '2026-03-31' })
      expect(reply.status).toBe(400)
      expect(rejectionOf(reply)).toBe('INVALID_VERSION')
      expect(errorOf(reply.body).message).toContain(NEWEST)
      expect(errorOf(reply.body).message).not.toContain('2026-03-31')
    }
    expect((await service.call('GET', '/entities')).body['data']).toEqual([])
  })

  it("the peer's header name applies only under /enveloped, and ours takes precedence there", async () => {
    const status = async (path: string, headers: Record<string, string>) =>
      (await service.call('GET', path, undefined, headers)).status
    expect(await status('/enveloped/entities', { 'method-version': 'x' })).toBe(400)
    expect(await status('/entities', { 'method-version': 'x' })).toBe(200)
    expect(await status('/enveloped/entities', { 'method-version': 'x', 'service-version': NEWEST })).toBe(200)
  })
})

describe('paths and bodies', () => {
  it('an unknown path and a wrong method on a known one are 404', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/entitie'],
      ['DELETE', '/entities'],
      ['PATCH', '/accounts'],
      ['POST', '/ping'],
      ['GET', '/enveloped'],
      ['GET', '/envelopedentities'],
      ['GET', '/enveloped/enveloped/entities'],
      ['PUT', '/elements/token'],
    ] as const) {
      const reply = await service.call(method, path, method === 'GET' ? undefined : {})
      expect([path, reply.status, rejectionOf(reply)]).toEqual([path, 404, 'NOT_FOUND'])
    }
  })

  it('a malformed id is 404, regardless of its contents', async () => {
    for (const id of ['x', 'acc_', '%00', '%E0%A4%A', '%F0%9F%92%A9', 'a'.repeat(3_000), "'%20or%201=1", '..%2f..'])
      expect([id, (await service.call('GET', `/entities/${id}`)).status]).toEqual([id, 404])
  })

  it('9 an unknown query parameter is ignored, even without a value; a known one needs a value', async () => {
    const one = (await service.call('POST', '/entities', { type: 'individual', individual: {} })).body['id']
    for (const path of [
      '/entities?utm=&x',
      `/entities/${one}?idempotency_key=&prefer=`,
      '/accounts?utm[]=&page_limit=5',
    ])
      expect([path, (await service.call('GET', path)).status]).toEqual([path, 200])
    for (const path of ['/entities?status=', '/accounts?holder_ids[]=', '/accounts?holder_ids=', '/entities?expand=']) {
      const reply = await service.call('GET', path)
      expect([path, reply.status, errorOf(reply.body).message]).toEqual([
        path,
        400,
        expect.stringMatching(/^\S+ must not be empty\. Omit it instead\.$/),
      ])
    }
  })

  it('an empty body counts as an empty object; JSON other than an object is 400', async () => {
    const made = await service.call('POST', '/entities', '', { 'content-type': 'application/json' })
    expect(errorOf(made.body).message).toMatch(/^type must be one of/)
    const blank = await service.call('POST', '/entities', ' \r\n\t', { 'content-type': 'application/json' })
    expect(errorOf(blank.body).message).toMatch(/^type must be one of/)
    for (const body of ['\u00a0', '\v', '\u2003 ', '\u2028']) {
      const reply = await service.call('POST', '/entities', body)
      expect([reply.status, errorOf(reply.body).message]).toEqual([400, 'The body must be valid JSON.'])
    }
    for (const body of ['{', '[]', '"x"', '5', 'null', 'true', '{"type":"individual"', "{'type':1}"]) {
      const reply = await service.call('POST', '/entities', body)
      expect([body, reply.status, rejectionOf(reply)]).toEqual([body, 400, 'INVALID_REQUEST'])
      expect(errorOf(reply.body).message).toMatch(/^The body /)
    }
  })

  it('a body over a megabyte is 413; a deeply nested one is 400', async () => {
    const large = await service.call('POST', '/entities', `{"x":"${'a'.repeat(1_048_576)}"}`)
    expect([large.status, rejectionOf(large)]).toEqual([413, 'REQUEST_TOO_LARGE'])
    const nested = (inside: string) => `${'{"a":'.repeat(20_000)}${inside}${'}'.repeat(20_000)}`
    for (const body of [
      nested('1'),
      `{"type":"individual","individual":{},"metadata":${nested('1')}}`,
      `{"type":"corporation","corporation":{"name":"N","owners":[${nested('1')}]}}`,
    ]) {
      const reply = await service.call('POST', '/entities', body)
      expect([reply.status, errorOf(reply.body).message]).toEqual([
        400,
        'The body must be nested at most 32 levels deep.',
      ])
    }
  })

  it('a body with more than 20,000 values is 400, and the error lists only a few unknown names', async () => {
    const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, each) => [`n${each}`, 0]))
    const many = await service.call('PATCH', '/team', names(90_000))
    expect([many.status, errorOf(many.body).message]).toEqual([400, 'The body must have at most 20,000 values.'])
    const some = await service.call('PATCH', '/team', names(999))
    expect([some.status, errorOf(some.body).message]).toEqual([
      400,
      'The body has an unknown field: n0, n1, n2, n3, n4, and 994 more.',
    ])
    const deep = await service.call('POST', '/entities', { type: 'individual', individual: { list: [[1], ['\0']] } })
    expect(errorOf(deep.body).message).toBe('individual.list[1][0] must not contain the character U+0000.')
  })

  it('an unpaired surrogate is rejected with its position, because no database stores it unchanged', async () => {
    for (const [body, message] of [
      ['{"metadata":{"note":"a\\ud83d"}}', 'A member of metadata must not contain an unpaired surrogate.'],
      ['{"metadata":{"\\udc00":"a"}}', 'The body has a field whose name contains an unpaired surrogate.'],
    ]) {
      const reply = await service.call('POST', '/entities', body)
      expect([reply.status, errorOf(reply.body).message]).toEqual([400, message])
    }
    const whole = '{"type":"individual","individual":{},"metadata":{"note":"\\ud83d\\ude00"}}'
    const kept = await service.call('POST', '/entities', whole)
    expect([kept.status, kept.body['metadata']]).toEqual([200, { note: '😀' }])
  })

  it('a NUL character is rejected with its position on both engines', async () => {
    const made = await service.call('POST', '/accounts', '{"holder_id":"a\\u0000b"}')
    expect(made.status).toBe(400)
    expect(errorOf(made.body).message).toMatch(/^holder_id /)
    expect((await service.call('POST', '/accounts', '{"holder_id":"a\\\\u0000b"}')).status).toBe(400)
    const listed = await service.call('GET', '/entities?status=%00')
    expect(listed.status).toBe(400)
    const keyed = await service.call('POST', '/entities?idempotency_key=%00', { type: 'individual', individual: {} })
    expect(keyed.status).toBe(400)
  })
})
