import { describe, expect, it } from 'vitest'
import { someone } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const bank = lender(service)

async function keyWith(...scopes: string[]) {
  const key = await bank.must('POST', '/team/keys', { scopes })
  return { id: key.id, ...lender(service, key['value'] as string) }
}

describe('a key', () => {
  // kills: scopes-limit-keys
  it('can do what its scopes allow, and a rejection names the missing scope', async () => {
    const reader = await keyWith('read')
    await reader.must('GET', '/entities')
    const refused = await reader.call('POST', '/entities', { type: 'corporation', corporation: { name: 'A' } })
    expect(refused.status).toBe(403)
    expect(refused.body.error?.sub_type).toBe('FORBIDDEN')
    expect(refused.body.error?.message).toContain('lacks the write scope')
    const writer = await keyWith('write')
    expect(await writer.rejection('GET', '/entities')).toBe('FORBIDDEN')
    await writer.must('POST', '/entities', { type: 'corporation', corporation: { name: 'A' } })
    expect((await writer.call('POST', '/payments', {})).body.error?.message).toContain('lacks the payments scope')
    expect((await writer.call('PATCH', '/team', {})).body.error?.message).toContain('lacks the admin scope')
  })

  // kills: new-key-within-scopes
  it('has the scopes of the key that created it by default, and never more', async () => {
    const admin = await keyWith('admin', 'read')
    const key = await admin.must('POST', '/team/keys')
    expect(key).toMatchObject({ scopes: ['read', 'admin'], created_by: admin.id })
    const refused = await admin.call('POST', '/team/keys', { scopes: ['read', 'sensitive'] })
    expect(refused.status).toBe(403)
    expect(refused.body.error?.message).toContain('lacks the sensitive scope')
    const child = await admin.must('POST', '/teams', { name: 'Child' })
    expect(child['key']).toMatchObject({ scopes: ['read', 'admin'] })
    expect(await bank.rejection('POST', '/team/keys', { scopes: ['everything'] })).toBe('INVALID_REQUEST')
  })

  it('is rejected before its Idempotency-Key is looked up, and the rejection is not stored', async () => {
    const headers = { 'idempotency-key': 'scoped' }
    const body = { type: 'corporation', corporation: { name: 'B' } }
    const reader = await keyWith('read')
    expect((await reader.call('POST', '/entities', body, headers)).status).toBe(403)
    const reply = await bank.call('POST', '/entities', body, headers)
    expect([reply.status, reply.headers.get('idem-status')]).toEqual([200, 'stored'])
    expect((await reader.call('POST', '/entities', body, headers)).status).toBe(403)
  })

  it('manages webhooks only with the admin scope, because a webhook receives events as long as it exists', async () => {
    const { id } = await bank.must('POST', '/webhooks', { type: 'entity.create', url: 'http://127.0.0.1:1/hook' })
    const other = await keyWith('read', 'write', 'payments', 'sensitive')
    const requests: [string, string][] = [
      ['POST', '/webhooks'],
      ['POST', `/webhooks/${id}/rotate`],
      ['PATCH', `/webhooks/${id}`],
      ['DELETE', `/webhooks/${id}`],
    ]
    for (const [method, path] of requests)
      expect((await other.call(method, path, {})).body.error?.message).toContain('lacks the admin scope')
    await other.must('GET', `/webhooks/${id}`)
  })

  it('makes no change if the response would expand numbers that the key may not see', async () => {
    const person = await someone(service, '+16505551115')
    await bank.must('POST', `/entities/${person}/identities`)
    const other = await keyWith('read', 'write')
    const before = await bank.must('GET', `/entities/${person}`)
    for (const path of [
      `/entities/${person}?expand[]=identity`,
      `/entities/${person}?expand[]=connect.accounts.sensitive`,
      `/entities/${person}?expand=connect.accounts.payment_instrument`,
    ])
      expect([path, (await other.call('PUT', path, { metadata: { a: 1 } })).status]).toEqual([path, 403])
    expect(await bank.must('GET', `/entities/${person}`)).toEqual(before)
    const connect = `/entities/${person}/connect`
    expect((await other.call('POST', `${connect}?expand[]=accounts.sensitive`)).status).toBe(403)
    expect((await bank.must('GET', connect))['data']).toEqual([])
    await other.must('PUT', `/entities/${person}?expand[]=connect`, { metadata: { a: 1 } })
  })

  it('does not replay a response to a request that the key may not make, whatever it sends with the Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'identities' }
    const person = await someone(service, '+16505551115')
    const first = await bank.call('POST', `/entities/${person}/identities`, {}, headers)
    expect(first.text).toContain('"ssn":"111223333"')
    const writer = await keyWith('read', 'write', 'payments', 'admin')
    for (const path of ['/entities', '/merchants', '/nowhere', '/team/keys', `/entities/${person}/connect`]) {
      const reply = await writer.call('POST', path, {}, headers)
      expect([path, reply.status, reply.body.error?.sub_type]).toEqual([path, 403, 'FORBIDDEN'])
      expect(reply.body.error?.message).toContain('lacks the sensitive scope')
    }
  })

  // kills: replay-needs-scope
  it('sees that another request used its Idempotency-Key only with the scope of that request', async () => {
    const headers = { 'idempotency-key': 'webhook of admin' }
    const hook = { type: 'entity.create', url: 'http://127.0.0.1:1/hook' }
    const first = await bank.call('POST', '/webhooks', hook, headers)
    const other = await keyWith('read', 'write', 'payments', 'sensitive')
    const refused = await other.call('POST', '/entities', {}, headers)
    expect([refused.status, refused.body.error?.sub_type]).toEqual([403, 'FORBIDDEN'])
    expect(refused.body.error?.message).toContain('lacks the admin scope')
    expect(refused.text).not.toContain(first.body.id)
    const admin = await keyWith('write', 'admin')
    const mismatch = await admin.call('POST', '/entities', {}, headers)
    expect([mismatch.status, mismatch.headers.get('idempotency-mismatch')]).toEqual([400, 'true'])
    expect(mismatch.text).not.toContain(first.body.id)
    const replayed = await admin.call('POST', '/webhooks', hook, headers)
    expect([replayed.headers.get('idem-status'), replayed.body.id]).toEqual(['replayed', first.body.id])
  })
})

describe('full numbers of bank accounts', () => {
  it('are masked for a key without the sensitive scope, wherever it can see the account', async () => {
    const { id } = await bank.source('123456789')
    const other = await keyWith('read', 'write', 'payments', 'admin')
    const target = (await bank.debts('+15125550101')).accounts[0]!.id
    const pay = { amount: 5_000, source: id, destination: target, description: 'x' }
    await bank.must('POST', '/payments', pay)
    const holder = (await bank.must('GET', `/accounts/${id}`))['holder_id']
    const ach = { routing: '062103000', number: '123456789', type: 'checking' }
    const seen = [
      await other.call('GET', `/accounts/${id}`),
      await other.call('GET', '/accounts?type=ach'),
      await other.call('GET', '/payments?expand[]=source'),
      await other.call('PUT', `/accounts/${id}`, { metadata: {} }),
      await other.call('POST', '/accounts', { holder_id: holder, ach }),
    ]
    for (const reply of seen) {
      expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"number":"****6789"')])
      expect(reply.text).not.toContain('123456789')
    }
  })

  // kills: full-numbers-need-scope
  it('in a stored response are replayed only to a key with the sensitive scope', async () => {
    const holder = (await bank.source('222333444'))['holder_id']
    const body = { holder_id: holder, ach: { routing: '062103000', number: '222333445', type: 'checking' } }
    const headers = { 'idempotency-key': 'account' }
    expect((await bank.call('POST', '/accounts', body, headers)).text).toContain('222333445')
    const other = await keyWith('read', 'write')
    expect((await other.call('POST', '/accounts', body, headers)).status).toBe(403)
    expect((await bank.call('POST', '/accounts', body, headers)).headers.get('idem-status')).toBe('replayed')
  })

  it('cannot be reached by expansion', async () => {
    const { accounts, entity } = await bank.debts('+15125550101')
    const person = await someone(service, '+16505551115')
    await bank.must('POST', `/entities/${person}/identities`)
    const other = await keyWith('read')
    expect(accounts.length).toBeGreaterThan(0)
    expect((await other.call('GET', `/entities/${person}?expand[]=identity`)).status).toBe(403)
    expect((await other.call('GET', `/entities/${entity}?expand[]=connect`)).status).toBe(200)
  })
})

describe('a new secret value', () => {
  // kills: replay-hides-new-key
  it.each([
    ['/team/keys', {}],
    ['/teams', { name: 'Child' }],
  ])('from POST %s is shown once: a replay has null', async (path, body) => {
    const headers = { 'idempotency-key': `once ${path}` }
    const first = await bank.call('POST', path, body, headers)
    const value = /sk_\w{40}/.exec(first.text)![0]
    const again = await bank.call('POST', path, body, headers)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(again.text).toBe(first.text.replace(`"${value}"`, 'null'))
  })

  it('from creating a webhook is also shown once', async () => {
    const headers = { 'idempotency-key': 'once /webhooks', 'service-version': '2026-03-30' }
    const body = { type: 'entity.create', url: 'http://127.0.0.1:1/hook' }
    const first = await bank.call('POST', '/webhooks', body, headers)
    const secret = first.body['hmac_secret'] as string
    expect(secret).toMatch(/^whsec_/)
    expect((await bank.call('POST', '/webhooks', body, headers)).text).toBe(first.text.replace(`"${secret}"`, 'null'))
  })

  it('belongs to one of at most 20 keys', async () => {
    const { key } = await service.anotherTeam()
    const other = lender(service, key)
    for (let each = 1; each < 20; each += 1) await other.must('POST', '/team/keys')
    const refused = await other.call('POST', '/team/keys')
    expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringContaining('20 active keys')])
  })
})
