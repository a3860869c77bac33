import { expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../../main/config.js'
import { testService } from '../../../testing/service.js'
import { SECURITY_TEXT, writeSecurityText } from './security-text.js'

const YEAR = 365 * 86_400_000
const key = Buffer.alloc(32, 7).toString('base64')
const contact = 'mailto:security@lender.example'
/** Returns each listener's response to a client without a key. */
const ask = async (options: { securityContact?: string }, method = 'GET') => {
  const service = await testService(options)
  const request = (origin: string) => new Request(`${origin}${SECURITY_TEXT}`, { method })
  const api = await service.app.api.fetch(request('http://127.0.0.1:4000'))
  const frame = await service.app.frame.fetch(request('http://localhost:4100'))
  const now = service.deps.clock()
  return { replies: [api, frame] as const, now }
}

it('serves security.txt on the API and frame listeners, each with its own address', async () => {
  const { replies, now } = await ask({ securityContact: contact })
  for (const [index, origin] of ['http://127.0.0.1:4000', 'http://localhost:4100'].entries()) {
    const reply = replies[index]!
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('x-content-type-options')]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'nosniff',
    ])
    const lines = (await reply.text()).trimEnd().split('\n')
    expect(lines.map(line => line.split(': ')[0])).toEqual(['Contact', 'Expires', 'Canonical'])
    expect(lines[0]).toBe(`Contact: ${contact}`)
    expect(lines[2]).toBe(`Canonical: ${origin}${SECURITY_TEXT}`)
    const expires = Date.parse(lines[1]!.slice('Expires: '.length))
    expect(expires).toBeGreaterThan(now)
    expect(expires - now).toBeLessThan(YEAR)
  }
})

it('computes a later expiry date for each later response', () => {
  const at = (now: number) => /Expires: (\S+)/.exec(writeSecurityText(contact, 'https://api.example.com', now))?.[1]
  expect(at(0)).toBe('1970-06-30T00:00:00Z')
  expect(at(86_400_000)).toBe('1970-07-01T00:00:00Z')
})

it('returns 404 if no contact is set, and names the setting', async () => {
  const { replies } = await ask({})
  for (const reply of replies) {
    expect(reply.status).toBe(404)
    expect(await reply.text()).toContain('SECURITY_CONTACT')
  }
})

it.each(['https://lender.example/security', 'mailto:security@lender.example', 'tel:+1-201-555-0123'])(
  'accepts %s as a contact',
  value => expect(readConfig({ SECURITY_CONTACT: value, ENCRYPTION_KEY: key }).securityContact).toBe(value),
)

it('has no contact by default', () =>
  expect(readConfig({ SECURITY_CONTACT: '', ENCRYPTION_KEY: key }).securityContact).toBeNull())

it.each([
  'security@lender.example',
  'http://lender.example/security',
  'javascript:alert(1)',
  'mailto:a@b.example\nExpires: 2099-01-01T00:00:00Z',
  'https://a.example https://b.example',
])('rejects %s as a contact', value =>
  expect(() => readConfig({ SECURITY_CONTACT: value, ENCRYPTION_KEY: key })).toThrow(ConfigError),
)
