// kills: result-is-for-team
import { generateKeyPairSync, sign } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { Causeway, type VerificationError } from '../index.js'

const issuer = 'https://api.test'
let time: number
let asked: string[]
let published: object[]
let causeway: Causeway

function keyPair(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'EdDSA' } }
}
const first = keyPair('k1')
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function resultOf(claims: object = {}, by = first, header: object = {}) {
  const seconds = Math.floor(time / 1000)
  const all = { iss: issuer, aud: 'team_1', sub: 'osess_1', jti: 'j', iat: seconds, exp: seconds + 600, ...claims }
  const signed = `${encode({ alg: 'EdDSA', kid: by.kid, typ: 'JWT', ...header })}.${encode(all)}`
  return `${signed}.${sign(null, Buffer.from(signed), by.privateKey).toString('base64url')}`
}
const reasonOf = async (result: string) =>
  (
    (await causeway.verifyResult(result).then(
      () => ({}),
      reason => reason,
    )) as VerificationError
  ).reason

beforeEach(() => {
  time = 1_780_000_000_000
  asked = []
  published = [first.jwk]
  const fetch = async (input: string | URL | Request) => {
    const { pathname } = new URL(String(input))
    asked.push(pathname)
    return Response.json(pathname === '/team' ? { id: 'team_1' } : { keys: published })
  }
  causeway = new Causeway({ apiKey: 'sk_test', baseUrl: `${issuer}/`, fetch, now: () => time, maxRetries: 0 })
})

describe('a result is accepted', () => {
  it('if the service signed it for this team, fetching team and keys once', async () => {
    const claims = await causeway.verifyResult(resultOf({ accounts: ['acc_1'], allocated: 5000 }))
    expect(claims).toMatchObject({ sub: 'osess_1', accounts: ['acc_1'], allocated: 5000 })
    await causeway.verifyResult(resultOf())
    expect(asked).toEqual(['/team', '/.well-known/jwks.json'])
  })

  it('if its key is newer than the fetched keys', async () => {
    await causeway.verifyResult(resultOf(), { audience: 'team_1' })
    const second = keyPair('k2')
    published = [first.jwk, second.jwk]
    time += 30_000
    expect(await causeway.verifyResult(resultOf({}, second), { audience: 'team_1' })).toMatchObject({ jti: 'j' })
  })

  it('after fetching the keys failed once', async () => {
    published = [first.jwk]
    const broken = new Causeway({
      apiKey: 'sk_test',
      baseUrl: issuer,
      maxRetries: 0,
      now: () => time,
      fetch: async () => {
        if (asked.push('keys') === 1) throw new TypeError('fetch failed')
        return Response.json({ keys: published })
      },
    })
    await expect(broken.verifyResult(resultOf(), { audience: 'team_1' })).rejects.toMatchObject({
      sub_type: 'CONNECTION_FAILED',
    })
    expect(await broken.verifyResult(resultOf(), { audience: 'team_1' })).toMatchObject({ aud: 'team_1' })
  })
})

describe('a result is rejected', () => {
  it.each([
    ['of another service', () => resultOf({ iss: 'https://other.test' }), 'issuer'],
    ['for another team', () => resultOf({ aud: 'team_2' }), 'audience'],
    ['for several teams', () => resultOf({ aud: ['team_1', 'team_2'] }), 'audience'],
    ['once it expired', () => resultOf({ exp: time / 1000 - 31 }), 'expired'],
    ['that never expires', () => resultOf({ exp: undefined }), 'expired'],
    ['by another key with the same id', () => resultOf({}, keyPair('k1')), 'signature'],
    ['by an unknown key', () => resultOf({}, keyPair('k9')), 'signature'],
    [
      'without a signature',
      () => `${resultOf({}, first, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`,
      'malformed',
    ],
    ['of another algorithm', () => resultOf({}, first, { alg: 'HS256' }), 'signature'],
    [
      'with other claims',
      () => [resultOf().split('.')[0], encode({ sub: 'x' }), resultOf().split('.')[2]].join('.'),
      'signature',
    ],
    ['that is not a JWS', () => 'result', 'malformed'],
  ])('%s', async (_, make, reason) => {
    expect(await reasonOf(make())).toBe(reason)
  })

  it('without fetching the keys repeatedly', async () => {
    for (let index = 0; index < 5; index += 1) await reasonOf(resultOf({}, keyPair(`k${index + 2}`)))
    expect(asked.filter(path => path !== '/team')).toHaveLength(1)
  })
})
