import { describe, expect, it } from 'vitest'
import { testService } from '../../../testing/service.js'
import { safeHeaders } from '../response/headers.js'

const service = await testService()

/** The header that browsers send when a person opens an address. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

describe.each(['api', 'frame'] as const)('the root of the %s listener', name => {
  const open = (accept?: string, method = 'GET') => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    return service.app[name].fetch(new Request('http://localhost/', { method, headers }))
  }

  it('is a page with links for browsers, with the headers of all responses and without a version', async () => {
    const answer = await open(BROWSER)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('vary')).toBe('Accept')
    expect(answer.headers.get('request-id')).toMatch(/^req_/)
    for (const [header, value] of Object.entries(safeHeaders('http://localhost')))
      expect([header, answer.headers.get(header)]).toEqual([header, value])
    const text = await answer.text()
    expect(text).toContain(`<a href="${service.deps.apiOrigin}/docs">`)
    expect(text).toContain('docs/guides/quick-start.md')
    expect(text).not.toMatch(/\d{4}-\d{2}-\d{2}/)
    expect((await open(BROWSER, 'HEAD')).status).toBe(200)
  })

  it.each([
    undefined,
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'application/json, text/html;q=0.5',
    'text/html;q=0',
    'text/csv',
  ])('is JSON for a client that accepts %s', async accept => {
    const answer = await open(accept)
    expect(answer.status).toBe(name === 'api' ? 401 : 404)
    expect(answer.headers.get('vary')).toContain('Accept')
    expect(await answer.json()).toHaveProperty('error')
  })
})
