import { MINUTE_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { StoreFault } from '../../platform/db/fault.js'
import { frameCall, HOST, LOAN, newToken, Person, redeemToken, someone, transferToken } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const entity = await someone(service, '+15125550101')

const token = async (more: Record<string, unknown> = {}) => {
  const made = await service.call('POST', '/elements/token', {
    type: 'balance_transfer',
    entity_id: entity,
    balance_transfer: LOAN,
    ...more,
  })
  if (made.status !== 200) throw new Error(made.text)
  return made.body['element_token'] as string
}
const rejection = async (text: string, more: Record<string, unknown> = {}, headers?: Record<string, string>) => {
  const { status, body } = headers
    ? await frameCall(
        service,
        'POST',
        '/s/redeem',
        { token: text, exchange_id: 'e'.repeat(24), origin: HOST, mode: null },
        headers,
      )
    : await redeemToken(service, text, more)
  return [status, body.error?.sub_type]
}
const look = (bearer: string) => frameCall(service, 'GET', '/s', undefined, { authorization: `Bearer ${bearer}` })

describe('redeeming', () => {
  it('4.1.1 of 200 simultaneous redemptions, exactly one succeeds, and its flow completes undisturbed', async () => {
    const { element_token } = await transferToken(service, entity, LOAN)
    const other = service.store.engine === 'postgres' ? await service.again() : service
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) => redeemToken(index % 2 ? other : service, element_token)),
    )
    const winners = replies.filter(reply => reply.status === 200)
    expect(winners).toHaveLength(1)
    const lost = replies.filter(reply => reply.status !== 200).map(reply => reply.body.error?.sub_type)
    expect(new Set(lost)).toEqual(new Set(['EXPIRED_TOKEN']))
    const audited = await service.store.reader
      .selectFrom('audit')
      .select('id')
      .where('action', '=', 'token.refused')
      .execute()
    expect(audited).toHaveLength(1)
    const { bearer, view } = winners[0]!.body
    const person = new Person(service, bearer!, view!)
    await person.arriveAtAccounts()
    const accounts = person.data('selection').accounts.map(account => account.id)
    await person.send({ action: 'select', accounts })
    await person.send({ action: 'review', allocations: person.data('allocation').suggestion })
    await person.send({ action: 'confirm' })
    expect(person.view.step).toBe('done')
  })

  it('a lost response can be requested again with the same exchange_id within a minute, but not later', async () => {
    const text = await token({ entity_id: await someone(service, '+15125550101') })
    const exchange_id = 'x'.repeat(22)
    const first = await redeemToken(service, text, { exchange_id })
    service.advance(MINUTE_MS - 1)
    const second = await redeemToken(service, text, { exchange_id })
    // The first response was lost, so the second response repeats its events.
    for (const { body } of [first, second])
      expect(body.view!.events.map(event => event.type)).toEqual([
        'opal.session.started',
        'identity_verification.flow.started',
        'identity_verification.step.started',
      ])
    expect([second.status, second.body.bearer]).toEqual([200, first.body.bearer])
    expect(second.body.view?.revision).toBe(first.body.view?.revision)
    service.advance(1)
    expect(await rejection(text, { exchange_id })).toEqual([400, 'EXPIRED_TOKEN'])
    expect((await look(first.body.bearer!)).status).toBe(200)
  })

  it('that was committed without a response from the store succeeds when it is repeated with the same exchange_id', async () => {
    let isLost = false
    const own = await testService({
      store: store => ({
        ...store,
        async write(work) {
          const result = await store.write(work)
          if (isLost) throw new StoreFault('CONNECTION_LOST', null)
          return result
        },
      }),
    })
    const text = await newToken(own)
    const exchange_id = 'z'.repeat(22)
    isLost = true
    expect((await redeemToken(own, text, { exchange_id })).status).toBe(503)
    isLost = false
    const other = await redeemToken(own, text)
    expect([other.status, other.body.error?.sub_type]).toEqual([400, 'EXPIRED_TOKEN'])
    const { status, body } = await redeemToken(own, text, { exchange_id })
    expect([status, body.view?.step]).toEqual([200, 'consent'])
  })

  it('20 copies of one exchange create one session with one bearer', async () => {
    const text = await token()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => redeemToken(service, text, { exchange_id: 'y'.repeat(22) })),
    )
    expect(new Set(replies.map(reply => `${reply.status} ${reply.body.bearer}`)).size).toBe(1)
    expect(replies[0]!.status).toBe(200)
  })

  it('an inline entity is created once, by the first request to commit', async () => {
    const made = await service.call('POST', '/elements/token', {
      type: 'connect',
      connect: { entity: { type: 'individual', individual: { last_name: 'Onlyone' } } },
    })
    const before = (await service.store.reader.selectFrom('entities').select('id').execute()).length
    await Promise.all(Array.from({ length: 30 }, () => redeemToken(service, made.body['element_token'])))
    expect(await service.store.reader.selectFrom('entities').select('id').execute()).toHaveLength(before + 1)
  })

  // kills: token-needs-secret
  it('an unknown token and a wrong secret return the same error', async () => {
    const text = await token()
    const wrong = text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a')
    for (const bad of [
      wrong,
      `pk_elem_${'0'.repeat(49)}`,
      'pk_elem_',
      '',
      'otkn_x',
      text.slice(0, -1),
      `${text}x`,
      ` ${text}`,
    ])
      expect([bad === text, ...(await rejection(bad))]).toEqual([false, 400, 'INVALID_TOKEN'])
    expect(await rejection(text)).toEqual([200, undefined])
  })

  it('a revoked token is rejected, and its session ends', async () => {
    const made = await service.call('POST', '/opal/token', {
      mode: 'balance_transfer',
      entity_id: entity,
      balance_transfer: LOAN,
    })
    const { token: text } = made.body['data'] as { token: string }
    const person = await Person.arrive(service, text)
    const revoked = await service.call('DELETE', '/opal/token', undefined, { authorization: `Bearer ${text}` })
    expect(revoked.body).toEqual({ success: true, data: null, message: null })
    expect((await look(person.bearer)).body.error?.sub_type).toBe('SESSION_EXPIRED')
    expect(await rejection(text)).toEqual([400, 'EXPIRED_TOKEN'])
    const asked = await service.call('GET', '/opal/token', undefined, { authorization: `Bearer ${text}` })
    expect(asked.status).toBe(401)
  })

  it('a token revoked before anyone used it opens nothing', async () => {
    const text = await token()
    await service.store.write(tx =>
      tx.updateTable('tokens').set({ revoked_at: service.deps.clock() }).where('consumed_at', 'is', null).execute(),
    )
    expect(await rejection(text)).toEqual([400, 'EXPIRED_TOKEN'])
  })

  // kills: token-of-revoked-key
  it("a revoked key's unspent tokens are rejected, and sessions already open continue", async () => {
    const made = await service.call('POST', '/team/keys', {})
    const { id, value } = made.body as { id: string; value: string }
    const mint = async (kind: 'opal' | 'link') => {
      const terms = { entity_id: entity, balance_transfer: LOAN, mode: 'balance_transfer' }
      const end = kind === 'link' ? { redirect_url: 'http://127.0.0.1:4300/end' } : {}
      const { body } = await service.call(
        'POST',
        '/opal/token',
        { ...terms, ...end },
        { authorization: `Bearer ${value}` },
      )
      return (body['data'] as { token: string }).token
    }
    const spent = await mint('opal')
    const unspent = await mint('opal')
    const link = await mint('link')
    const exchange_id = 'k'.repeat(22)
    const { body } = await redeemToken(service, spent, { exchange_id })
    const read = async (text: string) =>
      (await service.call('GET', '/opal/token', undefined, { authorization: `Bearer ${text}` })).status
    const page = async (path: string) =>
      (await service.app.frame.fetch(new Request(`http://localhost:4100${path}`))).status
    const handle = (text: string) => text.slice('otkn_'.length, 'otkn_'.length + 16)
    const seen = async () => [
      await read(unspent),
      await read(spent),
      await page(`/e/${handle(unspent)}`),
      await page(`/h/${handle(link)}`),
    ]
    expect(await seen()).toEqual([200, 200, 200, 200])
    expect((await service.call('DELETE', `/team/keys/${id}`)).status).toBe(200)
    expect(await rejection(unspent)).toEqual([400, 'EXPIRED_TOKEN'])
    expect(await rejection(link, { origin: null })).toEqual([400, 'EXPIRED_TOKEN'])
    expect(await seen()).toEqual([401, 200, 410, 410])
    expect((await look(body.bearer!)).status).toBe(200)
    expect((await redeemToken(service, spent, { exchange_id })).body.bearer).toBe(body.bearer)
  })

  // kills: embedded-by-allowed-origins
  it('an origin that is not allowed cannot embed it, and the attempt does not spend the token', async () => {
    const text = await token()
    for (const origin of [
      'https://evil.example',
      'http://127.0.0.1.evil.example',
      'null',
      'file://',
      null,
      'http://localhost@evil.example',
    ])
      expect([origin, ...(await rejection(text, { origin }))]).toEqual([origin, 403, 'ORIGIN_NOT_ALLOWED'])
    const listed = await token({ allowed_origins: ['https://www.lender.example'] })
    for (const origin of [
      HOST,
      'https://lender.example',
      'http://www.lender.example',
      'https://www.lender.example:8443',
    ])
      expect(await rejection(listed, { origin })).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
    expect(await rejection(listed, { origin: 'https://www.lender.example' })).toEqual([200, undefined])
    expect(await rejection(text)).toEqual([200, undefined])
  })

  it("the element's mode must match the token's", async () => {
    const text = await token()
    expect(await rejection(text, { mode: 'connect' })).toEqual([400, 'INVALID_MODE_CONFIG'])
    expect(await rejection(text, { mode: 'balance_transfer' })).toEqual([200, undefined])
  })

  it("calls must come from the frame's own pages", async () => {
    const text = await token()
    for (const headers of [
      { origin: 'http://127.0.0.1:4300' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[])
      expect(await rejection(text, {}, headers)).toEqual([403, 'FORBIDDEN'])
    const own = { 'sec-fetch-site': 'same-origin' }
    expect(await rejection(text, {}, own)).toEqual([200, undefined])
  })
})

describe('a bearer', () => {
  // kills: bearer-expires-when-idle
  it('ends after 15 minutes of inactivity', async () => {
    const person = await Person.arrive(service, await token())
    service.advance(14 * MINUTE_MS)
    expect((await look(person.bearer)).status).toBe(200)
    service.advance(15 * MINUTE_MS - 1)
    expect((await look(person.bearer)).status).toBe(200)
    service.advance(15 * MINUTE_MS)
    const { status, body } = await look(person.bearer)
    expect([status, body.error?.sub_type]).toEqual([401, 'SESSION_EXPIRED'])
    expect(body.error?.message).toMatch(/new token/)
  })

  it('reports its expiry to the millisecond, even after a call that did not extend it', async () => {
    const person = await Person.arrive(service, await token())
    service.advance(20_000)
    const { expires_at } = await person.look()
    service.advance(Date.parse(expires_at) - service.deps.clock() - 1)
    expect((await look(person.bearer)).status).toBe(200)
  })

  // kills: bearer-expires-in-use
  it('ends after an hour, regardless of activity', async () => {
    const person = await Person.arrive(service, await token())
    for (let minutes = 0; minutes < 50; minutes += 10) {
      service.advance(10 * MINUTE_MS)
      expect((await person.look()).expires_at > '').toBe(true)
    }
    const { expires_at } = await person.look()
    service.advance(10 * MINUTE_MS - 1)
    expect((await look(person.bearer)).status).toBe(200)
    service.advance(1)
    expect((await look(person.bearer)).status).toBe(401)
    expect(Date.parse(expires_at)).toBe(service.deps.clock())
  })

  it('is not stored in plain text, and no other text is accepted', async () => {
    const person = await Person.arrive(service, await token())
    const rows = await service.store.reader.selectFrom('bearers').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(person.bearer)
    for (const text of ['', 'x'.repeat(43), person.bearer.slice(1), service.key])
      expect((await look(text)).status).toBe(401)
    const step = await frameCall(service, 'POST', '/s/steps/consent', { revision: 1, input: {} })
    expect(step.body.error?.sub_type).toBe('SESSION_EXPIRED')
  })
})

describe('a spent token', () => {
  it('reads no personal data, in its view or elsewhere', async () => {
    const made = await service.call('POST', '/opal/token', { mode: 'connect', entity_id: entity })
    const { token: text } = made.body['data'] as { token: string }
    const view = async () =>
      (await service.call('GET', '/opal/token', undefined, { authorization: `Bearer ${text}` })).body['data']
    expect(await view()).toMatchObject({ entity: { individual: { phone: '+15125550101' } } })
    await Person.arrive(service, text)
    expect(await view()).toMatchObject({ entity: { id: entity, individual: null, address: null } })
    const late = await service.call('POST', '/opal/token', { mode: 'connect', entity_id: entity })
    service.advance(31 * MINUTE_MS)
    const { token: old } = late.body['data'] as { token: string }
    const reply = await service.call('GET', '/opal/token', undefined, { authorization: `Bearer ${old}` })
    expect(reply.body['data']).toMatchObject({ entity: { individual: null, address: null } })
    expect(reply.text).not.toContain('Doyle')
    const results = await service.call('GET', `/elements/token/${old}/results`)
    expect(results.text).not.toContain('Doyle')
  })
})
