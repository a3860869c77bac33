// biome-ignore-all lint/style/noExcessiveLinesPerFile: its tests share one service and the sign-in of each role.

import { keyScopes } from '@causeway/contract/fields/key-scopes'
import { HOUR_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { sweep } from '../platform/jobs/sweep.js'
import { consoleOf, cookieIn, origin } from '../testing/console.js'
import { NEWEST } from '../testing/contract/cases.js'
import { testService } from '../testing/service.js'
import { createLink } from './store.js'

const service = await testService()

const { open, send, newKey, signedIn } = consoleOf(service)

describe('signing in', () => {
  it('exchanges a key for a session with its team and role, in a cookie that scripts cannot read', async () => {
    const { value, row } = await newKey()
    const reply = await send('POST', '/api/session', { body: { key: value } })
    expect(reply.body).toMatchObject({
      team: { id: service.team },
      user: { name: row.id, key_id: row.id, role: 'admin', operator: false },
      environment: 'sandbox',
      time_zone: 'America/Chicago',
      clock: { now: '2026-03-02T15:00:00.000Z', ahead_seconds: 0 },
      payments_stopped: null,
    })
    expect(reply.headers.get('set-cookie')).toMatch(/^console-4400=\w{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(reply.text).not.toContain(value)
    const again = await send('GET', '/api/session', { cookie: cookieIn(reply.headers) })
    expect([again.status, again.body['user']]).toEqual([200, reply.body['user']])
  })

  it('sets a Secure cookie with the __Host- prefix if the origin is https', async () => {
    const { value } = await newKey()
    const at = open({ origin: 'https://console.example' })
    const headers = { origin: 'https://console.example' }
    const reply = await send('POST', '/api/session', { body: { key: value }, headers }, at)
    expect(reply.headers.get('set-cookie')).toMatch(
      /^__Host-console=\w{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
  })

  it('with a link works once and signs in an operator', async () => {
    const { secret } = await service.store.write(tx => createLink(tx, service.team, service.deps.clock()))
    const replies = await Promise.all([1, 2].map(() => send('POST', '/api/session', { body: { link: secret } })))
    expect(replies.map(each => each.status).sort()).toEqual([200, 401])
    const done = replies.find(each => each.status === 200)!
    expect(done.body).toMatchObject({
      user: { name: 'operator', key_id: null, operator: true, role: 'admin' },
      team: { id: service.team },
    })
  })

  it('with a link expires after 10 minutes', async () => {
    const { secret } = await service.store.write(tx => createLink(tx, service.team, service.deps.clock()))
    service.advance(600_000)
    expect((await send('POST', '/api/session', { body: { link: secret } })).status).toBe(401)
  })

  it('rejects an unknown key, a key without the read scope, a token and a body with both', async () => {
    const { value } = await newKey(['write'])
    for (const [body, status] of [
      [{ key: `sk_${'x'.repeat(40)}` }, 401],
      [{ key: value }, 403],
      [{ key: `otkn_${'a'.repeat(49)}` }, 403],
      [{ key: value, link: 'clink_x' }, 400],
      [{}, 400],
    ] as const) {
      const reply = await send('POST', '/api/session', { body })
      expect([reply.status, reply.headers.get('set-cookie')]).toEqual([status, null])
    }
  })

  it("again ends the browser's earlier session", async () => {
    const first = await signedIn()
    const reply = await send('POST', '/api/session', { body: { key: first.value }, cookie: first.cookie })
    expect(reply.status).toBe(200)
    expect((await send('GET', '/api/session', { cookie: first.cookie })).status).toBe(401)
  })

  it('writes audit entries that name the session', async () => {
    const { cookie, key, user } = await signedIn()
    await send('DELETE', '/api/session', { cookie })
    const rows = await service.store.reader
      .selectFrom('audit')
      .select(['actor', 'action'])
      .where('team_id', '=', service.team)
      .where('resource_id', '=', user['id'] as string)
      .orderBy('action')
      .execute()
    expect(rows).toEqual([
      { actor: key, action: 'console.sign_in' },
      { actor: key, action: 'console.sign_out' },
    ])
  })
})

describe('a session', () => {
  // kills: console-session-ends-with-key
  it('ends on sign-out, when its key is revoked, after 30 minutes of inactivity, or after 8 hours', async () => {
    const out = await signedIn()
    const left = await send('DELETE', '/api/session', { cookie: out.cookie })
    expect(left.headers.get('set-cookie')).toMatch(/^console-4400=; Max-Age=0;/)
    expect((await send('GET', '/api/session', { cookie: out.cookie })).status).toBe(401)

    const revoked = await signedIn()
    await service.store.write(tx =>
      tx.updateTable('api_keys').set({ revoked_at: 1 }).where('id', '=', revoked.key).execute(),
    )
    expect((await send('GET', '/api/payments', { cookie: revoked.cookie })).status).toBe(401)

    const idle = await signedIn()
    service.advance(30 * 60_000)
    expect((await send('GET', '/api/session', { cookie: idle.cookie })).status).toBe(401)

    const busy = await signedIn()
    for (let each = 0; each < 19; each += 1) {
      service.advance(25 * 60_000)
      expect((await send('GET', '/api/session', { cookie: busy.cookie })).status).toBe(200)
    }
    service.advance(8 * HOUR_MS - 19 * 25 * 60_000)
    expect((await send('GET', '/api/session', { cookie: busy.cookie })).status).toBe(401)
  })

  it('ends when its key opens ten more sessions', async () => {
    const first = await signedIn()
    const enter = () => send('POST', '/api/session', { body: { key: first.value } })
    for (let count = 0; count < 9; count++) {
      service.advance(1)
      expect((await enter()).status).toBe(200)
    }
    expect((await send('GET', '/api/session', { cookie: first.cookie })).status).toBe(200)
    await enter()
    expect((await send('GET', '/api/session', { cookie: first.cookie })).status).toBe(401)
  })

  it('is deleted after it expires', async () => {
    await signedIn()
    await service.store.write(tx => createLink(tx, service.team, service.deps.clock()))
    service.advance(9 * HOUR_MS)
    await sweep(service.deps)
    for (const table of ['console_sessions', 'console_links', 'directory'] as const) {
      const { count } = await service.store.reader
        .selectFrom(table)
        .select(query => query.fn.countAll<number>().as('count'))
        .where('team_id', '=', service.team)
        .executeTakeFirstOrThrow()
      expect([table, Number(count)]).toEqual([table, 0])
    }
  })
})

describe('requests to the API', () => {
  it('run as the user and return the same response as the API', async () => {
    const { cookie } = await signedIn()
    const made = await send('POST', '/api/entities', {
      cookie,
      body: { type: 'corporation', corporation: { name: 'Northwind' } },
      headers: { 'idempotency-key': 'console-1', 'service-version': NEWEST },
    })
    expect([made.status, made.headers.get('idem-status')]).toEqual([200, 'stored'])
    const direct = await service.call('GET', `/entities/${made.body['id']}`)
    expect(direct.status).toBe(200)
    const read = await send('GET', `/api/entities/${made.body['id']}?x=1`, { cookie })
    expect([read.status, read.headers.get('request-id')]).toEqual([200, expect.stringMatching(/^req_/)])
    expect(read.headers.get('service-unknown-fields')).toBe('%3Fx')
  })

  it('require a session, even with a key in their headers', async () => {
    for (const headers of [{}, { authorization: `Bearer ${service.key}` }])
      expect((await send('GET', '/api/payments', { headers })).status).toBe(401)
    expect((await send('GET', '/api/payments', { cookie: `console-4400=${'x'.repeat(43)}` })).status).toBe(401)
  })

  it('cannot sign anyone in to the API’s own listener', async () => {
    const { cookie } = await signedIn()
    const reply = await service.app.api.fetch(
      new Request('http://127.0.0.1:4000/payments', { headers: { cookie, 'x-user': 'admin' } }),
    )
    expect(reply.status).toBe(401)
  })

  it('appear in the request log as console requests, except successful reads', async () => {
    const { cookie } = await signedIn()
    const read = await send('GET', '/api/entities', { cookie })
    const write = await send('POST', '/api/entities', { cookie, body: { type: 'x' } })
    await service.deps.requests.flush()
    const { body } = await send('GET', '/api/requests?source=console', { cookie })
    const ids = (body['data'] as { id: string }[]).map(each => each.id)
    expect(ids).toContain(write.headers.get('request-id'))
    expect(ids).not.toContain(read.headers.get('request-id'))
  })

  it('never return a file, which cannot be masked', async () => {
    const { cookie } = await signedIn()
    const report = await send('POST', '/api/reports', { cookie, body: { type: 'ach.pull.upcoming' } })
    expect(report.status).toBe(200)
    expect((await send('GET', `/api/reports/${report.body['id']}/download`, { cookie })).status).toBe(403)
    expect((await send('GET', '/api/enveloped/entities', { cookie })).status).toBe(404)
  })

  it('require an Idempotency-Key for writes, so that a repeated click has no second effect', async () => {
    const { cookie } = await signedIn()
    const body = { type: 'corporation', corporation: { name: 'Keyless' } }
    const write = (method: string, path: string) =>
      new Request(`${origin}/api${path}`, {
        method,
        headers: { cookie, origin, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const made = await open().fetch(write('POST', '/entities'))
    expect([made.status, await made.text()]).toEqual([400, expect.stringContaining('Idempotency-Key is required')])
    // A search changes nothing, so it needs no Idempotency-Key.
    expect((await open().fetch(write('POST', '/search'))).status).toBe(400)
    expect(await (await open().fetch(write('POST', '/search'))).text()).not.toContain('Idempotency-Key')
  })

  it('return 404 for an encoded path', async () => {
    const { cookie } = await signedIn()
    for (const path of ['/%61pi/payments', '/ap%69/entities', '/api/%70ayments'])
      expect([path, (await send('GET', path, { cookie })).status]).toEqual([path, 404])
  })
})

describe('roles', () => {
  const calls = [
    ['GET', '/api/payments'],
    ['POST', '/api/webhooks/whk_x/deliveries/dlv_x/redeliver'],
    ['POST', '/api/opal/token'],
    ['POST', '/api/simulate/clock'],
    ['POST', '/api/payments'],
    ['POST', '/api/webhooks'],
    ['POST', '/api/team/keys'],
    ['GET', '/api/entities/ent_x/identities'],
  ] as const

  // kills: role-within-key
  it.each([
    ['viewer', ['read'], [true, false, false, false, false, false, false, false]],
    ['support', ['read', 'sensitive'], [true, false, false, false, false, false, false, false]],
    ['support', ['read', 'write', 'sensitive'], [true, true, true, false, false, false, false, false]],
    ['engineer', ['read', 'write'], [true, true, true, true, false, false, false, false]],
    ['engineer', ['read', 'write', 'payments', 'sensitive'], [true, true, true, true, false, false, false, false]],
    ['admin', ['read', 'admin'], [true, false, false, false, false, true, true, false]],
    ['admin', keyScopes, [true, true, true, true, true, true, true, false]],
  ] as const)('%s, for a key with %j', async (role, scopes, allowed) => {
    const { cookie, user } = await signedIn(scopes)
    expect(user['role']).toBe(role)
    const passed: boolean[] = []
    for (const [method, path] of calls) passed.push((await send(method, path, { cookie })).status !== 403)
    expect(passed).toEqual(allowed)
    const linked = await send('POST', '/api/elements/token', { cookie })
    expect(linked.status !== 403).toBe(scopes.some(scope => scope === 'write'))
  })
})

it("a rejection names the role that the user needs, not the key's scope", async () => {
  const rejection = async (scopes: Parameters<typeof signedIn>[0], method: string, path: string) => {
    const { cookie } = await signedIn(scopes)
    const reply = await send(method, path, { cookie, body: {} })
    expect(reply.status).toBe(403)
    return (reply.body['error'] as { message: string }).message
  }
  const bulk = ['POST', '/api/webhooks/whk_x/redeliver'] as const
  expect(await rejection(['read', 'write', 'sensitive'], ...bulk)).toBe(
    "Your role, support, doesn't allow this. Ask an admin for the engineer role.",
  )
  expect(await rejection(['read', 'write'], 'POST', '/api/webhooks')).toContain('Ask an admin for the admin role.')
  expect(await rejection(['read', 'admin'], ...bulk)).toContain('lacks the write scope')
  expect(await rejection(keyScopes, 'GET', '/api/entities/ent_x/identities')).toContain(
    'This is not available in the console.',
  )
})

describe('cross-site requests', () => {
  // kills: console-own-pages-only
  it('are rejected by origin, site and content type', async () => {
    const { cookie } = await signedIn()
    const body = { type: 'corporation', corporation: { name: 'Forged' } }
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:4100' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'content-type': 'text/plain' },
    ] as Record<string, string>[]) {
      const reply = await send('POST', '/api/entities', { cookie, body, headers })
      expect([headers, reply.status]).toEqual([headers, headers['content-type'] ? 415 : 403])
    }
    const bare = new Request(`${origin}/api/entities`, { method: 'POST', headers: { cookie }, body: '{}' })
    expect((await open().fetch(bare)).status).toBe(403)
    const read = await send('GET', '/api/entities', { cookie, headers: { 'sec-fetch-site': 'cross-site' } })
    expect(read.status).toBe(403)
  })

  it('cannot frame the page or run their own scripts in it', async () => {
    const page = await send('GET', '/payments/pmt_1', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = page.headers.get('content-security-policy')
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy).toContain(part)
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toBe('no-store')
  })
})

// kills: console-masks-answers
it('shows no personal data to any role', async () => {
  const person = {
    first_name: 'Ana',
    last_name: 'Reyes',
    email: 'ana.reyes@example.com',
    phone: '+15125550101',
    dob: '1988-04-09',
    ssn: '123456789',
  }
  const address = { line1: '17 Canary Street', line2: null, city: 'Austin', state: 'TX', zip: '78705' }
  const { body: entity } = await service.call('POST', '/entities', { type: 'individual', individual: person, address })
  const ach = { routing: '062103000', number: '123456789012', type: 'checking' }
  const account = await service.call('POST', '/accounts', { holder_id: entity['id'], ach })
  expect(account.status).toBe(200)
  const { cookie } = await signedIn()
  const paths = [
    '/entities',
    `/entities/${entity['id']}`,
    '/accounts',
    `/accounts/${account.body['id']}`,
    '/events',
    '/requests',
    '/team',
  ]
  for (const path of paths) {
    const { status, text } = await send('GET', `/api${path}`, { cookie })
    expect([path, status]).toEqual([path, 200])
    expect(text).not.toMatch(/ana\.reyes|5125550101|1988-04-09|123456789|Canary Street/)
  }
  const shown = await send('GET', `/api/entities/${entity['id']}`, { cookie })
  expect(shown.body).toMatchObject({
    individual: { first_name: 'Ana', last_name: 'Reyes', phone: '••••0101', email: '••••' },
    address: { line1: '••••', city: 'Austin' },
  })
})
