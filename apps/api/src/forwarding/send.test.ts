// biome-ignore-all lint/style/noExcessiveLinesPerFile: all cases share one service with a secret and a card.
import { forwardingRequest as schema } from '@causeway/contract/resources/forwarding-request'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lockAccount } from '../people/holders/store.js'
import { insertRecord } from '../people/records/store.js'
import { createId } from '../platform/crypto/random.js'
import { type Outbound, type OutboundCall, OutboundError, type OutboundFault } from '../platform/outbound/outbound.js'
import { transact } from '../platform/scope.js'
import { hideAccount } from '../privacy/account.js'
import { errorOf } from '../testing/contract/cases.js'
import { lender } from '../testing/money.js'
import { counter } from '../testing/queries/counting.js'
import { testService } from '../testing/service.js'

const CANARY = 'vault-token-canary-51ce'
const NUMBER = '4000001234567899'
const calls: OutboundCall[] = []
/** The behavior of the destination server. */
let answer: (call: OutboundCall) => Promise<{ status: number; headers: Record<string, string>; body: string | Buffer }>
const fails = (fault: OutboundFault) => async () => {
  throw new OutboundError(fault)
}
const outbound: Outbound = {
  loopback: true,
  admits: url => !url.includes('refused'),
  async call(call) {
    calls.push(call)
    const { status, headers, body } = await answer(call)
    return {
      status,
      headers,
      header: name => headers[name.toLowerCase()] ?? null,
      body: typeof body === 'string' ? Buffer.from(body) : body,
    }
  },
}

const counting = counter()

const service = await testService({ outbound, store: counting.store })
const bank = lender(service)
await bank.must('PATCH', '/team', { forwarding_allow_list: ['https://vault.example/v1'] })
const secret = (await bank.must('POST', '/secrets', { value: CANARY })).id
const { accounts } = await bank.debts()
const card = await instrument(accounts[0]!.id, {
  number: NUMBER,
  exp_month: '07',
  exp_year: '2031',
  billing_zip_code: null,
})
beforeEach(() => {
  calls.length = 0
  answer = async () => ({ status: 201, headers: { 'content-type': 'application/json' }, body: '{"id":"ch_1"}' })
})

async function instrument(account: string, block: object): Promise<string> {
  const team = (await service.deps.teamOf(service.team))!
  const id = createId('payment_instrument', Date.parse('2026-03-02T15:00:00.000Z'))
  await transact(service.deps, team, scope =>
    insertRecord(scope, {
      id,
      holder_id: account,
      product: 'payment_instrument.card',
      status: 'completed',
      data: { chargeable: true, block },
      sealed: true,
    }),
  )
  return id
}

const request = (more: object = {}) => ({
  url: 'https://vault.example/v1/charges',
  method: 'POST',
  headers: { Authorization: 'Bearer {{token.value}}' },
  body: '{"amount":5000,"pan":"{{pi.card.number}}","month":"{{pi.card.month}}"}',
  bindings: { token: secret, pi: card },
  ...more,
})
const small = (more: object = {}) =>
  request({ headers: {}, body: '{"a":"{{token.value}}"}', bindings: { token: secret }, ...more })
const post = (body: object, headers: Record<string, string> = {}) =>
  bank.call('POST', '/forwarding_requests', body, headers)

describe('a forwarded request', () => {
  it('reaches the destination with values, and is returned and stored with templates', async () => {
    const reply = await post(request({ metadata: { order: 7 } }))
    expect(reply.status, reply.text).toBe(200)
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({
      method: 'POST',
      url: 'https://vault.example/v1/charges',
      body: `{"amount":5000,"pan":"${NUMBER}","month":"07"}`,
      headers: { Authorization: `Bearer ${CANARY}`, 'Content-Type': 'application/json', 'Accept-Encoding': 'identity' },
    })
    const { metadata, ...given } = request({ metadata: { order: 7 } }) as ReturnType<typeof request> & {
      metadata: object
    }
    const { bindings, ...asked } = given
    expect(schema.parse(reply.body)).toMatchObject({
      bindings,
      request: asked,
      metadata,
      status: 'completed',
      response: { status_code: 201, body: { id: 'ch_1' } },
    })
    expect(await bank.must('GET', `/forwarding_requests/${reply.body.id}`)).toEqual(reply.body)
  })

  it('runs as many statements for twenty bindings as for two, and rejects more', async () => {
    const bind = (count: number) => {
      const pairs = Array.from({ length: count }, (_, index) =>
        index % 2 ? ([`b${index}`, card, 'card.number'] as const) : ([`b${index}`, secret, 'value'] as const),
      )
      return small({
        body: JSON.stringify(pairs.map(([name, , path]) => `{{${name}.${path}}}`)),
        bindings: Object.fromEntries(pairs.map(([name, id]) => [name, id])),
      })
    }
    const statements = async (count: number) => {
      await service.settle()
      counting.taken()
      expect((await post(bind(count))).status).toBe(200)
      await service.settle()
      return counting.taken()
    }
    expect(await statements(20)).toBe(await statements(2))
    const reply = await post(bind(21))
    expect([reply.status, errorOf(reply.body).message]).toEqual([400, 'bindings must have at most 20 bindings.'])
    const headers = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`x-${index}`, '1']))
    expect(errorOf((await post(small({ headers }))).body).message).toBe('headers must have at most 50 headers.')
  })

  it('hides values that the destination repeats, and stores none in plain text', async () => {
    answer = async call => ({
      status: 400,
      headers: { 'x-echo': String(call.headers['Authorization']) },
      body: JSON.stringify({ saw: call.body, number: Number(NUMBER) }),
    })
    const reply = await post(request(), { 'idempotency-key': 'echo' })
    expect(reply.body['response']).toMatchObject({
      status_code: 400,
      headers: { 'x-echo': 'Bearer {{token.value}}' },
      body: { number: '{{pi.card.number}}' },
    })
    const rows = await service.store.reader.selectFrom('forwarding_requests').selectAll().execute()
    const kept = await service.store.reader.selectFrom('idempotency').selectAll().execute()
    const jobs = await service.store.reader.selectFrom('jobs').selectAll().execute()
    const all = reply.text + JSON.stringify([rows, kept, jobs]) + service.lines.join('\n')
    expect(all).not.toContain(CANARY)
    expect(all).not.toContain(NUMBER)
    expect(JSON.stringify(rows)).not.toContain('vault.example')
  })

  it.each([
    ['UTF-8 with a byte order mark', 'application/json', Buffer.from('\ufeff{"name":"Jos\u00e9"}'), { name: 'José' }],
    ['the charset that it names', 'text/plain; charset=iso-8859-1', Buffer.from('Jos\u00e9', 'latin1'), 'José'],
    ['an unnamed charset', 'text/plain', Buffer.from('Jos\u00e9', 'latin1'), null],
    ['an unknown charset', 'text/plain; charset="x-none"', Buffer.from([0xff]), null],
    ['no charset, as binary data', 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47]), null],
  ])('returns a response in %s without replaced characters', async (_what, type, body, read) => {
    answer = async () => ({ status: 200, headers: { 'content-type': type }, body })
    const reply = await post(small())
    expect(reply.body['response']).toMatchObject({ status_code: 200, body: read })
    expect(await bank.must('GET', `/forwarding_requests/${reply.body.id}`)).toEqual(reply.body)
  })

  it.each([
    ['a repeated member', '{"id":1,"id":2}'],
    ['a number that would lose digits', '{"id":12345678901234567890}'],
    ['a number with the 17 digits of another one', '{"rate":0.10000000000000001}'],
    ['5,000 levels', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['a character that a store might change', '{"id":"a\\u0000"}'],
  ])('returns a response with %s as text', async (_what, body) => {
    answer = async () => ({ status: 200, headers: { 'content-type': 'application/json' }, body })
    const reply = await post(small())
    expect(reply.body['response']).toMatchObject({ body })
    expect(await bank.must('GET', `/forwarding_requests/${reply.body.id}`)).toEqual(reply.body)
  })

  it('returns a response as text with templates in place of values, in any form', async () => {
    answer = async () => ({ status: 200, headers: {}, body: `{"id":${NUMBER}000,"id":"${CANARY}"}` })
    const reply = await post(request())
    expect(reply.body['response']).toMatchObject({ body: '{"id":{{pi.card.number}}000,"id":"{{token.value}}"}' })
  })

  it.each([
    ['escapes', (text: string) => [...text].map(each => `\\u00${each.charCodeAt(0).toString(16)}`).join('')],
    ['no escapes', (text: string) => text],
  ])('hides values that a response kept as text repeats with %s', async (_what, written) => {
    for (const [before, after] of [
      ['['.repeat(5_000), ']'.repeat(5_000)],
      ['{"a":1,"a":[', ']}'],
      ['["cut off",', ''],
    ] as const) {
      const body = `${before}"x${written(NUMBER)}y",{"${written(CANARY)}":0}${after}`
      answer = async () => ({ status: 200, headers: {}, body })
      const reply = await post(request())
      expect(reply.body['response']).toMatchObject({
        body: `${before}"x{{pi.card.number}}y",{"{{token.value}}":0}${after}`,
      })
    }
  })

  it('returns a member of a response named __proto__', async () => {
    const body = '{"__proto__":{"a":1},"b":[{"__proto__":2}]}'
    answer = async () => ({ status: 200, headers: { 'content-type': 'application/json' }, body })
    expect(JSON.stringify((await post(small())).body['response'])).toContain(body)
  })

  it('keeps the beginning of a response that is cut off inside a character', async () => {
    answer = async () => ({ status: 200, headers: {}, body: Buffer.from('é'.repeat(131_073)).subarray(1 - 1, 262_144) })
    const reply = await post(small())
    expect(reply.body['response']).toMatchObject({ body: 'é'.repeat(131_072) })
    answer = async () => ({
      status: 200,
      headers: {},
      body: Buffer.from(`a${'é'.repeat(131_073)}`).subarray(0, 262_144),
    })
    expect((await post(small())).body['response']).toMatchObject({ body: `a${'é'.repeat(131_071)}` })
  })

  it('is shown only with the sensitive scope, since a destination may repeat a number in another format', async () => {
    const grouped = NUMBER.replace(/(....)(?=.)/g, '$1 ')
    answer = async () => ({ status: 200, headers: {}, body: JSON.stringify({ grouped }) })
    const { body } = await post(request())
    const path = `/forwarding_requests/${body.id}`
    expect((await bank.call('GET', path)).text).toContain(grouped)
    const key = await bank.must('POST', '/team/keys', { scopes: ['read', 'write', 'payments', 'admin'] })
    expect((await lender(service, key['value'] as string).call('GET', path)).status).toBe(403)
  })

  it('is sent once for each idempotency key', async () => {
    const [first, second] = [
      await post(small(), { 'idempotency-key': 'k' }),
      await post(small(), { 'idempotency-key': 'k' }),
    ]
    expect(second.text).toBe(first.text)
    expect(calls).toHaveLength(1)
  })

  it.each<[OutboundFault, number, string]>([
    ['timeout', 504, 'FORWARDED_REQUEST_TIMEOUT'],
    ['connection', 500, 'FORWARDED_REQUEST_NETWORK_ERROR'],
    ['lookup', 500, 'FORWARDED_REQUEST_NETWORK_ERROR'],
    ['refused', 400, 'URL_NOT_ALLOWED'],
  ])('that ends in %s returns %i, also on every replay, and is stored as failed', async (fault, status, subType) => {
    answer = fails(fault)
    const first = await post(small(), { 'idempotency-key': fault })
    expect([first.status, first.body.error?.sub_type]).toEqual([status, subType])
    answer = async () => ({ status: 200, headers: {}, body: '' })
    const again = await post(small(), { 'idempotency-key': fault })
    expect([again.text, again.headers.get('idem-status')]).toEqual([first.text, 'replayed'])
    expect(calls).toHaveLength(1)
    const id = /freq_\w+/.exec(first.text)![0]
    expect(await bank.must('GET', `/forwarding_requests/${id}`)).toMatchObject({
      status: 'failed',
      response: { status_code: null, headers: {}, body: null },
    })
  })

  it('that was in progress at shutdown is not sent by the next process', async () => {
    let arrived = () => {}
    const there = new Promise<void>(resolve => {
      arrived = resolve
    })
    let end = () => {}
    answer = () => {
      arrived()
      return new Promise(resolve => {
        end = () => resolve({ status: 200, headers: {}, body: '"late"' })
      })
    }
    const asked = post(small())
    await there
    const next = await service.again({ outbound })
    await next.settle()
    expect(calls).toHaveLength(1)
    const [row] = await service.store.reader
      .selectFrom('forwarding_requests')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect([row!.status, row!.fault]).toEqual(['failed', 'unknown'])
    end()
    expect((await asked).body.error).toMatchObject({
      code: 500,
      message: expect.stringContaining('will not be retried'),
    })
    expect(calls).toHaveLength(1)
  })

  it('of another team returns 404', async () => {
    const { id } = (await post(small())).body
    const other = lender(service, (await service.anotherTeam()).key)
    expect(await other.rejection('GET', `/forwarding_requests/${id}`)).toBe('NOT_FOUND')
  })
})

describe('nothing is sent if', () => {
  // kills: no-value-of-a-hidden-account
  it('an instrument is of an account that its holder no longer shares, or of a product that they did not agree to', async () => {
    const [, second, third] = accounts as [unknown, { id: string }, { id: string }]
    const block = { number: '4000001234560002', exp_month: '07', exp_year: '2031', billing_zip_code: null }
    const bound = async (account: string) => small({ bindings: { token: await instrument(account, block) } })
    const [hidden, unagreed] = [await bound(second.id), await bound(third.id)]
    const team = (await service.deps.teamOf(service.team))!
    await transact(service.deps, team, async tx => {
      await hideAccount(tx, (await lockAccount(tx, second.id))!)
      await tx.db.updateTable('accounts').set({ agreed: '["balance"]' }).where('id', '=', third.id).execute()
    })
    for (const body of [hidden, unagreed])
      expect(await bank.rejection('POST', '/forwarding_requests', body)).toBe('BINDING_NOT_FOUND')
    expect(calls).toEqual([])
  })

  it.each<[string, () => object, string]>([
    ['the address is not on the list', () => small({ url: 'https://vault.example/v2' }), 'URL_NOT_ALLOWED'],
    ['the address is never called', () => small({ url: 'https://vault.example/v1/refused' }), 'URL_NOT_ALLOWED'],
    ['the method is invalid', () => small({ method: 'TRACE' }), 'INVALID_METHOD'],
    ['a required field is missing', () => small({ bindings: undefined }), 'INVALID_REQUEST'],
    ['metadata is too large', () => small({ metadata: { a: 'x'.repeat(1_016) } }), 'INVALID_REQUEST'],
    ['a secret is unknown', () => small({ bindings: { token: 'sec_0000000000000' } }), 'BINDING_NOT_FOUND'],
    ['an instrument is unknown', () => small({ bindings: { token: 'pmt_inst_0000000000000' } }), 'BINDING_NOT_FOUND'],
    [
      'a resource of another type is bound',
      () => small({ bindings: { token: service.team } }),
      'UNSUPPORTED_BINDING_VALUE',
    ],
    ['a secret has no such field', () => small({ body: '["{{token.id}}"]' }), 'DISALLOWED_TEMPLATE_PATH'],
    [
      'an instrument has no such field',
      () => small({ body: '["{{token.card.id}}"]', bindings: { token: card } }),
      'DISALLOWED_TEMPLATE_PATH',
    ],
    [
      'a field has no value',
      () => small({ body: '["{{token.card.billing_zip_code}}"]', bindings: { token: card } }),
      'REFERENCED_VALUE_IS_NULL',
    ],
    [
      'it needs a security code, which is never stored',
      () => small({ body: '["{{token.card.cvv}}"]', bindings: { token: card } }),
      'REFERENCED_VALUE_IS_NULL',
    ],
  ])('%s', async (_what, body, subType) => {
    expect(await bank.rejection('POST', '/forwarding_requests', body())).toBe(subType)
    expect(calls).toEqual([])
  })

  it("the value is another team's", async () => {
    const other = lender(service, (await service.anotherTeam()).key)
    await other.must('PATCH', '/team', { forwarding_allow_list: ['https://vault.example'] })
    for (const token of [secret, card])
      expect(await other.rejection('POST', '/forwarding_requests', small({ bindings: { token } }))).toBe(
        'BINDING_NOT_FOUND',
      )
    expect(calls).toEqual([])
  })

  it("the team's allowlist is empty, which is the default", async () => {
    const other = lender(service, (await service.anotherTeam()).key)
    expect(await other.rejection('POST', '/forwarding_requests', small({ url: 'http://127.0.0.1:1/' }))).toBe(
      'URL_NOT_ALLOWED',
    )
    expect(calls).toEqual([])
  })
})

describe('withdrawing consent for the account whose values were forwarded', () => {
  const NAME = 'Quillonius Abernathwaite'
  const named = () =>
    request({
      headers: { 'X-Name': NAME },
      body: `{"pan":"{{pi.card.number}}","name":"${NAME}"}`,
      bindings: { pi: named.card },
      metadata: { name: NAME },
    })
  named.card = ''
  const told = async () => ({
    status: 201,
    headers: { 'x-name': NAME },
    body: JSON.stringify({ id: 'ch_1', name: NAME }),
  })
  let account: string
  beforeAll(async () => {
    account = (await bank.debts('+15125550100')).accounts[0]!.id
    named.card = await instrument(account, {
      number: NUMBER,
      exp_month: '07',
      exp_year: '2031',
      billing_zip_code: null,
    })
  })

  it("deletes the contents of the requests, including earlier releases' requests, and of their replays", async () => {
    answer = told
    const first = await post(named(), { 'idempotency-key': 'withdrawn' })
    const second = await post(named())
    expect(first.text).toContain(NAME)
    // Makes the request look like one from an earlier release.
    await service.store.write(async tx => {
      await tx.deleteFrom('forwarding_holders').where('request_id', '=', second.body.id).execute()
      await tx.updateTable('forwarding_requests').set({ linked: 0 }).where('id', '=', second.body.id).execute()
    })
    const other = await post(small({ body: '{"a":"{{token.value}}","name":"Somebody Else"}' }))
    await bank.must('POST', `/accounts/${account}/consent`, { type: 'withdraw' })
    for (const id of [first.body.id, second.body.id]) {
      const shown = await bank.call('GET', `/forwarding_requests/${id}`)
      expect(shown.text).not.toContain(NAME)
      expect(schema.parse(shown.body)).toMatchObject({
        request: { url: 'https://vault.example', method: 'POST', headers: {}, body: '' },
        response: { status_code: null, headers: {}, body: null },
        metadata: null,
        status: 'completed',
      })
    }
    const again = await post(named(), { 'idempotency-key': 'withdrawn' })
    expect(again.headers.get('idem-status')).toBe('replayed')
    expect(again.text).not.toContain(NAME)
    expect((await bank.call('GET', `/forwarding_requests/${other.body.id}`)).text).toContain('Somebody Else')
  })
})
