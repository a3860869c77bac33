import { describe, expect, it } from 'vitest'
import { address, matchRoute, pathOf, type Route } from './router.js'

const route = (pattern: string, ...prefixes: string[]): Route => ({
  pattern,
  prefixes,
  tag: 'page-x',
  nav: 'x',
  load: async () => undefined,
})
const routes = [
  route('/payments'),
  route('/payments/:id', 'pmt_'),
  route('/people/:id', 'ent_'),
  route('/sessions/:id', 'osess_'),
]

describe('the router', () => {
  it('finds a page and its ids', () => {
    expect(matchRoute(routes, '/payments/pmt_4kYi')).toMatchObject({ route: routes[1], params: { id: 'pmt_4kYi' } })
    expect(matchRoute(routes, '/payments/')).toMatchObject({ route: routes[0], path: '/payments' })
    expect(matchRoute(routes, '/payments?status=failed').query.get('status')).toBe('failed')
  })

  it.each(['/payments/pmt_1/more', '/nowhere', '/payments/..%2Fkeys'])('finds no page at %s', at => {
    expect(matchRoute(routes, at).route).toBeNull()
  })

  it('finds no page for a text too long to be an id, so no page displays it', () => {
    const long = `pmt_${'x'.repeat(2_996)}`
    for (const at of [`/payments/${long}`, `/go/${long}`]) expect(matchRoute(routes, at).route).toBeNull()
    expect(matchRoute(routes, `/payments/pmt_${'x'.repeat(60)}`).route).toBe(routes[1])
  })

  it('finds any id with /go', () => {
    expect(matchRoute(routes, '/go/osess_4kYx').path).toBe('/sessions/osess_4kYx')
    expect(pathOf(routes, 'ent_4kYe')).toBe('/people/ent_4kYe')
    expect(pathOf(routes, 'zzz_4kYe')).toBeNull()
    expect(pathOf(routes, 'Corwin')).toBeNull()
  })

  it('uses ids, statuses and days in URLs, but never a name, phone number or free text', () => {
    expect(address('/payments', { status: 'failed,sent', from: '2026-03-03', cursor: null })).toBe(
      '/payments?status=failed,sent&from=2026-03-03',
    )
    expect(address('/people', { name: 'Rowe', q: 'x', status: 'Tamsin Rowe', to: '+1 512' })).toBe('/people')
  })
})
