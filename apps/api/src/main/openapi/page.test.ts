import { endpoints } from '@causeway/contract/endpoints/table'
import { versions } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import { testService } from '../../testing/service.js'
import { isServed } from './document.js'
import { renderPage } from './page.js'
import { style } from './style.js'

describe.each(versions)('the reference page for %s', version => {
  const html = renderPage('https://api.example', version)

  it('has one anchor for every endpoint, and every internal link has a target', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(html.match(/<article id="(?:get|post|put|patch|delete)-/g)).toHaveLength(
      endpoints.filter(each => isServed(each, version)).length,
    )
    for (const [, to] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(to)
  })

  it('has no scripts and requests nothing from other hosts', () => {
    expect(html).not.toMatch(/<script|\son\w+=|style="|src=/)
    for (const [, to] of html.matchAll(/(?:href|src)="([^"]+)"/g)) expect(to).toMatch(/^[#/]/)
    expect(style).not.toMatch(/url\(|@import/)
  })

  it('closes every tag that it opens', () => {
    for (const tag of ['section', 'article', 'table', 'figure', 'details', 'ul', 'nav', 'pre', 'code'])
      expect(html.match(new RegExp(`<${tag}[ >]`, 'g'))?.length, tag).toBe(
        html.match(new RegExp(`</${tag}>`, 'g'))?.length,
      )
  })
})

it('is served with a policy that allows only its own style', async () => {
  const service = await testService()
  const reply = await service.call('GET', '/docs', undefined, { authorization: '' })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(reply.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/)
  const css = await service.call('GET', '/docs/style.css', undefined, { authorization: '' })
  expect(css.headers.get('content-type')).toBe('text/css; charset=utf-8')
})
