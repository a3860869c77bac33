import { afterEach, describe, expect, it } from 'vitest'
import { type Outbound, type OutboundCall, OutboundError } from '../outbound/outbound.js'
import { Person, someone } from '../testing/frame.js'
import { type TestService, testService } from '../testing/service.js'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
const URL_OF_LOGO = 'https://brand.example/logo.png'

let service: TestService
const calls: OutboundCall[] = []
afterEach(async () => {
  calls.length = 0
  await service.stop()
})

/** A service for whom an address of a customer answers so. */
async function answering(answer: () => { status?: number; body: Buffer }) {
  const outbound: Outbound = {
    loopback: true,
    admits: () => true,
    async call(call) {
      calls.push(call)
      const { status = 200, body } = answer()
      return { status, headers: {}, header: () => null, body: body.subarray(0, call.limit) }
    },
  }
  service = await testService({ outbound })
}
const setLogo = (logo: string | null) => service.call('PATCH', '/team', { brand: { logo } })
const get = (path: string) => service.app.frame.fetch(new Request(`http://localhost:4100${path}`))
/** Where the frame is told that the logo is. */
async function shownTo(more: Record<string, unknown> = {}) {
  const entity_id = await someone(service, '+15125550101')
  const made = await service.call('POST', '/elements/token', { type: 'connect', entity_id, connect: {}, ...more })
  expect([made.status, made.text]).toEqual([200, expect.any(String)])
  return (await Person.arrive(service, made.body['element_token'])).view.brand.logo
}

describe('the logo of a team', () => {
  it('is fetched once and served from here, so that nobody else learns who opens the frame', async () => {
    await answering(() => ({ body: png }))
    expect((await setLogo(URL_OF_LOGO)).status).toBe(200)
    await service.settle()
    const path = await shownTo()
    expect(path).toMatch(/^\/logos\/[\w-]{32}$/)
    for (let time = 0; time < 3; time++) {
      const served = await get(path!)
      expect(Buffer.from(await served.arrayBuffer())).toEqual(png)
      expect(served.headers.get('content-type')).toBe('image/png')
    }
    expect(calls.map(({ url }) => url)).toEqual([URL_OF_LOGO])
  })

  it('is fetched anew where it is set again, and not where something else of the brand is', async () => {
    let body = png
    await answering(() => ({ body }))
    await setLogo(URL_OF_LOGO)
    await service.settle()
    body = svg
    await service.call('PATCH', '/team', { brand: { name: 'Northwind' } })
    await service.settle()
    expect(calls).toHaveLength(1)
    await setLogo(URL_OF_LOGO)
    await service.settle()
    const served = await get((await shownTo())!)
    expect(served.headers.get('content-type')).toBe('image/svg+xml')
    // Opened by itself, nothing in it runs.
    expect(served.headers.get('content-security-policy')).toMatch(/default-src 'none';.*sandbox/)
  })

  it.each<[string, () => { status?: number; body: Buffer }]>([
    ['leads somewhere else', () => ({ status: 302, body: Buffer.alloc(0) })],
    ['is no image', () => ({ body: Buffer.from('<html><script>alert(1)</script></html>') })],
    ['is too large', () => ({ body: Buffer.concat([png, Buffer.alloc(101 * 1024)]) })],
  ])('is left out where its address %s', async (_what, answer) => {
    await answering(answer)
    await setLogo(URL_OF_LOGO)
    await service.settle()
    expect((await get((await shownTo())!)).status).toBe(404)
    expect(
      await service.store.reader.selectFrom('jobs').select('id').where('kind', '=', 'logo.fetch').execute(),
    ).toEqual([])
  })

  it('is asked for again while its address does not answer, and not for ever', async () => {
    await answering(() => {
      throw new OutboundError('connection')
    })
    await setLogo(URL_OF_LOGO)
    for (let minute = 0; minute < 10; minute++) {
      await service.settle()
      service.advance(60_000)
    }
    expect(calls).toHaveLength(4)
    expect(
      await service.store.reader.selectFrom('jobs').select('id').where('kind', '=', 'logo.fetch').execute(),
    ).toEqual([])
  })
})

describe('the logo of a token', () => {
  it('stands instead of the team’s, and is fetched for the first token alone', async () => {
    await answering(() => ({ body: png }))
    const own = 'https://brand.example/other.png'
    const path = await shownTo({ team_logo: own })
    await service.settle()
    expect(await shownTo({ team_logo: own })).toBe(path)
    await service.settle()
    expect(calls.map(({ url }) => url)).toEqual([own])
    expect((await get(path!)).status).toBe(200)
  })

  it.each(['http://brand.example/a.png', 'https://me@brand.example/a.png', 'javascript:alert(1)', 5])(
    'is refused as %s',
    async team_logo => {
      await answering(() => ({ body: png }))
      const refused = await service.call('POST', '/elements/token', {
        type: 'connect',
        entity_id: await someone(service, '+15125550101'),
        connect: {},
        team_logo,
      })
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('team_logo')])
    },
  )
})

it('a path of no logo is not found', async () => {
  await answering(() => ({ body: png }))
  for (const path of ['/logos/x', '/logos/..%2f', `/logos/${'0'.repeat(32)}`])
    expect((await get(path)).status).toBe(404)
})
