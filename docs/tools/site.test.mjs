/** The site of the documentation as a reader meets it: on a phone and a desk, light and dark, with nothing from elsewhere. */
import { createServer } from 'node:http'
import AxeBuilder from '@axe-core/playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from './browser.mjs'
import { buildSite, serveSite } from './site.mjs'

const PATIENCE = 180_000
const site = buildSite()
const addresses = [...site.keys()].filter(path => path.endsWith('.html'))
const phone = { viewport: { width: 320, height: 640 }, colorScheme: 'light' }
const desk = { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }
/** All pages have one stylesheet, so some of them show what the dark does. */
const inDark = ['index.html', 'guides/quick-start.html', 'guides/events.html']

let browser
let server
let origin
beforeAll(async () => {
  server = createServer(serveSite(site))
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${server.address().port}`
  browser = await launch()
}, PATIENCE)
afterAll(async () => {
  await browser?.close()
  server?.close()
})

test.each([
  ...addresses.map(address => [address, 'on a phone', phone]),
  ...inDark.map(address => [address, 'in the dark', desk]),
])('%s is accessible and fits %s', { timeout: PATIENCE }, async (address, _, device) => {
  const context = await browser.newContext(device)
  const page = await context.newPage()
  const asked = []
  page.on('request', request => asked.push(request.url()))
  expect((await page.goto(`${origin}/${address}`)).status()).toBe(200)
  // There are no frames, which the other way of the tool would open a page of its own for.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  expect(asked.filter(url => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([])
  await context.close()
})

test('every link leads somewhere, by relative addresses alone', () => {
  const dead = []
  for (const address of addresses)
    for (const [, to] of site.get(address).matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(?:https|data):/.test(to)) continue
      const { pathname, hash } = new URL(to, `http://site/${address}`)
      const target = site.get(pathname.slice(1))
      if (to.startsWith('/') || target === undefined || (hash && !target.includes(`id="${decodeURI(hash.slice(1))}"`)))
        dead.push(`${address} → ${to}`)
    }
  expect(dead).toEqual([])
})

test('the site has no script', () => {
  expect(
    addresses.filter(address => /<script|\son\w+=/.test(site.get(address).replace(/<pre[\s\S]*?<\/pre>/g, ''))),
  ).toEqual([])
})
