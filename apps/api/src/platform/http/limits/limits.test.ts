import { describe, expect, it } from 'vitest'
import { routes } from '../../../main/app.js'
import { errorOf } from '../../../testing/contract/cases.js'
import { testService } from '../../../testing/service.js'
import type { Route } from '../endpoint/route.js'
import { createAddressOf, networkOf } from '../request/address.js'
import { createLimits, special } from './limits.js'

const route = (name: string): Route => {
  const [method, path] = name.split(' ') as [Route['method'], string]
  return { method, path, handle: () => Promise.reject(new Error('never asked')) }
}

describe('a rate limit', () => {
  const payments = route('POST /payments')
  /** Sends `tries` requests at the same instant and returns the number that pass. */
  const passed = (limits: ReturnType<typeof createLimits>, of: Route, tries: number, key = 'key_1') => {
    let count = 0
    for (let each = 0; each < tries; each += 1)
      try {
        limits.request(key, of)
        count += 1
      } catch {
        // Rejected requests are not counted.
      }
    return count
  }

  it.each([
    ['POST /payments', 120],
    ['DELETE /payments/:pmt_id', 60],
    ['POST /reports', 60],
    ['POST /entities', 6_000],
    ['PUT /accounts/:acc_id', 6_000],
    ['POST /webhooks', 1_800],
    ['GET /payments', 6_000],
  ])('for %s is %i per minute', (name, limit) => {
    expect(
      passed(
        createLimits(() => 0, 1),
        route(name),
        limit + 50,
      ),
    ).toBe(limit)
  })

  it('names existing routes', () => {
    const served = routes.map(({ method, path }) => `${method} ${path}`)
    expect(Object.keys(special).filter(name => !served.includes(name))).toEqual([])
  })

  it('counts requests over a rolling minute, and rejects a subject over the limit for a whole minute', () => {
    let now = 0
    const limits = createLimits(() => now, 1)
    expect(passed(limits, payments, 70)).toBe(70)
    now = 59_000
    expect(passed(limits, payments, 60)).toBe(50)
    now = 100_000
    expect(passed(limits, payments, 1)).toBe(0)
    now = 119_001
    expect(passed(limits, payments, 130)).toBe(120)
    now = 600_000
    expect(passed(limits, payments, 130)).toBe(120)
  })

  it('applies to a single key and a single kind of request', () => {
    const limits = createLimits(() => 0, 1)
    expect(passed(limits, payments, 121)).toBe(120)
    expect(passed(limits, payments, 1, 'key_2')).toBe(1)
    expect(passed(limits, route('POST /secrets'), 1)).toBe(1)
    expect(passed(limits, route('GET /payments'), 1)).toBe(1)
  })

  it('counts critical requests together', () => {
    const limits = createLimits(() => 0, 1)
    expect(passed(limits, route('POST /reports'), 40)).toBe(40)
    expect(passed(limits, route('DELETE /payments/:pmt_id'), 40)).toBe(20)
  })

  it('can be raised and disabled', () => {
    expect(
      passed(
        createLimits(() => 0, 2),
        payments,
        300,
      ),
    ).toBe(240)
    expect(
      passed(
        createLimits(() => 0, 0),
        payments,
        300,
      ),
    ).toBe(300)
  })
})

describe('requests over a limit', async () => {
  const service = await testService({ rateLimits: 0.1 })

  it('return 429 with Retry-After, and leave their key unused', async () => {
    const pay = (key: string) => service.call('POST', '/payments', { amount: 1 }, { 'idempotency-key': key })
    for (let each = 0; each < 12; each += 1) expect((await pay(`limit-${each}`)).status).toBe(400)
    const refused = await pay('limit-12')
    expect(refused.status).toBe(429)
    expect(errorOf(refused.body)).toMatchObject({ type: 'INVALID_REQUEST', code: 429, sub_type: 'TOO_MANY_REQUESTS' })
    expect(refused.headers.get('retry-after')).toBe('60')
    service.advance(60_001)
    expect((await pay('limit-12')).headers.get('idempotency-replayed')).toBeNull()
  })

  it('without a valid key are counted by client address, without affecting valid keys from that address', async () => {
    const from = async (remoteAddress: string, authorization: string) => {
      const request = new Request('http://127.0.0.1:4000/merchants', { headers: { authorization } })
      return (
        await service.app.api.fetch(request, { incoming: { headers: { authorization }, socket: { remoteAddress } } })
      ).status
    }
    const statuses: number[] = []
    for (let each = 0; each < 8; each += 1) statuses.push(await from('192.0.2.1', 'Bearer sk_wrong'))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429])
    expect(await from('192.0.2.2', 'Bearer sk_wrong')).toBe(401)
    expect(await from('192.0.2.1', `Bearer ${service.key}`)).toBe(200)
  })
})

describe('requests that need no key', async () => {
  const service = await testService({ rateLimits: 0.1 })

  it.each([
    ['/ping', '192.0.2.1'],
    ['/.well-known/jwks.json', '192.0.2.2'],
    ['/openapi.json', '192.0.2.3'],
    ['/docs', '192.0.2.4'],
  ])('to %s are counted by client address, or by key if they have a valid one', async (path, remoteAddress) => {
    const from = async (headers: Record<string, string>) => {
      const request = new Request(`http://127.0.0.1:4000${path}`, { headers })
      return (await service.app.api.fetch(request, { incoming: { headers, socket: { remoteAddress } } })).status
    }
    const statuses: number[] = []
    for (let each = 0; each < 8; each += 1) statuses.push(await from(each % 2 ? { authorization: 'Bearer sk_no' } : {}))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
    expect(await from({ authorization: `Bearer ${service.key}` })).toBe(200)
  })
})

describe('the client address', () => {
  const addressOf = createAddressOf(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])
  it.each([
    ['the address of the connection', '203.0.113.5', undefined, '203.0.113.5'],
    ['the address of the connection, whatever an untrusted client sends', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['the address from our proxy', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['the address from our outermost proxy', '::ffff:10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['our proxy, if it sends no valid address', 'fd00::1', 'unknown', 'fd00::1'],
    ['our proxy, if it sends no address', '10.1.2.3', undefined, '10.1.2.3'],
    ['the address from our proxy, without the port', '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['the address from our proxy, without brackets and port', 'fd00::1', '[2001:db8::1]:4711', '2001:db8::1'],
    [
      'the address from our proxy, also behind a proxy with a port',
      '10.1.2.3',
      '198.51.100.1, 192.0.2.7:80',
      '198.51.100.1',
    ],
  ])('is %s', (_name, remote, forwarded, address) => {
    expect(addressOf(remote, forwarded)).toBe(address)
  })
})

describe('the network of an address', () => {
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::ffff:cb00:7105', '203.0.113.5'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
