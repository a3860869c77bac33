import { describe, expect, it } from 'vitest'
import { consoleOf, origin } from '../../../testing/console.js'
import { encrypt, publicJwk, serviceJwk } from '../../../testing/encryption.js'
import { lender } from '../../../testing/money.js'
import { testService } from '../../../testing/service.js'

const service = await testService()
const browser = consoleOf(service)
const cookie = (await browser.signedIn()).cookie

const BOM = [0xef, 0xbb, 0xbf]
const before = '{"type":"individual","individual":{"first_name":"Jos'
/** Creates the body of a new person whose name contains these bytes. */
const person = (name: readonly number[], head: readonly number[] = []) =>
  Buffer.concat([Buffer.from(head), Buffer.from(before), Buffer.from(name), Buffer.from('x"}}')])

/** Builds a request whose body has a declared length or arrives in chunks. */
function request(url: string, bytes: Buffer, path: 'declared' | 'chunked', headers: Record<string, string>): Request {
  const parts = [bytes.subarray(0, 60), bytes.subarray(60)]
  const body =
    path === 'declared'
      ? bytes
      : new ReadableStream({
          pull(controller) {
            const part = parts.shift()
            if (part) controller.enqueue(new Uint8Array(part))
            else controller.close()
          },
        })
  const length = path === 'declared' ? { 'content-length': String(bytes.length) } : {}
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    body: body as NonNullable<RequestInit['body']>,
    headers: { 'content-type': 'application/json', ...length, ...headers },
    duplex: 'half',
  }
  return new Request(url, init)
}

const api = (bytes: Buffer, path: 'declared' | 'chunked', headers: Record<string, string> = {}, mount = '') =>
  service.app.api.fetch(
    request(`http://127.0.0.1:4000${mount}/entities`, bytes, path, {
      authorization: `Bearer ${service.key}`,
      ...headers,
    }),
  )
const frame = (bytes: Buffer, path: 'declared' | 'chunked') =>
  service.app.frame.fetch(request('http://localhost:4100/s/redeem', bytes, path, { origin: 'http://localhost:4100' }))
const throughConsole = (bytes: Buffer, path: 'declared' | 'chunked', url = '/api/entities') =>
  browser.open().fetch(
    request(`${origin}${url}`, bytes, path, {
      origin,
      cookie,
      'sec-fetch-site': 'same-origin',
      'idempotency-key': `console ${url} ${path} ${bytes.length}`,
    }),
  )

const count = async () => (await service.store.reader.selectFrom('entities').select('id').execute()).length
/** Returns the message of an error in the format of either mount. */
const messageOf = async (response: Response) => {
  const body = (await response.json()) as { message?: string; error?: { message: string } | null }
  return body.error?.message ?? body.message
}

/** Byte sequences that are not UTF-8. */
const invalid: [string, number[]][] = [
  ['Latin-1', [0xe9]],
  ['Windows-1252', [0x92]],
  ['a character that is cut off', [0xe6, 0x9d]],
  ['an overlong encoding', [0xc0, 0xaf]],
  ['an encoded surrogate', [0xed, 0xa0, 0xbd]],
  ['a code point above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['a stray continuation byte', [0x80]],
]

describe.each(['declared', 'chunked'] as const)('a body whose length is %s', path => {
  it.each(invalid)('is rejected if it contains %s: nothing is stored, and its key stays free', async (name, bytes) => {
    const people = await count()
    const key = { 'idempotency-key': `${path} ${name}` }
    const message = `The body must be UTF-8. The byte at offset ${before.length} is not part of a UTF-8 character.`
    for (const mount of ['', '/enveloped']) {
      const reply = await api(person(bytes), path, key, mount)
      expect([reply.status, await messageOf(reply)]).toEqual([400, message])
    }
    const shown = await throughConsole(person(bytes), path)
    expect([shown.status, await messageOf(shown)]).toEqual([400, message])
    const redeemed = await frame(person(bytes), path)
    expect([redeemed.status, await messageOf(redeemed)]).toEqual([400, message])
    expect(await count()).toBe(people)
    const repeated = await api(person([0xc3, 0xa9]), path, key)
    expect([repeated.status, repeated.headers.get('idem-status')]).toEqual([200, 'stored'])
  })

  it('is rejected at sign-in and at endpoints that exist only in the console', async () => {
    for (const url of ['/api/session', '/api/reveals']) {
      const reply = await throughConsole(Buffer.from([0x7b, 0xff]), path, url)
      expect([url, reply.status, await messageOf(reply)]).toEqual([
        url,
        400,
        'The body must be UTF-8. The byte at offset 1 is not part of a UTF-8 character.',
      ])
    }
  })

  it('may begin with a byte order mark, which is not part of the text', async () => {
    const bytes = person([0xc3, 0xa9], BOM)
    for (const send of [api, throughConsole]) {
      const reply = await send(bytes, path)
      expect([reply.status, (await reply.json()) as object]).toMatchObject([
        200,
        { individual: { first_name: 'Joséx' } },
      ])
    }
    const redeemed = await frame(bytes, path)
    expect(await messageOf(redeemed)).not.toMatch(/JSON|UTF-8/)
    expect((await api(Buffer.from(BOM), path)).status).toBe(400)
  })
})

describe('an encrypted body', () => {
  const send = async (body: Buffer) => {
    const to = await serviceJwk(service)
    const text = JSON.stringify({ encrypted: await encrypt(to, body, { kid: to.kid, cid: 'customer' }) })
    return service.call('POST', '/entities', text, { 'service-mle': 'jwe', 'idempotency-key': 'sealed' })
  }

  it('is rejected if the decrypted text is not UTF-8, and may begin with a byte order mark', async () => {
    await lender(service).must('POST', '/teams/mle/public_keys', { jwk: await publicJwk('customer') })
    const refused = await send(person([0xe9]))
    expect([refused.status, (refused.body as { error: { message: string } }).error.message]).toEqual([
      400,
      `The decrypted body must be UTF-8. The byte at offset ${before.length} is not part of a UTF-8 character.`,
    ])
    const people = await count()
    expect((await send(person([0xc3, 0xa9], BOM))).status).toBe(200)
    expect(await count()).toBe(people + 1)
  })
})

describe('the idempotency key of a request whose body cannot be read', () => {
  const chunks = (count: number) =>
    new ReadableStream({
      start(controller) {
        for (let each = 0; each < count; each += 1) controller.enqueue(new Uint8Array([0x20]))
        controller.close()
      },
    })
  const post = (
    key: string,
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string>,
    mount: string,
  ) => {
    const own = { authorization: `Bearer ${service.key}`, 'idempotency-key': key, 'content-type': 'application/json' }
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      body,
      headers: { ...own, ...headers },
      duplex: 'half',
    }
    return service.app.api.fetch(new Request(`http://127.0.0.1:4000${mount}/entities`, init))
  }
  const valid = '{"type":"individual","individual":{}}'

  it.each([
    ['another type', () => valid, { 'content-type': 'text/plain' }, 415],
    ['another charset', () => valid, { 'content-type': 'application/json; charset=utf-16' }, 415],
    ['a compressed body', () => valid, { 'content-encoding': 'gzip' }, 415],
    ['bytes that are not UTF-8', () => Buffer.from([0x7b, 0xff]), {}, 400],
    ['too many chunks', () => chunks(5_000), {}, 400],
  ])('stays unused for %s', async (what, body, headers, status) => {
    for (const mount of ['', '/enveloped']) {
      const key = `unread ${what} ${mount}`
      const refused = await post(key, body(), headers as unknown as Record<string, string>, mount)
      expect([refused.status, refused.headers.get('idem-status')]).toEqual([status, 'bypassed'])
      const sent = await post(key, valid, {}, mount)
      expect([sent.status, sent.headers.get('idempotency-replayed'), sent.headers.get('idem-status')]).toEqual([
        200,
        null,
        'stored',
      ])
    }
  })
})

describe('a URL', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    service.app.api.fetch(
      new Request(`http://127.0.0.1:4000${path}`, { headers: { authorization: `Bearer ${service.key}`, ...headers } }),
    )
  const parameter = (name: string) => `The query parameter ${name} must be percent-encoded UTF-8.`

  it.each([
    ['name=Jos%E9', parameter('name')],
    ['name=%FF%FE', parameter('name')],
    ['name=a&id=%C0%AF', parameter('id')],
    ['name=%ED%A0%BD', parameter('name')],
    ['name=%E6%9D', parameter('name')],
    ['expand[]=%80', parameter('expand[]')],
    ['other=%F8', parameter('other')],
    ['%E9=1', "The URL's query must be percent-encoded UTF-8."],
    ['name=%00', 'The query parameter name must not contain the character U+0000.'],
  ])('is rejected for the query %s', async (query, message) => {
    for (const mount of ['', '/enveloped']) {
      const reply = await get(`${mount}/entities?${query}`)
      expect([reply.status, await messageOf(reply)]).toEqual([400, message])
    }
    const shown = await browser.send('GET', `/api/entities?${query}`, { cookie })
    expect([shown.status, shown.body['error']]).toMatchObject([400, { message }])
    const framed = await service.app.frame.fetch(new Request(`http://localhost:4100/s?${query}`))
    expect([framed.status, await messageOf(framed)]).toEqual([400, message])
    const page = await service.app.frame.fetch(new Request(`http://localhost:4100/h/abc?${query}`))
    expect([page.status, await page.text()]).toEqual([400, `${message}\n`])
  })

  it('is rejected if its query has too many parameters', async () => {
    const query = (count: number) => `?${'status[]=active&'.repeat(count - 1)}status[]=active`
    const message = "The URL's query must have at most 200 parameters."
    expect((await get(`/entities${query(200)}`)).status).toBe(200)
    for (const path of [`/entities${query(201)}`, `/enveloped/entities${query(201)}`, `/ping${query(201)}`]) {
      const reply = await get(path)
      expect([path, reply.status, await messageOf(reply)]).toEqual([path, 400, message])
    }
    expect((await browser.send('GET', `/api/entities${query(201)}`, { cookie })).status).toBe(400)
    expect((await service.app.frame.fetch(new Request(`http://localhost:4100/s${query(201)}`))).status).toBe(400)
  })

  it.each(['/entities/ent_%E9', '/nothing/%FF', '/.well-known/%C0%AF'])(
    'names no resource if its path is %s',
    async path => {
      expect((await get(path)).status).toBe(404)
    },
  )

  it('may contain any character in UTF-8, and a percent sign that begins no escape', async () => {
    for (const query of ['name=Jos%C3%A9', 'name=%F0%9F%8C%B8', 'name=100%', 'name=%zz', 'name=%EF%BF%BD', 'name=a+b'])
      expect([query, (await get(`/entities?${query}`)).status]).toEqual([query, 200])
  })
})
