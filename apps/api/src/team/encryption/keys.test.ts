import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publicJwk, sealedCall } from '../../testing/encryption.js'
import { type TestService, testService } from '../../testing/service.js'

const newest = { 'service-version': '2026-03-30' }
const keys = '/teams/mle/public_keys'
const contact = 'security@northwind.example'
const company = { type: 'corporation', corporation: { name: 'Northwind' } }

let service: TestService
beforeEach(async () => {
  service = await testService()
})

const register = (body: object, headers: Record<string, string> = newest) =>
  service.call('POST', keys, { type: 'direct', contact, ...body }, headers)
const registerOutcome = async (body: object, headers?: Record<string, string>) => {
  const reply = await register(body, headers)
  return [reply.status, reply.body['error']?.['sub_type'], reply.body['error']?.['message']]
}
const rejectionOf = (message: RegExp) => [400, 'INVALID_REQUEST', expect.stringMatching(message)]

describe('a public key', () => {
  it('is registered, listed, read and permanently deleted', async () => {
    const jwk = await publicJwk('one')
    const key = (await register({ jwk: { ...jwk, key_ops: ['encrypt'] } })).body
    expect(key).toMatchObject({ type: 'direct', contact, jwk, well_known_endpoint: null, status: 'active' })
    expect(key['id']).toMatch(/^team_jwk_\w{13}$/)
    expect((await service.call('GET', keys, undefined, newest)).body['data']).toEqual([key])
    const path = `${keys}/${key['id']}`
    expect((await service.call('GET', path, undefined, newest)).body).toEqual(key)
    service.advance(1_000)
    const gone = (await service.call('DELETE', path, undefined, newest)).body
    expect(gone).toMatchObject({ id: key['id'], status: 'deleted' })
    expect((await service.call('DELETE', path, undefined, newest)).body).toEqual(gone)
    expect((await service.call('GET', path, undefined, newest)).body).toEqual(gone)
    expect((await service.call('GET', keys)).body['data']).toEqual([])
    const reply = await sealedCall(service, 'POST', '/entities', company, { cid: 'one' })
    expect([reply.status, reply.body['error']['message']]).toEqual([400, expect.stringMatching(/^cid/)])
  })

  it('stops being the default when it is deleted', async () => {
    const key = (await register({ jwk: await publicJwk('one') })).body
    await service.call('POST', '/teams/default_encryption_key', { key: 'one' })
    await service.call('DELETE', `${keys}/${key['id']}`)
    expect((await service.call('GET', '/team')).body['default_encryption_key']).toBeNull()
    const chosen = await service.call('POST', '/teams/default_encryption_key', { key: 'one' })
    expect([chosen.status, chosen.body['error']['message']]).toEqual([
      400,
      expect.stringMatching(/^key must be the kid or id of/),
    ])
  })

  it('is rejected if it breaks a rule, and the message names the invalid member', async () => {
    const jwk = await publicJwk('one')
    const small = Buffer.alloc(255, 0xff).toString('base64url')
    const { privateKey } = await generateKeyPair('RSA-OAEP-256', { extractable: true })
    const cases: [object, RegExp][] = [
      [{}, /^jwk must be a JSON Web Key/],
      [{ jwk: 'text' }, /^jwk must be a JSON Web Key/],
      [{ jwk: { ...jwk, kty: 'EC' } }, /^jwk\.kty must be RSA/],
      [{ jwk: { ...jwk, kid: undefined } }, /^jwk\.kid is required/],
      [{ jwk: { ...jwk, kid: 'two words' } }, /^jwk\.kid is required/],
      [{ jwk: { ...jwk, alg: 'RSA-OAEP' } }, /^jwk\.alg, if sent, must be RSA-OAEP-256/],
      [{ jwk: { ...jwk, use: 'sig' } }, /^jwk\.use, if sent, must be enc/],
      [{ jwk: { ...jwk, n: 'a+b=' } }, /^jwk\.n must be the modulus in base64url/],
      [{ jwk: { ...jwk, n: undefined } }, /^jwk\.n must be the modulus/],
      [{ jwk: { ...jwk, n: small } }, /^jwk\.n has 2040 bits\. It must have 2048/],
      [{ jwk: { ...jwk, n: `AAAA${small}` } }, /^jwk\.n has 2040 bits/],
      [{ jwk: { ...jwk, n: `AA${small}AA` } }, /^jwk cannot be used for encryption/],
      [{ jwk: { ...jwk, n: 'A'.repeat(400) } }, /^jwk\.n has 0 bits/],
      [{ jwk: { ...jwk, e: 'AQAB=' } }, /^jwk\.e must be the exponent/],
      [{ jwk: { ...jwk, e: 'AQ' } }, /^jwk\.e must be an odd number/],
      [{ jwk: { ...jwk, e: 'AQAA' } }, /^jwk\.e must be an odd number/],
      [{ jwk: { ...(await exportJWK(privateKey)), kid: 'one' } }, /^jwk must be a public key/],
      [{ jwk, contact: 'nobody' }, /^contact must be an email/],
      [{ jwk, contact: undefined }, /^contact/],
      [{ jwk, type: 'other' }, /^type must be one of: direct, well_known/],
      [{ jwk, type: undefined }, /^type/],
      [{ jwk, well_known_endpoint: 'https://a.example/k' }, /is allowed only for type well_known/],
      [{ jwk, type: 'well_known' }, /jwk is allowed only for type direct/],
      [{ type: 'well_known' }, /well_known_endpoint is required/],
      [{ type: 'well_known', well_known_endpoint: 'http://a.example/k' }, /well_known_endpoint must be an https URL/],
      [
        { type: 'well_known', well_known_endpoint: 'https://a.example/k' },
        /could not be fetched: its host name could not be resolved/,
      ],
      [{ type: 'well_known', well_known_endpoint: 'https://10.0.0.1/k' }, /its address must be public/],
    ]
    for (const [body, message] of cases) expect(await registerOutcome(body)).toEqual(rejectionOf(message))
    expect((await service.call('GET', keys)).body['data']).toEqual([])
  })

  it('has a unique kid, even if two are registered simultaneously', async () => {
    const jwk = await publicJwk('one')
    const both = await Promise.all([register({ jwk }), register({ jwk })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await registerOutcome({ jwk })).toEqual(rejectionOf(/^jwk\.kid is already registered/))
    const other = await service.anotherTeam()
    const theirs = await register({ jwk }, { ...newest, authorization: `Bearer ${other.key}` })
    expect(theirs.status).toBe(200)
  })

  it('includes only a jwk in older versions, which show fewer fields', async () => {
    const jwk = await publicJwk('old')
    const reply = await service.call('POST', keys, { jwk }, { 'service-version': '2025-12-01' })
    expect(Object.keys(reply.body).sort()).toEqual(['created_at', 'id', 'jwk', 'updated_at'])
    const now = await service.call('GET', `${keys}/${reply.body['id']}`, undefined, newest)
    expect(now.body).toMatchObject({ type: 'direct', contact: null, jwk, status: 'active' })
  })
})

describe('a well-known endpoint', () => {
  let server: Server
  let url: string
  let answers: number
  let answer: { status: number; body: string }
  const holds = (...jwks: object[]) => {
    answer = { status: 200, body: JSON.stringify({ keys: jwks }) }
  }
  beforeAll(async () => {
    server = createServer((_, reply) => {
      answers++
      reply.writeHead(answer.status, { location: '/' }).end(answer.body)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  })
  beforeEach(() => {
    answers = 0
  })
  afterAll(() => server.close())

  const registerUrl = () => register({ type: 'well_known', well_known_endpoint: url })
  const send = (cid: string) => sealedCall(service, 'POST', '/entities', company, { cid })

  it('is fetched on registration, and its keys are then used without fetching each time', async () => {
    holds(await publicJwk('w1'), await publicJwk('w2'))
    const key = (await registerUrl()).body
    expect(key).toMatchObject({ type: 'well_known', jwk: null, well_known_endpoint: url, status: 'active' })
    for (const cid of ['w1', 'w2', 'w1']) expect((await send(cid)).header?.['kid']).toBe(cid)
    expect(answers).toBe(1)
    expect(await registerOutcome({ jwk: await publicJwk('w2') })).toEqual(
      rejectionOf(/^jwk\.kid is already registered/),
    )
    expect(await registerOutcome({ type: 'well_known', well_known_endpoint: url })).toEqual(
      rejectionOf(/^A kid of .* already/),
    )
  })

  it('is fetched again for an unknown key, at most once a minute', async () => {
    holds(await publicJwk('w1'))
    await registerUrl()
    holds(await publicJwk('w2'))
    expect((await send('w2')).status).toBe(400)
    expect(answers).toBe(1)
    service.advance(60_000)
    expect((await send('w2')).header?.['kid']).toBe('w2')
    expect([answers, (await send('w1')).status]).toEqual([2, 400])
  })

  it('is trusted for a day after it stops responding', async () => {
    holds(await publicJwk('w1'))
    await registerUrl()
    answer = { status: 500, body: '' }
    service.advance(3_600_000)
    expect((await send('w1')).header?.['kid']).toBe('w1')
    expect(answers).toBe(2)
    service.advance(86_400_000)
    expect((await send('w1')).status).toBe(400)
  })

  it('is rejected if its response is not a set of valid keys', async () => {
    const jwk = await publicJwk('w1')
    for (const [body, message, status = 200] of [
      ['{', /not JSON/],
      ['{}', /\{"keys": \[\.\.\.\]\}/],
      ['{"keys":[]}', /1 to 20 keys/],
      [JSON.stringify({ keys: [jwk, jwk] }), /two keys with the same kid/],
      [
        JSON.stringify({ keys: [jwk, { ...jwk, kid: 'x', use: 'sig' }] }),
        /^keys\[1\] of well_known_endpoint\.use, if sent, must be/,
      ],
      [JSON.stringify({ keys: [jwk], more: 'x'.repeat(16_384) }), /at most 16 kB/],
      ['', /must respond with status 200, but it responded with 302/, 302],
    ] as [string, RegExp, number?][]) {
      answer = { status, body }
      expect(await registerOutcome({ type: 'well_known', well_known_endpoint: url })).toEqual(rejectionOf(message))
    }
  })
})
