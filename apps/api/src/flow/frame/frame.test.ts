import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { carrier } from '../../sandbox/tables/inputs.js'
import { arrive, frameCall, handleOf, newToken, Person, someone } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'
import { createFrame } from './app.js'
import { noAssets } from './assets.js'

const service = await testService()

const get = (path: string) => service.app.frame.fetch(new Request(`http://localhost:4100${path}`))
const token = (more: Record<string, unknown> = {}) => newToken(service, more)
const directive = (response: Response, name: string) =>
  response.headers
    .get('content-security-policy')!
    .split('; ')
    .find(part => part.startsWith(`${name} `))

describe('the shell', () => {
  it("can be framed only by its token's origins, runs only its own scripts, and is never cached", async () => {
    const response = await get(`/e/${handleOf(await token({ allowed_origins: ['https://www.lender.example'] }))}`)
    expect(response.status).toBe(200)
    expect(directive(response, 'frame-ancestors')).toBe('frame-ancestors https://www.lender.example')
    expect(directive(response, 'script-src')).toBe("script-src 'self'")
    expect(directive(response, 'default-src')).toBe("default-src 'none'")
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it("opens the operator's configured carrier URLs only in a browser that reports its connection", async () => {
    const path = `/e/${handleOf(await token())}`
    const of = async (hints: Record<string, string>) => {
      const response = await service.app.frame.fetch(new Request(`http://localhost:4100${path}`, { headers: hints }))
      return [directive(response, 'connect-src'), response.headers.get('cross-origin-embedder-policy')]
    }
    const chromium = { 'sec-ch-ua': '"Chromium";v="141", "Not?A_Brand";v="8"' }
    expect(await of(chromium)).toEqual([`connect-src 'self' ${carrier}`, 'credentialless'])
    expect(await of({})).toEqual(["connect-src 'self'", 'require-corp'])
    const { identity_methods } = (await service.call('GET', '/team')).body as never as { identity_methods: string[] }
    await service.call('PATCH', '/team', { identity_methods: ['element', 'kba', 'sms'] })
    expect(await of(chromium)).toEqual(["connect-src 'self'", 'require-corp'])
    await service.call('PATCH', '/team', { identity_methods })
  })

  it('without a list allows only loopback pages', async () => {
    const response = await get(`/e/${handleOf(await token())}`)
    expect(directive(response, 'frame-ancestors')).toMatch(
      /^frame-ancestors http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\*/,
    )
  })

  it('returns 404 for an unknown handle, 410 for an expired one, and 410 with only text for a revoked one', async () => {
    for (const handle of ['x'.repeat(16), 'short', '..%2f..', '%00'])
      expect((await get(`/e/${handle}`)).status).toBe(404)
    const text = await token()
    service.advance(31 * 60_000)
    expect((await get(`/e/${handleOf(text)}`)).status).toBe(410)
    const opal = await service.call('POST', '/opal/token', {
      mode: 'connect',
      entity_id: await someone(service, '+15125550101'),
    })
    const { token: revoked } = opal.body['data'] as { token: string }
    await service.call('DELETE', '/opal/token', undefined, { authorization: `Bearer ${revoked}` })
    const page = await get(`/e/${revoked.slice('otkn_'.length, 'otkn_'.length + 16)}`)
    expect([page.status, await page.text()]).toEqual([410, expect.stringContaining('start again')])
  })

  it("shows the error for an unknown handle in the reader's language, or else in English", async () => {
    const read = async (accepted: string) => {
      const headers = { 'accept-language': accepted }
      const response = await service.app.frame.fetch(
        new Request(`http://localhost:4100/e/${'x'.repeat(16)}`, { headers }),
      )
      return [
        /<html lang="(\w+)" dir="(\w+)"/
          .exec(await response.text())!
          .slice(1)
          .join(),
        response.headers.get('vary'),
      ]
    }
    const said = ['es-MX,es;q=0.9,en;q=0.8', 'de, ar;q=0.4, en;q=0.3', 'en;q=0.5,es;q=0', 'toString', ''].map(read)
    expect((await Promise.all(said)).map(([language]) => language)).toEqual([
      'es,ltr',
      'ar,rtl',
      'en,ltr',
      'en,ltr',
      'en,ltr',
    ])
    expect((await said[0]!)[1]).toBe('Accept-Language')
  })

  it('of an open session can be reloaded after its token expires', async () => {
    const text = await token()
    service.advance(29 * 60_000)
    await Person.arrive(service, text)
    service.advance(5 * 60_000)
    expect((await get(`/e/${handleOf(text)}`)).status).toBe(200)
  })
})

describe('the preload page', () => {
  it('is the same for everyone, can be framed by any page, and has the files but no app', async () => {
    const template =
      '<meta name="causeway-view" content="" /><script src="/assets/a.js"></script><causeway-flow></causeway-flow>'
    const app = createFrame(service.deps, { ...noAssets, shell: template })
    const response = await app.fetch(new Request('http://localhost:4100/preload'))
    expect(directive(response, 'frame-ancestors')).toBe('frame-ancestors *')
    expect(directive(response, 'script-src')).toBe("script-src 'self'")
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
    expect(response.headers.get('set-cookie')).toBeNull()
    const text = await response.text()
    expect(text).toContain('/assets/a.js')
    expect(text).not.toContain('causeway-flow')
  })
})

describe('the view that is sent with the shell', () => {
  const ahead = async (text: string) => {
    const app = createFrame(service.deps, { ...noAssets, shell: '<meta name="causeway-view" content="" />' })
    const page = await (await app.fetch(new Request(`http://localhost:4100/e/${handleOf(text)}`))).text()
    const content = /content="([^"]*)"/.exec(page)![1]!
    return content === '' ? null : JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  }

  it("is the session's first view, without an id", async () => {
    const text = await token({ display: { name: 'Name & "Sons"' } })
    const early = await ahead(text)
    const { view } = await Person.arrive(service, text)
    const { session_id, entity_id, events, now, expires_at } = early
    expect({ session_id, entity_id, events }).toEqual({ session_id: '', entity_id: '', events: [] })
    const { session_id: session, entity_id: entity } = view
    expect({ ...early, session_id: session, entity_id: entity, events: view.events }).toEqual({
      ...view,
      now,
      expires_at,
    })
  })

  it('is absent if the token was used or has expired', async () => {
    const [used, late] = [await token(), await token()]
    await Person.arrive(service, used)
    expect(await ahead(used)).toBeNull()
    service.advance(31 * 60_000)
    expect(await ahead(late)).toBeNull()
  })

  it('is absent if the person may have agreed to some documents', async () => {
    const entity_id = await someone(service, '+15125550101')
    expect(await ahead(await token({ entity_id }))).toMatchObject({ step: 'consent' })
    const proved = { phone_proved_at: service.deps.clock() }
    await service.store.write(tx => tx.updateTable('entities').set(proved).where('id', '=', entity_id).execute())
    expect(await ahead(await token({ entity_id }))).toBeNull()
  })

  it('is absent if the session has passed its consent step', async () => {
    const person = await Person.arrive(service, await token())
    const again = () => token({ session_id: person.view.session_id, entity_id: undefined, balance_transfer: undefined })
    expect(await ahead(await again())).toMatchObject({ step: 'consent' })
    const { documents } = person.view.data as { documents: unknown }
    await person.send({ action: 'accept', documents, locale: 'en' })
    expect(await ahead(await again())).toBeNull()
  })
})

describe('a file', () => {
  const body = Buffer.from('export const many = 1\n'.repeat(100))
  const load = (encoding?: string, more: { br?: Buffer } = {}) =>
    createFrame(service.deps, {
      ...noAssets,
      flow: new Map([['/assets/a.js', { body, type: 'text/javascript', ...more }]]),
    }).fetch(
      new Request('http://localhost:4100/assets/a.js', { headers: encoding ? { 'accept-encoding': encoding } : {} }),
    )

  it('is Brotli-compressed for clients that accept it, if the build compressed it', async () => {
    const br = brotliCompressSync(body)
    for (const encoding of ['gzip, deflate, br, zstd', 'br;q=0.5', 'BR']) {
      const response = await load(encoding, { br })
      expect([encoding, response.headers.get('content-encoding')]).toEqual([encoding, 'br'])
      expect(response.headers.get('vary')).toBe('Accept-Encoding')
      expect(brotliDecompressSync(Buffer.from(await response.arrayBuffer()))).toEqual(body)
    }
    for (const encoding of ['gzip', 'gzip, br;q=0', 'brotli, gzip', 'x-br, gzip'])
      expect([encoding, (await load(encoding, { br })).headers.get('content-encoding')]).toEqual([encoding, 'gzip'])
  })

  it('is gzipped for clients that accept it, and sent unchanged to all others', async () => {
    for (const encoding of ['gzip, deflate, br', 'br, GZIP;q=0.5', 'gzip;q=0.01']) {
      const response = await load(encoding)
      expect([encoding, response.headers.get('content-encoding')]).toEqual([encoding, 'gzip'])
      expect(gunzipSync(Buffer.from(await response.arrayBuffer()))).toEqual(body)
    }
    for (const encoding of [undefined, 'br', 'identity', 'gzip;q=0', 'gzip; q=0.000, br', 'x-gzipped']) {
      const response = await load(encoding)
      expect([encoding, response.headers.get('content-encoding')]).toEqual([encoding, null])
      expect(response.headers.get('vary')).toBe('Accept-Encoding')
      expect(Buffer.from(await response.arrayBuffer())).toEqual(body)
    }
  })
})

describe('the listener', () => {
  it('serves no API routes, and answers unknown paths in JSON', async () => {
    for (const path of ['/', '/entities', '/ping', '/s/steps', '/.well-known/jwks.json']) {
      const response = await get(path)
      expect([path, response.status]).toEqual([path, 404])
      expect(await response.json()).toMatchObject({ error: { sub_type: 'NOT_FOUND', code: 404 } })
    }
  })

  it('answers calls with no-store and a Request-Id, and logs the route but not the step', async () => {
    const { bearer, view } = await arrive(service, '+15125550101')
    service.lines.length = 0
    const response = await service.app.frame.fetch(
      new Request('http://localhost:4100/s/steps/consent', {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, origin: 'http://localhost:4100' },
        body: JSON.stringify({ revision: view.revision, input: { action: 'accept', documents: [], locale: 'en' } }),
      }),
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('request-id')).toMatch(/^req_/)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(JSON.parse(service.lines[0]!)).toMatchObject({ route: '/s/steps/:step', status: 200, method: 'POST' })
  })

  it('rejects bodies that are too large, invalid JSON or not an object', async () => {
    const { bearer } = await arrive(service, '+15125550101')
    const post = async (body: string) => {
      const response = await service.app.frame.fetch(
        new Request('http://localhost:4100/s/steps/consent', {
          method: 'POST',
          headers: { authorization: `Bearer ${bearer}` },
          body,
        }),
      )
      return response.status
    }
    expect(await post('{')).toBe(400)
    expect(await post('[]')).toBe(400)
    expect(await post(`"${'x'.repeat(1_048_577)}"`)).toBe(413)
  })

  it('rejects a stale view and returns the current one', async () => {
    const person = await arrive(service, '+15125550101')
    const { revision } = person.view
    await person.consent()
    const late = await frameCall(
      service,
      'POST',
      '/s/steps/consent',
      { revision, input: {} },
      { authorization: `Bearer ${person.bearer}` },
    )
    expect(late.body).toEqual({
      error: {
        type: 'INVALID_REQUEST',
        code: 409,
        sub_type: 'STALE_REVISION',
        message: 'The session has changed since the revision that was sent.',
      },
      view: expect.objectContaining({ step: 'code', revision: person.view.revision }),
    })
  })
})
