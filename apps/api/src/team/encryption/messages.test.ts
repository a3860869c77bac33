import { beforeEach, describe, expect, it } from 'vitest'
import { checkAnswer } from '../../testing/contract/contract.js'
import { decrypt, encrypt, publicJwk, sealedCall, serviceJwk } from '../../testing/encryption.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const jwe = { 'service-mle': 'jwe' }
const company = (name: string) => ({ type: 'corporation', corporation: { name } })
const nameOf = (clear: { body: never }) => (clear.body['corporation'] as { name: string }).name

const service = await testService()
await lender(service).must('POST', '/teams/mle/public_keys', { jwk: await publicJwk('customer') })

describe('an encrypted request', () => {
  it('is executed, and its response is encrypted to the key that it names', async () => {
    const created = await sealedCall(service, 'POST', '/entities', company('Hidden'), { cid: 'customer' })
    expect(created.status).toBe(200)
    expect(created.header).toEqual({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'customer' })
    expect(nameOf(created)).toBe('Hidden')
    expect(Object.keys(created.reply.body)).toEqual(['encrypted'])
    expect(created.reply.headers.get('service-mle')).toBe('jwe')
    expect(created.reply.text).not.toContain('Hidden')
    const stored = await service.call('GET', `/entities/${created.body['id']}`)
    expect(stored.body['corporation']).toMatchObject({ name: 'Hidden' })
    const path = '/entities'
    checkAnswer({ method: 'POST', path, version: '2024-04-04', status: 200, body: created.body })
  })

  it('includes the envelope inside the encryption on the second mount, which accepts either header name', async () => {
    for (const name of ['service-mle', 'method-mle']) {
      const to = await serviceJwk(service)
      const encrypted = await encrypt(to, company('Wrapped'), { kid: to.kid, cid: 'customer' })
      const reply = await service.call('POST', '/enveloped/entities', { encrypted }, { [name]: 'JWE' })
      const clear = await decrypt(reply)
      expect(clear.body).toMatchObject({ success: true, data: { corporation: { name: 'Wrapped' } }, message: null })
      expect(Object.keys(reply.body)).toEqual(['encrypted'])
    }
  })

  it('with invalid content is rejected in an encrypted response', async () => {
    for (const [body, message] of [
      ['{', 'The body must be valid JSON.'],
      [{ type: 'nobody' }, /^type must be/],
    ] as const) {
      const refused = await sealedCall(service, 'POST', '/entities', body, { cid: 'customer' })
      expect([refused.status, refused.header?.['kid']]).toEqual([400, 'customer'])
      expect(refused.body['error']['message']).toEqual(
        typeof message === 'string' ? message : expect.stringMatching(message),
      )
    }
  })

  // kills: headers-hide-encrypted-fields
  it('has no field names in a response header, which is sent in plain text', async () => {
    const body = { ...company('Hidden'), diagnosis: 'x' }
    const plain = await service.call('POST', '/entities', body)
    expect(plain.headers.get('service-unknown-fields')).toBe('diagnosis')
    const encrypted = await sealedCall(service, 'POST', '/entities', body, { cid: 'customer' })
    expect(encrypted.status).toBe(200)
    expect(JSON.stringify([...encrypted.reply.headers])).not.toContain('diagnosis')
  })

  it('can name the key by its registered id', async () => {
    const { data } = (await service.call('GET', '/teams/mle/public_keys')).body as { data: { id: string }[] }
    const created = await sealedCall(service, 'POST', '/entities', company('By id'), { cid: data[0]!.id })
    expect([created.status, created.header?.['kid']]).toEqual([200, 'customer'])
  })
})

describe('a team that requires encryption', () => {
  // kills: required-encryption
  it('accepts that setting only in an encrypted request, and rejects all others from then on', async () => {
    const { key } = await service.anotherTeam()
    const team = lender(service, key)
    const headers = { authorization: `Bearer ${key}` }
    await team.must('POST', '/teams/mle/public_keys', { jwk: await publicJwk('theirs') })
    await team.must('POST', '/teams/default_encryption_key', { key: 'theirs' })
    const setting = { require_encryption: true }
    expect(await team.rejection('PATCH', '/team', setting)).toBe('INVALID_REQUEST')
    const on = await sealedCall(service, 'PATCH', '/team', setting, { cid: 'theirs', headers })
    expect(on.body).toMatchObject(setting)
    for (const [method, path, body] of [
      ['GET', '/entities'],
      ['POST', '/entities', company('Plain')],
      ['PATCH', '/team', { require_encryption: false }],
    ] as const) {
      const refused = await team.call(method, path, body, { 'idempotency-key': 'plain' })
      expect([path, refused.status, refused.body.error?.message]).toEqual([
        path,
        400,
        expect.stringContaining('Service-MLE: jwe'),
      ])
    }
    const created = await sealedCall(service, 'POST', '/entities', company('Plain'), {
      cid: 'theirs',
      headers: { ...headers, 'idempotency-key': 'plain' },
    })
    expect([created.status, nameOf(created)]).toEqual([200, 'Plain'])
    expect(
      (await service.call('GET', `/entities/${created.body['id']}`, undefined, { ...headers, ...jwe })).status,
    ).toBe(200)
    expect((await team.must('GET', '/teams/mle/public_keys'))['data']).toHaveLength(1)
  })
})

describe('idempotency', () => {
  it('compares decrypted bodies: the same body encrypted again is the same request', async () => {
    const headers = { 'idempotency-key': 'mle-1' }
    const send = (name: string) => sealedCall(service, 'POST', '/entities', company(name), { cid: 'customer', headers })
    const [first, again, other] = [await send('Once'), await send('Once'), await send('Another')]
    expect(again.text).toBe(first.text)
    expect(again.reply.headers.get('idempotency-replayed')).toBe('true')
    expect(again.reply.headers.get('idempotency-mismatch')).toBeNull()
    expect(again.reply.text).not.toBe(first.reply.text)
    expect(other.text).toBe(first.text)
    expect(other.reply.headers.get('idempotency-mismatch')).toBe('true')
  })

  it('stores the response encrypted at rest, so that a retry without the header can read it', async () => {
    const headers = { 'idempotency-key': 'mle-2' }
    const first = await sealedCall(service, 'POST', '/entities', company('Kept'), { cid: 'customer', headers })
    const again = await service.call('POST', '/entities', company('Kept'), headers)
    expect([again.text, again.headers.get('idempotency-mismatch')]).toEqual([first.text, null])
    const row = await service.store.reader
      .selectFrom('idempotency')
      .select('body')
      .where('key', '=', 'mle-2')
      .executeTakeFirstOrThrow()
    expect(row.body).not.toContain('Kept')
  })

  it('does not use up the key for a request that could not be decrypted', async () => {
    const headers = { 'idempotency-key': 'mle-3', ...jwe }
    const refused = await service.call('POST', '/entities', { encrypted: 'x' }, headers)
    expect(refused.status).toBe(400)
    const created = await sealedCall(service, 'POST', '/entities', company('Then'), { cid: 'customer', headers })
    expect([created.status, created.reply.headers.get('idem-status')]).toEqual([200, 'stored'])
  })
})

describe('a request without a body', () => {
  it('gets a response encrypted with the default key, and is rejected if there is none', async () => {
    const refused = await service.call('GET', '/team', undefined, jwe)
    expect([refused.status, refused.body['error']['message']]).toEqual([
      400,
      expect.stringMatching(/no body.*POST \/teams\/default_encryption_key/),
    ])
    const chosen = await service.call('POST', '/teams/default_encryption_key', { key: 'customer' })
    expect(chosen.body['default_encryption_key']).toBe('customer')
    const read = await sealedCall(service, 'GET', '/team', undefined)
    expect([read.status, read.header?.['kid'], read.body['id']]).toEqual([200, 'customer', service.team])
    const missing = await sealedCall(service, 'GET', '/entities/ent_0000000000000', undefined)
    expect([missing.status, missing.body['error']['sub_type']]).toEqual([404, 'NOT_FOUND'])
    const unnamed = await sealedCall(service, 'POST', '/entities', company('Default'))
    expect([unnamed.status, unnamed.header?.['kid']]).toEqual([200, 'customer'])
  })

  it('returns a file in plain text, because it is streamed', async () => {
    await service.call('POST', '/teams/default_encryption_key', { key: 'customer' })
    const report = (await service.call('POST', '/reports', { type: 'ach.pull.upcoming' })).body['id']
    const file = await service.call('GET', `/reports/${report}/download`, undefined, jwe)
    expect([file.status, file.headers.get('service-mle'), file.text.slice(0, 10)]).toEqual([200, null, 'payment_id'])
  })
})

describe('a request that cannot be decrypted', () => {
  let to: Awaited<ReturnType<typeof serviceJwk>>
  let good: string
  beforeEach(async () => {
    to = await serviceJwk(service)
    good = await encrypt(to, company('Never'), { kid: to.kid, cid: 'customer' })
  })
  const changed = (text: string, part: number) =>
    text
      .split('.')
      .map((each, index) =>
        index === part ? (each[5] === 'A' ? each.replace(/^(.{5})./, '$1B') : each.replace(/^(.{5})./, '$1A')) : each,
      )
      .join('.')

  it('is rejected in plain text, with a message that states the requirement, and has no effect', async () => {
    const count = async () =>
      Number(
        (
          await service.store.reader
            .selectFrom('entities')
            .select(e => e.fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      )
    const before = await count()
    const stranger = await publicJwk(to.kid)
    const cases: [unknown, RegExp][] = [
      [company('Clear'), /body must be \{"encrypted"/],
      ['{', /body must be \{"encrypted"/],
      ['[]', /body must be \{"encrypted"/],
      [{ encrypted: 7 }, /body must be \{"encrypted"/],
      [{ encrypted: good, more: 1 }, /nothing else/],
      [`{"encrypted":"x","encrypted":${JSON.stringify(good)}}`, /nothing else/],
      [
        { encrypted: good.replace(/^[^.]+/, Buffer.from('{"kid":"a","kid":"b"}').toString('base64url')) },
        /without repeated members/,
      ],
      [{ encrypted: 'a.b.c' }, /must be a compact JWE/],
      [{ encrypted: '!.b.c.d.e' }, /must be a compact JWE/],
      [{ encrypted: 'AAAA.b.c.d.e' }, /protected header of encrypted must be a JSON object/],
      [{ encrypted: changed(good, 1) }, /cannot be decrypted/],
      [{ encrypted: changed(good, 3) }, /cannot be decrypted/],
      [{ encrypted: await encrypt(stranger, {}, { kid: to.kid, cid: 'customer' }) }, /cannot be decrypted/],
      [
        { encrypted: await encrypt(to, {}, { cid: 'customer' }) },
        /The kid header of encrypted must name this service's encryption key/,
      ],
      [
        { encrypted: await encrypt(to, {}, { kid: 'svc_jwk_0', cid: 'customer' }) },
        /must name a key that this service accepts/,
      ],
      [
        { encrypted: await encrypt(to, {}, { kid: 'x\0', cid: 'customer' }) },
        /protected header of encrypted must be .* without U\+0000/,
      ],
      [
        { encrypted: await encrypt(to, {}, { kid: to.kid, cid: 'nobody' }) },
        /cid of encrypted must name one of the team's active/,
      ],
      [{ encrypted: await encrypt(to, {}, { kid: to.kid, cid: 7 }) }, /The cid header of encrypted must name/],
      [
        { encrypted: await encrypt(to, {}, { kid: to.kid, enc: 'A128GCM' }) },
        /The enc header of encrypted must be A256GCM/,
      ],
    ]
    for (const [body, message] of cases) {
      const reply = await service.call('POST', '/entities', body, jwe)
      expect([reply.status, reply.body['error']]).toMatchObject([
        400,
        { sub_type: 'INVALID_REQUEST', message: expect.stringMatching(message) },
      ])
    }
    expect(await count()).toBe(before)
  })

  it('includes a request whose header requests another format', async () => {
    for (const mode of ['jws', '']) {
      const reply = await service.call('POST', '/entities', { encrypted: good }, { 'service-mle': mode })
      expect([reply.status, reply.body['error']['message']]).toEqual([400, 'Service-MLE, if sent, must be jwe.'])
    }
  })

  it("includes a request that names another team's response key", async () => {
    const other = await service.anotherTeam()
    const headers = { ...jwe, authorization: `Bearer ${other.key}` }
    const reply = await service.call('POST', '/entities', { encrypted: good }, headers)
    expect([reply.status, reply.body['error']['message']]).toEqual([400, expect.stringMatching(/^cid/)])
  })

  it('includes a request with a body over the limit', async () => {
    const encrypted = await encrypt(to, company('x'.repeat(900_000)), { kid: to.kid, cid: 'customer' })
    const reply = await service.call('POST', '/entities', { encrypted }, jwe)
    expect([reply.status, reply.body['error']['sub_type']]).toEqual([413, 'REQUEST_TOO_LARGE'])
  })
})

it('a request without a valid secret key is rejected in plain text', async () => {
  const reply = await service.call('POST', '/entities', {}, { ...jwe, authorization: 'Bearer sk_none' })
  expect([reply.status, reply.body['error']['sub_type']]).toEqual([401, 'UNAUTHORIZED'])
})
