import { describe, expect, it } from 'vitest'
import { NEWEST } from '../../testing/contract/cases.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { drawCard, drawLogo } from './draw.js'

const service = await testService()
const bank = lender(service)
const debts = await bank.debts()
const entity = debts.entity
const cards: { id: string }[] = debts.accounts

type Body = Record<string, unknown>
const old = { 'service-version': '2024-04-04' }
const newest = { 'service-version': NEWEST }
const fetchArt = (url: unknown) => service.call('GET', String(url).replace('http://127.0.0.1:4000', ''))

describe('logos and card art', () => {
  it('are served from the API’s own origin, as images without scripts', async () => {
    const merchant = await bank.must('GET', '/merchants/mch_302086')
    expect(merchant['logo']).toBe('http://127.0.0.1:4000/assets/merchants/mch_302086.svg')
    const logo = await fetchArt(merchant['logo'])
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(logo.headers.get('content-security-policy')).toBe("default-src 'none'")
    expect(logo.text).toBe(drawLogo('Chase'))
    const product = await service.call('GET', '/card_products/pdt_15', undefined, newest)
    const [brand] = product.body['brands'] as Body[]
    expect(brand!['default_image']).toBe('http://127.0.0.1:4000/assets/cards/pdt_15_brd_1.svg')
    expect((await fetchArt(brand!['default_image'])).text).toBe(drawCard('Chase', 'pdt_15_brd_1'))
    for (const path of ['/assets/merchants/mch_0.svg', '/assets/merchants/mch_302086.png', '/assets/cards/pdt_9.svg'])
      expect((await service.call('GET', path)).status).toBe(404)
  })

  it('differ between institutions, which have a mark instead of letters', () => {
    const names = [...new Set(service.deps.ports.network.merchants().map(merchant => merchant.parent_name))]
    const logos = names.map(drawLogo)
    expect(new Set(logos).size).toBe(names.length)
    expect(logos.filter(logo => logo.includes('<text'))).toEqual([])
    expect(drawCard('Chase', 'pdt_15_brd_1')).not.toBe(drawCard('Chase', 'pdt_16_brd_1'))
  })

  it('escape markup in names', () => {
    expect(drawLogo('<b>&"')).toContain('>B</text>')
    expect(drawLogo('')).toContain('>?</text>')
  })
})

it('a 2024-04-04 card brand has its network and issuer from the start, and its own art', async () => {
  const path = `/accounts/${cards[0]!.id}/card_brands`
  const made = await service.call('POST', path, {}, old)
  expect(made.body).toMatchObject({ status: 'in_progress', network: 'visa', issuer: 'Chase', brands: [] })
  await service.settle()
  const done = await service.call('GET', `${path}/${made.body['id']}`, undefined, old)
  expect(done.body).toMatchObject({ status: 'completed', network: 'visa', issuer: 'Chase' })
  const [brand] = done.body['brands'] as Body[]
  expect(brand!['art_id']).toMatch(/^art_\d+_\d+$/)
  const now = await service.call('GET', `${path}/${made.body['id']}`, undefined, newest)
  expect(now.body).not.toHaveProperty('issuer')
  const [shown] = now.body['brands'] as Body[]
  expect(shown!['description']).toBe(shown!['name'])
})

it('a credit score completes after five seconds unless it is simulated first', async () => {
  const path = `/entities/${entity}/credit_scores`
  const [first, second] = [await bank.must('POST', path), await bank.must('POST', path)]
  const scores = [
    { score: 700, source: 'equifax', model: 'vantage_4', factors: [], created_at: '2026-03-02T15:00:00.000Z' },
  ]
  await service.settle()
  await bank.must('POST', `/simulate/entities/${entity}/credit_scores/${first.id}`, { scores })
  service.advance(4_999)
  await service.settle()
  expect((await bank.must('GET', `${path}/${second.id}`))['status']).toBe('pending')
  service.advance(1)
  await service.settle()
  const done = await bank.must('GET', `${path}/${second.id}`)
  expect(done).toMatchObject({
    status: 'completed',
    scores: expect.arrayContaining([expect.objectContaining({ score: 723 })]),
  })
  expect((await bank.must('GET', `${path}/${first.id}`))['scores']).toEqual(scores)
})

it('the key set starts with the key that clients should encrypt to', async () => {
  const { keys } = (await service.call('GET', '/.well-known/jwks.json')).body as { keys: Body[] }
  expect(keys.map(key => key['use'])).toEqual(['enc', 'sig'])
})
