import { expect, it } from 'vitest'
import { createApp } from '../../../main/app.js'
import { testService } from '../../../testing/service.js'
import { safeHeaders } from './headers.js'

const service = await testService()

const api = ['/ping', '/team', '/nowhere', '/enveloped/team', '/openapi.json', '/.well-known/jwks.json']
const frame = [
  '/s',
  '/nowhere',
  `/e/${'x'.repeat(16)}`,
  `/h/${'x'.repeat(16)}`,
  `/logo/${'x'.repeat(16)}`,
  '/v1/kit.js',
]

it('every response of both listeners forbids content type sniffing', async () => {
  for (const [app, paths] of [
    [service.app.api, api],
    [service.app.frame, frame],
  ] as const)
    for (const path of paths) {
      const { headers } = await app.fetch(new Request(`http://localhost${path}`))
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      expect([path, headers.get('strict-transport-security')]).toEqual([path, null])
    }
})

it('every response of both listeners has a content security policy that allows nothing unless a page replaces it', async () => {
  for (const [app, paths] of [
    [service.app.api, [...api, '/docs']],
    [service.app.frame, frame],
  ] as const)
    for (const path of paths) {
      const { headers } = await app.fetch(new Request(`http://localhost${path}`))
      const policy = headers.get('content-security-policy') ?? 'none'
      expect([path, policy]).toEqual([path, expect.stringMatching(/default-src 'none'/)])
      if (!path.startsWith('/e/'))
        expect([path, policy]).toEqual([path, expect.stringMatching(/frame-ancestors 'none'/)])
    }
})

it('an https origin requires https for a year', async () => {
  const { deps } = service
  const given = { apiOrigin: 'https://api.example', frameOrigin: 'https://frame.example' }
  const app = createApp({
    ...deps,
    ...given,
    assets: { shell: '', hosted: '', early: null, flow: new Map(), kit: new Map(), version: '1' },
    rateLimits: 0,
    trustedProxies: [],
    sleep: async () => {},
  })
  for (const [listener, path] of [
    [app.api, '/ping'],
    [app.api, '/nowhere'],
    [app.frame, '/s'],
    [app.frame, '/nowhere'],
  ] as const) {
    const { headers } = await listener.fetch(new Request(`http://localhost${path}`))
    expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
  }
  expect(safeHeaders('http://localhost')).not.toHaveProperty('Strict-Transport-Security')
})
