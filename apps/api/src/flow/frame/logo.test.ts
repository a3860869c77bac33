import { beforeEach, describe, expect, it } from 'vitest'
import { type Outbound, OutboundError } from '../../platform/outbound/outbound.js'
import { handleOf, LOAN, Person, someone } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'
import { createFrame } from './app.js'
import { noAssets } from './assets.js'

const LOGO = 'https://cdn.lender.example/logo.png'
const png = Buffer.from('89504e470d0a1a0a', 'hex')

let called: string[] = []
let answer: { status?: number; type?: string; body?: Buffer } | null = {}
const outbound: Outbound = {
  loopback: false,
  admits: () => true,
  async call({ url }) {
    called.push(url)
    if (answer === null) throw new OutboundError('timeout')
    const headers = { 'content-type': answer.type ?? 'image/png' }
    const header = (name: string) => (name === 'content-type' ? headers['content-type'] : null)
    return { status: answer.status ?? 200, headers, header, body: answer.body ?? png }
  },
}

const service = await testService({ outbound })
beforeEach(() => {
  called = []
  answer = {}
})

const token = async (more: Record<string, unknown> = {}) => {
  const { body } = await service.call('POST', '/elements/token', {
    type: 'balance_transfer',
    entity_id: await someone(service, '+15125550101'),
    balance_transfer: LOAN,
    ...more,
  })
  return body['element_token'] as string
}
const pathOf = (text: string) => `/logo/${handleOf(text)}`
const get = (path: string) => service.app.frame.fetch(new Request(`http://localhost:4100${path}`))
/** Returns the URL of a logo that no other test has requested. */
let count = 0
const another = async () => {
  count += 1
  return pathOf(await token({ team_logo: `${LOGO}?${count}` }))
}

describe("a customer's logo", () => {
  it("is fetched once and served from the frame's origin, only as an image", async () => {
    const text = await token({ team_logo: LOGO })
    const [first, second] = await Promise.all([get(pathOf(text)), get(pathOf(text))])
    expect(Buffer.from(await first.arrayBuffer())).toEqual(png)
    expect([first.status, second.status, first.headers.get('content-type')]).toEqual([200, 200, 'image/png'])
    expect(first.headers.get('x-content-type-options')).toBe('nosniff')
    expect(first.headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/)
    await get(pathOf(text))
    expect(called).toEqual([LOGO])
    service.advance(3_600_001)
    await get(pathOf(text))
    expect(called).toHaveLength(2)
  })

  it("is listed in the view with our own URL, not the customer's", async () => {
    const text = await token({ team_logo: LOGO })
    const person = await Person.arrive(service, text)
    expect(person.view.brand.logo).toBe(pathOf(text))
    const plain = await Person.arrive(service, await token())
    expect(plain.view.brand.logo).toBeNull()
  })

  it('returns 404 if there is none, and for an unknown handle', async () => {
    for (const path of [pathOf(await token()), `/logo/${'x'.repeat(16)}`, '/logo/..%2f'])
      expect((await get(path)).status).toBe(404)
    expect(called).toEqual([])
  })

  for (const [what, wrong] of [
    ['no picture', { type: 'text/html' }],
    ['too large', { body: Buffer.alloc(100_001) }],
    ['an error', { status: 500 }],
    ['not to be had', null],
  ] as const)
    it(`that is ${what} returns 404, and is not refetched immediately`, async () => {
      const path = await another()
      answer = wrong
      expect((await get(path)).status).toBe(404)
      answer = {}
      expect((await get(path)).status).toBe(404)
      expect(called).toHaveLength(1)
      service.advance(60_001)
      expect((await get(path)).status).toBe(200)
    })
})

describe("an institution's logo", () => {
  it('is listed in the view with our own URL, and drawn by the sandbox', async () => {
    const person = await Person.arrive(service, await token())
    await person.arriveAtAccounts()
    const paths = person.data('selection').accounts.map(account => account.logo)
    expect(new Set(paths).size).toBeGreaterThan(1)
    for (const path of paths) {
      const found = await get(path!)
      expect([found.status, found.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
      expect(found.headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/)
      expect(await found.text()).toMatch(/^<svg /)
    }
    expect(called).toEqual([])
  })

  it.each(['mch_0', '..%2f', '%20', 'x'.repeat(65)])('returns 404 for the id %s', async id => {
    for (const path of ['institutions', 'cards']) expect((await get(`/${path}/${id}`)).status).toBe(404)
    expect(called).toEqual([])
  })
})

describe("a card's art", () => {
  it('is listed in the view if the card is a known product, and drawn by the sandbox', async () => {
    const person = await Person.arrive(service, await token())
    await person.arriveAtAccounts()
    const { accounts } = person.data('selection')
    const cards = accounts.filter(account => account.card !== null)
    expect(cards.map(card => card.name)).toContain('Chase Freedom Unlimited')
    expect(new Set(cards.map(card => card.type))).toEqual(new Set(['credit_card']))
    expect(cards.length).toBeLessThan(accounts.length)
    for (const { card } of cards) {
      const found = await get(card!)
      expect([found.status, found.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
      expect(await found.text()).toContain('viewBox="0 0 320 202"')
    }
    expect(called).toEqual([])
  })
})

describe('an image that the network does not draw', () => {
  const { drawing: _, ...network } = service.deps.ports.network
  const url = 'https://cdn.bank.example/image.png'
  const merchants = (ids?: readonly string[]) => network.merchants(ids).map(merchant => ({ ...merchant, logo: url }))
  const cardProducts = () =>
    network.cardProducts().map(product => ({
      ...product,
      brands: product.brands.map(brand => ({ ...brand, image: url })),
    }))

  it.each([`/institutions/${network.merchants()[0]!.id}`, `/cards/${network.cardProducts()[0]!.brands[0]!.id}`])(
    'is fetched once from its own URL for %s',
    async path => {
      const ports = { ...service.deps.ports, network: { ...network, merchants, cardProducts } }
      const app = createFrame({ ...service.deps, ports }, noAssets)
      for (let times = 0; times < 2; times++) {
        const found = await app.fetch(new Request(`http://localhost:4100${path}`))
        expect(Buffer.from(await found.arrayBuffer())).toEqual(png)
      }
      expect(called).toEqual([url])
    },
  )
})
