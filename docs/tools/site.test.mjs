/**
 * Tests the documentation site as readers see it: on phones and desktops, in light and dark mode, with no external
 * requests.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from './browser.mjs'
import { sections } from './contents.mjs'
import { pages, root } from './pages.mjs'
import { createSite } from './serve.mjs'
import { startService } from './service.mjs'

const TEST_TIMEOUT_MS = 180_000
const folder = mkdtempSync(join(tmpdir(), 'docs-site-'))
const closing = []
let browser
let service
let origin

/**
 * Serves the site and forwards requests to `target`.
 * @returns the site's origin
 */
async function serve(target, keys) {
  const server = createSite({ folder, sandbox: { origin: target, keys } })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${server.address().port}`
}

beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/docs/docs-site.mjs', '--build', folder], { cwd: root, stdio: 'pipe' })
  service = await startService()
  closing.push(service.stop)
  origin = await serve(service.api_origin, () => [service.key])
  browser = await launch()
}, TEST_TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  for (const close of closing) close()
  rmSync(folder, { recursive: true, force: true })
})

const files = () =>
  readdirSync(folder, { recursive: true })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => /\.\w+$/.test(name))
const read = name => readFileSync(join(folder, name), 'utf8')

/**
 * Opens a page. `outside` lists the page's requests to other hosts, and `refused` lists everything that the page's
 * policy blocked.
 */
async function open(path, { prepare, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(TEST_TIMEOUT_MS)
  await prepare?.(page)
  const outside = []
  const refused = []
  page.on('request', request => {
    if (!request.url().startsWith(`${origin}/`) && !/^(?:data|blob):/.test(request.url())) outside.push(request.url())
  })
  page.on('console', message => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text())
  })
  expect((await page.goto(`${origin}${path}`)).status()).toBe(200)
  return { context, page, outside, refused }
}

const drawn = page => page.getByRole('heading', { name: 'Create an entity' }).first().waitFor()

test('every page is in exactly one section of the menu', () => {
  const listed = sections.flatMap(section => section.pages)
  expect([...listed].sort()).toEqual([...pages].sort())
})

test('no link or anchor on the site is broken', () => {
  const known = new Map(files().map(name => [`/${name}`, name]))
  const dead = []
  for (const name of files().filter(each => /^(?!reference\/).*\.html$/.test(each)))
    for (const [, to] of read(name).matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      if (/^(?:https|data):/.test(to)) continue
      const { pathname, hash } = new URL(to.replaceAll('&amp;', '&'), `http://site/${name}`)
      const target = known.get(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
      const id = decodeURIComponent(hash.slice(1))
      if (!target || (id && id !== 'VPContent' && !read(target).includes(`id="${id}"`))) dead.push(`${name} → ${to}`)
    }
  expect(dead).toEqual([])
})

test('llms.txt lists every page as Markdown, and its links lead to files', () => {
  const list = read('llms.txt')
  const listed = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to)
  expect(listed.filter(to => !files().includes(to))).toEqual([])
  expect(listed.filter(to => to.endsWith('.md'))).toHaveLength(pages.length)
  for (const name of listed.filter(to => to.endsWith('.md'))) {
    expect(read(name)).toMatch(/^# /)
    expect(read(name)).not.toMatch(/^(?::::|```\w+ .*=)/m)
  }
})

test('every page fits on a phone screen', { timeout: TEST_TIMEOUT_MS }, async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, javaScriptEnabled: false })
  const page = await context.newPage()
  const wide = []
  for (const name of files().filter(each => /^(?!reference\/).*\.html$/.test(each))) {
    await page.goto(`${origin}/${name}`)
    if ((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) > 0) wide.push(name)
  }
  expect(wide).toEqual([])
  await context.close()
})

async function violationsOf(page) {
  // By default, AxeBuilder opens an extra page to combine the results of all frames, but this page has none.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`)
}

/**
 * Limits the reference's document to two groups of endpoints. Every kind of content still appears, but the page renders
 * faster.
 */
const shorten = page =>
  page.route('**/reference/openapi.json', async route => {
    const document = await (await route.fetch()).json()
    const kept = Object.entries(document.paths).filter(([path]) => /^\/(?:entities|payments)(?:\/\{\w+\})?$/.test(path))
    await route.fulfill({ json: { ...document, paths: Object.fromEntries(kept), webhooks: {} } })
  })

const looks = ['/', '/guides/balance-transfer.html', '/guides/events.html', '/reference/'].flatMap(path => [
  [path, 'light'],
  [path, 'dark'],
])
test.each(looks)(
  '%s is accessible in %s colors, and loads nothing from other hosts',
  {
    timeout: TEST_TIMEOUT_MS,
  },
  async (path, colorScheme) => {
    const { context, page, outside, refused } = await open(path, { colorScheme, prepare: shorten })
    if (path === '/reference/') await drawn(page)
    // The theme turns dark once its script has run.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.classList.contains('dark')))
      .toBe(colorScheme === 'dark')
    expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    expect(outside).toEqual([])
    expect(refused).toEqual([])
    await context.close()
  },
)

test('search finds a header without a request to another host', { timeout: TEST_TIMEOUT_MS }, async () => {
  const { context, page, outside, refused } = await open('/guides/quick-start.html')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('Idempotency-Key')
  const results = page.locator('#localsearch-list .result')
  await results.first().waitFor()
  expect((await results.allInnerTexts()).join('\n')).toMatch(/idempotency/i)
  expect(await violationsOf(page)).toEqual([])
  expect(outside).toEqual([])
  expect(refused).toEqual([])
  await context.close()
})

test('the language that a reader chooses applies to every group and to the next page', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { context, page } = await open('/guides/balance-transfer.html')
  await page.locator('.vp-code-group label', { hasText: 'Python' }).click()
  await page.goto(`${origin}/guides/events.html`)
  await page.locator('.vp-code-group .language-python.active').waitFor()
  await context.close()
})

test('a request from the reference reaches the sandbox, and no response contains the key', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { context, page, outside } = await open('/reference/')
  const answers = []
  page.on('response', response => answers.push(response.text().catch(() => '')))
  await drawn(page)
  await page
    .getByRole('button', { name: /test request/i })
    .first()
    .click()
  const answer = page.waitForResponse(response => response.url().startsWith(`${origin}/sandbox?`))
  await page.getByRole('button', { name: /^send/i }).first().click()
  expect((await answer).status()).toBe(200)
  expect((await (await answer).json()).id).toMatch(/^ent_/)
  expect(outside).toEqual([])
  expect((await Promise.all(answers)).filter(text => text.includes(service.key))).toEqual([])
  await context.close()
})

test('no dependency of the reference is installed, because its bundle includes them', () => {
  const installed = join(root, 'docs/tools/node_modules/@scalar/api-reference/package.json')
  const overrides = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const { dependencies } = JSON.parse(readFileSync(installed, 'utf8'))
  const names = Object.keys(dependencies)
  expect(names.filter(name => !overrides.includes(`"@scalar/api-reference>${name}": "-"`))).toEqual([])
})

test('no file on the site contains the key', () => {
  expect(files().filter(name => read(name).includes(service.key))).toEqual([])
})

const own = () => ({ 'sec-fetch-site': 'same-origin' })
const call = (at, path, { target = service.api_origin, ...init } = {}) =>
  fetch(`${at}/sandbox?scalar_url=${encodeURIComponent(target + path)}`, init)

test('a page on another origin gets nothing from the sandbox', { timeout: TEST_TIMEOUT_MS }, async () => {
  const other = createServer((_, response) => response.end('<!doctype html><title>Other</title>'))
  await new Promise(resolve => other.listen(0, '127.0.0.1', resolve))
  closing.push(() => other.close())
  const page = await browser.newPage()
  const statuses = []
  page.on('response', response => statuses.push(response.status()))
  await page.goto(`http://127.0.0.1:${other.address().port}`)
  statuses.length = 0
  const url = `${origin}/sandbox?scalar_url=${encodeURIComponent(`${service.api_origin}/entities`)}`
  await page.evaluate(
    at => Promise.all(['GET', 'POST'].map(method => fetch(at, { method, mode: 'no-cors' }).catch(() => null))),
    url,
  )
  expect(statuses).toEqual([403, 403])
  await page.close()

  expect((await call(origin, '/entities', { headers: { ...own(), origin: 'https://evil.example' } })).status).toBe(403)
  expect((await call(origin, '/entities', { headers: { 'sec-fetch-site': 'same-site' } })).status).toBe(403)
  expect((await call(origin, '/entities')).status).toBe(403)
})

test('a request with a host name that merely resolves to this machine gets nothing from the sandbox', async () => {
  const { createConnection } = await import('node:net')
  const { port } = new URL(origin)
  const status = await new Promise((resolve, reject) => {
    const socket = createConnection(Number(port), '127.0.0.1', () =>
      socket.end(`GET /sandbox HTTP/1.1\r\nHost: evil.example:${port}\r\nSec-Fetch-Site: same-origin\r\n\r\n`),
    )
    socket.once('data', chunk => resolve(String(chunk).split(' ')[1]))
    socket.once('error', reject)
  })
  expect(status).toBe('403')
})

test('forwards only operations in the reference, and none that returns a new key', async () => {
  const send = async (method, path, more = {}) =>
    (await call(origin, path, { method, headers: { ...own(), 'content-type': 'application/json' }, ...more })).status
  expect(await send('GET', '/entities')).toBe(200)
  expect(await send('GET', '/team')).toBe(200)
  expect(await send('POST', '/team/keys', { body: '{}' })).toBe(403)
  expect(await send('GET', '/healthz')).toBe(403)
  expect(await send('GET', '/entities/..%2Fteam')).toBe(403)
  expect(await send('GET', '/entities', { target: 'http://127.0.0.1:1' })).toBe(403)
})

test('a service that is not a sandbox receives no forwarded requests', async () => {
  const received = []
  const production = createServer((request, response) => {
    received.push(request.url)
    response.writeHead(request.url === '/simulate/clock' ? 403 : 200).end('{}')
  })
  await new Promise(resolve => production.listen(0, '127.0.0.1', resolve))
  closing.push(() => production.close())
  const target = `http://127.0.0.1:${production.address().port}`
  const at = await serve(target, () => ['sk_test'])
  const answer = await call(at, '/entities', { target, headers: own() })
  expect(answer.status).toBe(503)
  expect((await answer.json()).error.message).toContain('is not a sandbox')
  expect(received).toEqual(['/simulate/clock'])
})
