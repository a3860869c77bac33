import { createHash, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import type { Hook } from '@causeway/connector/provider/provider'
import { MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import { decodeProtectedHeader, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createPlaidWorld } from '../testing/plaid.js'
import { post } from './client.js'
import { read, verify } from './hooks.js'

const toHook = ({ url, headers, body }: { url: string; headers: Record<string, string>; body: string }): Hook => ({
  url,
  headers: new Headers(headers),
  body: Buffer.from(body),
})

async function createWebhook() {
  const world = createPlaidWorld({ isChecked: false })
  await world.linkAt('ins_900001')
  const [delivery] = await world.emulator.takeWebhooks()
  const hook = toHook(delivery!)
  const { settings, fetch } = world.context
  const accepts = (given: Hook, now = world.clock.now) => verify(given, settings, now, fetch)
  const ownKid = String(decodeProtectedHeader(delivery!.headers['plaid-verification']!).kid)
  const digest = createHash('sha256').update(hook.body).digest('hex')
  const forge = async (alg: string, key: Parameters<SignJWT['sign']>[0], kid = ownKid, now = world.clock.now) => {
    const token = await new SignJWT({ request_body_sha256: digest })
      .setProtectedHeader({ alg, kid })
      .setIssuedAt(Math.floor(now / SECOND_MS))
      .sign(key)
    return { ...hook, headers: new Headers({ 'plaid-verification': token }) }
  }
  return { ...world, ownKid, hook, accepts, forge, digest }
}

describe('a webhook', () => {
  it('that Plaid signed is accepted, and names its page once', async () => {
    const { hook, accepts, paths, host } = await createWebhook()
    expect(await accepts(hook)).toBe(true)
    expect(await accepts(hook)).toBe(true)
    expect(paths.filter(path => path === '/webhook_verification_key/get').length).toBeLessThan(2)
    expect(read(hook)).toMatchObject({ changed: [...host.links.keys()].slice(0, 1) })
    expect(read(hook)!.id).toBe(read(hook)!.id)
  })

  it('with another body or an old time is refused', async () => {
    const { hook, accepts, clock } = await createWebhook()
    expect(await accepts({ ...hook, body: Buffer.from(`${hook.body} `) })).toBe(false)
    expect(await accepts(hook, clock.now + 6 * MINUTE_MS)).toBe(false)
    expect(await accepts(hook, clock.now - 6 * MINUTE_MS)).toBe(false)
    expect(await accepts({ ...hook, headers: new Headers() })).toBe(false)
    expect(await accepts({ ...hook, headers: new Headers({ 'plaid-verification': 'x.y.z' }) })).toBe(false)
  })

  it('signed with another key, without one, or with the public key as a secret is refused', async () => {
    const { hook, accepts, forge, digest, clock, ownKid, context } = await createWebhook()
    expect(await accepts(hook)).toBe(true)
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    expect(await accepts(await forge('ES256', other))).toBe(false)
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = encode({ request_body_sha256: digest, iat: Math.floor(clock.now / SECOND_MS) })
    const unsigned = `${encode({ alg: 'none', kid: ownKid })}.${claims}.`
    expect(await accepts({ ...hook, headers: new Headers({ 'plaid-verification': unsigned }) })).toBe(false)
    // A service that took the algorithm from the token would use the public key as a secret.
    const { value } = await post(context, '/webhook_verification_key/get', { key_id: ownKid })
    const key = value!['key'] as JsonWebKey
    const publicKey = createPublicKey({ key, format: 'jwk' })
    const secrets = [
      JSON.stringify(key),
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
    ]
    for (const secret of secrets) expect(await accepts(await forge('HS256', Buffer.from(secret)))).toBe(false)
  })

  it('that names another key than the one that signed it is refused', async () => {
    const { accepts, forge, ownKid } = await createWebhook()
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    for (const kid of [`${ownKid}x`, 'a b', '', '../keys', 'k'.repeat(101)])
      expect([kid, await accepts(await forge('ES256', privateKey, kid))]).toEqual([kid, false])
  })

  it('is checked with the keys of its own settings', async () => {
    const [one, other] = [await createWebhook(), await createWebhook()]
    expect(await one.accepts(one.hook)).toBe(true)
    const before = other.paths.length
    expect(await other.accepts(other.hook)).toBe(true)
    expect(other.paths.slice(before)).toEqual(['/webhook_verification_key/get'])
  })

  it('with unknown keys causes few look-ups', async () => {
    const { accepts, forge, paths, clock } = await createWebhook()
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const later = clock.now + 60 * MINUTE_MS
    for (let i = 0; i < 30; i++)
      expect(await accepts(await forge('ES256', other, `kid-${i}`, later), later)).toBe(false)
    expect(paths.filter(path => path === '/webhook_verification_key/get').length).toBeLessThanOrEqual(11)
  })

  it('about nothing that is known is ignored', () => {
    const parse = (body: string) => read({ url: '', headers: new Headers(), body: Buffer.from(body) })
    for (const body of ['', '[]', '{"item_id":7}', '{"webhook_code":"X"}', '{"item_id":"a b"}'])
      expect(parse(body)).toBeNull()
  })
})
