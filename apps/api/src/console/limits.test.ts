import { beforeAll, describe, expect, it } from 'vitest'
import { typedJson } from '../people/holders/entity.js'
import { consoleOf, cookieIn, origin } from '../testing/console.js'
import { testService } from '../testing/service.js'

const service = await testService()

const { send, signedIn, operator } = consoleOf(service)

describe('limits', () => {
  it("count all of a key's sessions together, separately from the API except for payments", async () => {
    const limited = await testService({ rateLimits: 1 })
    const at = consoleOf(limited)
    const one = await at.signedIn()
    const other = await at.send('POST', '/api/session', { body: { key: one.value } })
    const pay = (cookie: string) => at.send('POST', '/api/payments', { cookie })
    const cookies = [one.cookie, cookieIn(other.headers)]
    for (let count = 0; count < 60; count++) for (const cookie of cookies) expect((await pay(cookie)).status).toBe(400)
    for (const cookie of cookies) expect((await pay(cookie)).status).toBe(429)
    expect((await limited.call('POST', '/payments', {})).status).toBe(429)
    expect((await at.send('GET', '/api/payments', { cookie: one.cookie })).status).toBe(200)
  })

  it('count a client without a session before its headers are checked', async () => {
    const limited = await testService({ rateLimits: 1 })
    const at = consoleOf(limited).open()
    const sign = () =>
      at.fetch(new Request(`${origin}/api/session`, { method: 'POST', body: 'x' }), {
        incoming: { socket: { remoteAddress: '192.0.2.8' } },
      })
    const first = await sign()
    expect([first.status, first.headers.get('request-id')]).toEqual([403, expect.stringMatching(/^req_/)])
    for (let count = 1; count < 60; count++) await sign()
    expect((await sign()).status).toBe(429)
  })

  it("do not let a user without permission use up the API's limits", async () => {
    const limited = await testService({ rateLimits: 1 })
    const at = consoleOf(limited)
    const { cookie } = await at.signedIn(['read'])
    for (let count = 0; count < 60; count++)
      expect((await at.send('DELETE', '/api/payments/pmt_0000000000000', { cookie })).status).toBe(403)
    expect((await at.send('DELETE', '/api/payments/pmt_0000000000000', { cookie })).status).toBe(429)
    expect((await limited.call('DELETE', '/payments/pmt_0000000000000')).status).toBe(404)
  })

  it('allow a key 200 full phone number searches per day, and record each search', async () => {
    const { cookie, key } = await signedIn(['read'])
    const find = (q: string) => send('POST', '/api/search', { cookie, body: { q } })
    const notations = [
      (end: string) => `512555${end}`,
      (end: string) => `512\u2011555\u2011${end}`,
      (end: string) => `tel:+1-512-555-${end}`,
      (end: string) => `\u202a512/555/${end}\u202c`,
      (end: string) => `512 555 ${end} ext 1`,
      (end: string) => `５１２５５５${end}`,
    ]
    for (let count = 0; count < 200; count++)
      expect((await find(notations[count % notations.length]!(String(count).padStart(4, '0')))).status).toBe(200)
    for (const notation of notations) expect((await find(notation('0123'))).status).toBe(429)
    expect((await find('0123')).status).toBe(200)
    const { count } = await service.store.reader
      .selectFrom('audit')
      .select(query => query.fn.countAll<number>().as('count'))
      .where('team_id', '=', service.team)
      .where('actor', '=', key)
      .where('action', '=', 'search.phone')
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(200)
  })

  it('count cookies without a session by client address', async () => {
    const limited = await testService({ rateLimits: 1 })
    const at = consoleOf(limited).open()
    const guess = () =>
      at.fetch(
        new Request(`${origin}/api/payments`, {
          headers: { cookie: `console-4400=${'x'.repeat(43)}`, 'sec-fetch-site': 'same-origin' },
        }),
        { incoming: { socket: { remoteAddress: '192.0.2.7' } } },
      )
    for (let count = 0; count < 60; count++) expect((await guess()).status).toBe(401)
    expect((await guess()).status).toBe(429)
  })
})

it('shows an operator without a key how to create a key or a team', async () => {
  const { cookie } = await operator()
  for (const [path, body] of [
    ['/api/team/keys', {}],
    ['/api/teams', { name: 'Northwind Auto' }],
  ] as const) {
    const reply = await send('POST', path, { cookie, body })
    expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('pnpm admin')])
  }
})

describe('a link for a person', () => {
  let entity = ''
  const individual = { first_name: 'Ana', last_name: 'Reyes', email: 'ana@reyes.example', phone: '+15125550188' }
  const ask = { mode: 'identity_verification', identity_verification: {} }
  const redirect_url = 'http://localhost:3000/done'
  beforeAll(async () => {
    entity = (await service.call('POST', '/entities', { type: 'individual', individual })).body['id'] as string
    const now = service.deps.clock()
    await service.store.write(tx =>
      tx
        .updateTable('entities')
        .set({ phone_verified_at: now, phone_proved_at: now })
        .where('team_id', '=', service.team)
        .where('id', '=', entity)
        .execute(),
    )
  })

  it('returns no token, and shows nothing about the person before a code is entered', async () => {
    const { cookie } = await signedIn(['read', 'write', 'sensitive'])
    const body = { ...ask, entity_id: entity, redirect_url }
    const reply = await send('POST', '/api/opal/token', { cookie, body })
    expect([reply.status, reply.text]).toEqual([200, expect.not.stringContaining('otkn_')])
    const { hosted_url } = reply.body['data'] as { hosted_url: string }
    const token = `otkn_${hosted_url.split('/h/')[1]!.replace('#', '')}`
    const view = await service.call('GET', '/opal/token', undefined, { authorization: `Bearer ${token}` })
    expect(view.body['data']).toMatchObject({ entity: { id: entity, individual: null, address: null } })
    const connect = { type: 'connect', entity_id: entity, connect: {}, redirect_url }
    const element = await send('POST', '/api/elements/token', { cookie, body: connect })
    expect([element.status, Object.keys(element.body)]).toEqual([200, ['hosted_url']])
  })

  // kills: console-link-phone
  // kills: console-sets-no-phone
  it('is only for a person whose phone number a server sent or the person verified, and whose number the user cannot set', async () => {
    const { cookie } = await signedIn(['read', 'write'])
    const create = async (details: object) =>
      (await service.call('POST', '/entities', { type: 'individual', individual: details })).body['id'] as string
    const link = (body: object) => send('POST', '/api/opal/token', { cookie, body: { redirect_url, ...body } })
    const unknown = await create({ first_name: 'Ana', email: 'ana@reyes.example' })
    const typed = await create({ ...individual, phone: '+15125550189' })
    await service.store.write(tx =>
      tx
        .updateTable('entities')
        .set({ typed: typedJson.write(['phone']) })
        .where('team_id', '=', service.team)
        .where('id', '=', typed)
        .execute(),
    )
    const session = async (of: object) =>
      ((await service.call('POST', '/opal/token', { ...ask, ...of })).body['data'] as { session_id: string }).session_id
    const inline = (details: object) => session({ entity: { type: 'individual', individual: details } })
    for (const body of [
      { ...ask, entity_id: unknown },
      { ...ask, entity_id: typed },
      { mode: 'connect', connect: {}, entity_id: unknown },
      { mode: ask.mode, session_id: await session({ entity_id: unknown }) },
      { mode: ask.mode, session_id: await inline({ first_name: 'Ana', email: 'ana@reyes.example' }) },
    ])
      expect((await link(body)).text).toContain('only for a person with a phone number that your server sent')
    expect((await link({ mode: ask.mode, session_id: await inline(individual) })).status).toBe(200)

    const put = await send('PUT', `/api/entities/${unknown}`, {
      cookie,
      body: { individual: { phone: '+15125550101' } },
    })
    expect([put.status, put.text]).toEqual([403, expect.stringContaining('cannot be set in the console')])
    const dob = await send('PUT', `/api/entities/${unknown}`, { cookie, body: { individual: { dob: '1980-04-05' } } })
    expect(dob.status).toBe(200)
  })

  it('sets no terms, style or origins, and creates no person', async () => {
    const { cookie } = await signedIn(['read', 'write', 'sensitive'])
    const to = { redirect_url, entity_id: entity }
    for (const [field, body] of Object.entries({
      allowed_origins: { ...ask, ...to, allowed_origins: ['https://evil.example'] },
      team_name: { ...ask, ...to, team_name: 'Northwind' },
      entity: { ...ask, redirect_url, entity: { type: 'individual', individual: { phone: '+15125550111' } } },
      balance_transfer: { ...to, mode: 'balance_transfer', balance_transfer: { loan_amount: 1_000_000 } },
      identity_verification: { ...ask, redirect_url, session_id: 'osess_0000000000000' },
    })) {
      const reply = await send('POST', '/api/opal/token', { cookie, body })
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(`cannot set ${field}.`)])
    }
  })

  it('requires a return URL', async () => {
    const { cookie } = await signedIn()
    const reply = await send('POST', '/api/opal/token', { cookie, body: { ...ask, entity_id: entity } })
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('redirect_url is required')])
  })
})
