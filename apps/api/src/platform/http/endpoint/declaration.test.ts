import { describe, expect, it } from 'vitest'
import { errorOf, NEWEST } from '../../../testing/contract/cases.js'
import { blank, endpoints, makePlaces } from '../../../testing/contract/endpoints.js'
import { testService } from '../../../testing/service.js'

const service = await testService()
const at = await makePlaces(service)

const newest = { 'service-version': NEWEST }
const read = (path: string, headers: Record<string, string> = {}) => service.call('GET', path, undefined, headers)
const message = async (path: string) => {
  const reply = await read(path)
  return [reply.status, errorOf(reply.body).message]
}
const count = async (path: string) => ((await read(path)).body['data'] as unknown[]).length

describe('filters', () => {
  it.each([
    ['/accounts?status=nope', 'status must be one of: active, processing, disabled, closed.'],
    [
      '/accounts?status=active,closed',
      'status must be one of: active, processing, disabled, closed. Send several as status[]=a&status[]=b.',
    ],
    ['/accounts?consent_status=maybe', 'consent_status must be one of: approved, withdrawn, pending.'],
    ['/accounts?liability.ownership=none', 'liability.ownership must be one of: primary, authorized, joint, unknown.'],
    ['/entities?type[]=individual&type[]=robot', 'type must be one of: individual, corporation.'],
    ['/payments?type=odd', 'type must be one of: standard, clearing.'],
    ['/events?type=payment.creat', 'type must be one of: payment.create, payment.update.'],
  ])('reject an unknown value and list the known ones: %s', async (path, sentence) => {
    expect(await message(path)).toEqual([400, sentence])
  })

  it('reject unknown values, even for fields with many known ones', async () => {
    expect(await message('/payments?status=paid')).toEqual([400, expect.stringContaining('pending, canceled, process')])
    expect(await message('/merchants?type=shop')).toEqual([400, expect.stringContaining('credit_card')])
    expect(await message('/events?resource_type=person')).toEqual([400, expect.stringContaining('payment_reversal')])
    const [status, sentence] = await message('/events?type=person.create')
    expect(status).toBe(400)
    expect(sentence).toContain('begin with one of: account,')
    expect(sentence).toContain('subscription')
  })

  it('match any of several values', async () => {
    const debts = await count('/accounts?type=liability')
    const bank = await count('/accounts?type=ach')
    expect([debts > 0, bank > 0]).toEqual([true, true])
    expect(await count('/accounts?type[]=liability&type[]=ach')).toBe(debts + bank)
    expect(await count('/accounts?status[]=active&status[]=closed&type=ach')).toBe(bank)
    expect(await count('/payments?status[]=pending&status[]=sent')).toBeGreaterThan(0)
    expect(await count('/events?type[]=payment.create&type[]=payment.update')).toBeGreaterThan(0)
    expect(await count('/entities?type[]=individual&type[]=corporation&status[]=active&status[]=incomplete')).toBe(
      await count('/entities'),
    )
  })

  it('treat student_loan and student_loans as the same value', async () => {
    const both = await count('/merchants?type[]=student_loan&type[]=student_loans')
    expect(both).toBeGreaterThan(1)
    expect([await count('/merchants?type=student_loan'), await count('/merchants?type=student_loans')]).toEqual([
      both,
      both,
    ])
    const loans = await count('/accounts?liability.type=student_loan')
    expect(await count('/accounts?liability.type=student_loans')).toBe(loans)
  })
})

describe('unknown fields of a body', () => {
  const unknown = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const reply = await service.call(method, path, body, headers)
    return [reply.status, reply.headers.get('service-unknown-fields')]
  }

  it('are ignored and named in a header, never with their values', async () => {
    const body = {
      type: 'individual',
      individual: { firstname: 'canary-first', last_name: 'Ruiz' },
      metdata: { a: 'canary-meta' },
      metadata: { anything: 1 },
    }
    expect(await unknown('POST', '/entities', body)).toEqual([200, 'individual.firstname,metdata'])
    expect(await unknown('GET', '/entities?limit=2&status=active')).toEqual([200, '%3Flimit'])
    const owners = { type: 'corporation', corporation: { name: 'N', owners: [{ first_name: 'A', 'né,e': 'x' }] } }
    expect(await unknown('POST', '/entities', owners)).toEqual([200, 'corporation.owners%5B0%5D.n%C3%A9%2Ce'])
  })

  it('are named in errors too', async () => {
    expect(await unknown('POST', '/payments', { ammount: 5 })).toEqual([400, 'ammount'])
  })

  it('are limited to 20 names and 2 kB', async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x${index}`, 1]))
    const [, named] = await unknown('POST', '/entities', { type: 'individual', individual: {}, ...many })
    expect(String(named).split(',')).toHaveLength(20)
    const long = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}${'y'.repeat(500)}`, 1]))
    const [, cut] = await unknown('POST', '/entities', { type: 'individual', individual: {}, ...long })
    expect(String(cut).length).toBeGreaterThan(500)
    expect(String(cut).length).toBeLessThanOrEqual(2_048)
  })

  it('are not named again in a replay', async () => {
    const send = () =>
      unknown('POST', '/entities', { type: 'individual', individual: {}, x: 1 }, { 'idempotency-key': 'unknown-1' })
    expect(await send()).toEqual([200, 'x'])
    expect(await send()).toEqual([200, null])
  })

  it.each(endpoints(blank).map(({ name }, index) => ({ name, index })))(
    'are not reported for a valid body: $name',
    async ({ index }) => {
      const { path, body, method = 'POST' } = endpoints(at)[index]!
      for (const headers of [{}, newest]) expect((await unknown(method, path, body, headers))[1]).toBeNull()
    },
  )
})

describe('a body that is not JSON in UTF-8', () => {
  const send = (body: string, headers: Record<string, string>) => service.call('POST', '/entities', body, headers)
  const good = '{"type":"individual","individual":{}}'

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/json; charset=utf-16',
    'application/jsonp',
    'multipart/form-data; boundary=x',
  ])('is rejected with 415: %s', async type => {
    const reply = await send(good, { 'content-type': type, 'idempotency-key': `type ${type}` })
    expect(reply.status).toBe(415)
    expect(errorOf(reply.body)).toEqual({
      type: 'INVALID_REQUEST',
      code: 415,
      sub_type: 'INVALID_REQUEST',
      message: 'The body must be JSON in UTF-8. Send the header "Content-Type: application/json".',
    })
    // The rejection did not use up the idempotency key.
    const again = await send(good, { 'content-type': 'application/json', 'idempotency-key': `type ${type}` })
    expect([again.status, again.headers.get('idem-status')]).toEqual([200, 'stored'])
  })

  it.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/vnd.api+json',
    'application/json;charset="utf-8"',
  ])('does not include %s', async type => {
    expect((await send(good, { 'content-type': type })).status).toBe(200)
  })

  it('is rejected if it is compressed', async () => {
    const reply = await send(good, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    expect([reply.status, errorOf(reply.body).message]).toEqual([
      415,
      'The body must not be compressed. Send it without the Content-Encoding header.',
    ])
  })

  it('is rejected only if the body is not empty, and a missing type means JSON', async () => {
    expect((await send('', { 'content-type': 'text/plain' })).status).toBe(400)
    const request = new Request('http://127.0.0.1:4000/entities', {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}` },
      body: new TextEncoder().encode(good),
    })
    expect((await service.app.api.fetch(request)).status).toBe(200)
  })
})
