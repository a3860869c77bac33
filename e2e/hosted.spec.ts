// biome-ignore-all lint/style/noExcessiveLinesPerFile: the entry points, the exits and the person's own page share one journey.
/**
 * Tests the flow without a host page. The flow starts with a link in an email, a QR code or an app, and ends at the
 * customer's URL.
 */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { violations } from './support/axe.js'
import { Flow, headings } from './support/flow.js'
import { phones } from './support/people.js'
import { type Host, servePage } from './support/serve-page.js'
import { test as base, expect, usualLoan } from './support/test.js'

interface Link {
  url: string
  token: string
  session: string
}

interface Fixtures {
  /** The lender's page, which the person returns to. */
  lender: Host
  link: (more?: Record<string, unknown>) => Promise<Link>
}

/** Runs a test on a hosted page with a lender's brand. */
const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern.
  lender: async ({}, use) => {
    const host = await servePage('<title>Lender</title><h1>Welcome back</h1>')
    await use(host)
    await host.stop()
  },
  link: async ({ api, lender }, use) => {
    await api.call('PATCH', '/team', { brand: { name: 'Northwind & "Sons"' }, allowed_origins: [lender.origin] })
    await use(async (more = {}) => {
      const made = await api.call<{ element_token: string; session_id: string; hosted_url: string }>(
        'POST',
        '/elements/token',
        {
          type: 'balance_transfer',
          entity_id: await api.person(phones.allPayable),
          balance_transfer: usualLoan,
          redirect_url: `${lender.origin}/back?application=7`,
          ...more,
        },
      )
      return { url: made.hosted_url, token: made.element_token, session: made.session_id }
    })
  },
  flow: async ({ page }, use) => use(new Flow(page, null)),
  viewport: { width: 390, height: 844 },
})

const title = 'Continue with Northwind & "Sons"'

async function choosePayments(flow: Flow): Promise<void> {
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Citi Double Cash', 'LendingClub')
  await flow.goOn()
  await flow.at(headings.split)
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
}

/** Returns the query parameters of the URL that the person returned to. */
async function back(page: Page, lender: Host): Promise<URLSearchParams> {
  await page.waitForURL(url => url.origin === lender.origin)
  expect(new URL(page.url()).pathname).toBe('/back')
  return new URL(page.url()).searchParams
}

test('goes from the link to the confirmed payments and back to the lender, with no secret in any URL', async ({
  page,
  flow,
  link,
  lender,
  api,
  service,
}) => {
  const { url, token, session } = await link()
  const sent: string[] = []
  page.on('request', request => sent.push(`${request.url()} ${request.headers()['referer'] ?? ''}`))
  await page.goto(url)
  await flow.at(title)
  expect(page.url()).toBe(url.slice(0, url.indexOf('#')))
  expect(await violations(page)).toEqual([])
  await flow.begin()
  await choosePayments(flow)
  expect(await violations(page)).toEqual([])
  const [copy] = await Promise.all([page.waitForEvent('popup'), flow.press('Save or print a copy')])
  await expect(copy.getByRole('heading', { level: 1, name: headings.confirmed })).toBeVisible()
  expect(await violations(copy)).toEqual([])
  await copy.close()
  const before = await api.session(session)
  await flow.press('Done')
  const ended = await back(page, lender)
  expect(Object.fromEntries(ended)).toEqual({
    application: '7',
    status: 'success',
    session_id: session,
    entity_id: expect.stringMatching(/^ent_/),
  })
  expect(before.bt.completed).toBe(true)
  const secret = token.slice(-33)
  expect(sent.filter(line => line.includes(secret))).toEqual([])
  expect(sent.filter(line => line.includes(' ') && line.split(' ')[1]!.startsWith(service.frameOrigin))).toEqual([])
  // Going back in the browser must not reopen the session.
  expect(await page.evaluate(() => history.state)).toBeNull()
})

test("the person's own page asks for a code, changes what is shared, downloads the data and redirects", async ({
  page,
  flow,
  lender,
  api,
}) => {
  const entity_id = await api.person(phones.allPayable)
  const redirect_url = `${lender.origin}/back`
  const body = { entity_id, redirect_url }
  await api.call('PATCH', '/team', { allowed_origins: [lender.origin] })
  const first = { type: 'connect', connect: { products: ['balance'] }, ...body }
  const connect = await api.call<{ hosted_url: string }>('POST', '/elements/token', first)
  await page.goto(connect.hosted_url)
  await flow.begin()
  await flow.proveWhoIAm()
  await flow.at(/^Which accounts should .+ use/)
  await flow.choose('Citi Double Cash', 'LendingClub')
  await flow.goOn()
  await flow.at(headings.connected)
  await flow.press('Done')
  await back(page, lender)

  const own = await api.call<{ data: { hosted_url: string; session_id: string } }>('POST', '/opal/token', {
    mode: 'manage',
    ...body,
  })
  await page.goto(own.data.hosted_url)
  await flow.begin()
  await flow.at(headings.phone)
  await flow.press('Text me a code')
  await flow.enterCode('123456')
  await flow.at(/^What you share with/)
  await flow.frame.getByText('Electronic records and signatures').first().click()
  await expect(flow.say(/^Version .+ Agreed to/)).toBeVisible()
  expect(await violations(page)).toEqual([])
  const [file] = await Promise.all([page.waitForEvent('download'), flow.press('Download your data')])
  expect(file.suggestedFilename()).toBe('my-data.json')
  const saved = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(saved.entity.id).toBe(entity_id)
  const citi = (await api.accounts(entity_id)).find(({ liability }) => liability.name === 'Citi Double Cash')!
  await flow.press(/^Stop sharing Citi Double Cash/)
  await flow.at(/^Stop sharing Citi Double Cash/)
  expect(await violations(page)).toEqual([])
  await flow.press('Stop sharing')
  await flow.at(/^What you share with/)
  await expect(flow.frame.getByRole('button', { name: /^Stop sharing Citi/ })).toHaveCount(0)
  const shared = async () => (await api.accounts(entity_id)).map(({ id }) => id)
  expect(await shared()).not.toContain(citi.id)
  await flow.press(/^Share Citi Double Cash/)
  await expect(flow.frame.getByRole('button', { name: /^Stop sharing Citi/ })).toBeVisible()
  expect(await shared()).toContain(citi.id)
  await flow.press('Done')
  const ended = await back(page, lender)
  expect(Object.fromEntries(ended)).toEqual({ status: 'success', session_id: own.data.session_id, entity_id })
})

test('pressing the button uses up the link, and viewing the page does not', async ({ page, flow, link, context }) => {
  const { url } = await link()
  const scanner = await context.newPage()
  await scanner.goto(url)
  await expect(new Flow(scanner, null).heading(title)).toBeVisible()
  await scanner.close()
  await page.goto(url)
  await flow.begin()
  await flow.at(headings.findAccounts)
})

test('a reload resumes at the same place, before and after the button is pressed', async ({ page, flow, link }) => {
  const { url } = await link()
  await page.goto(url)
  await flow.at(title)
  await page.reload()
  await flow.at(title)
  await flow.begin()
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.at(headings.code)
  await page.reload()
  await flow.at(headings.code)
  // Opening the same link again in the same tab only removes the secret from the URL.
  await page.evaluate(address => {
    location.href = address
  }, url)
  await expect.poll(() => page.url()).not.toContain('#')
  await flow.enterCode('123456')
  await flow.at(headings.which)
})

test("the browser's Back button asks first or goes back one step, and after the end leads to the page with the link", async ({
  page,
  flow,
  link,
  lender,
}) => {
  const { url } = await link()
  await page.goto(`${lender.origin}/mail`)
  await page.goto(url)
  await flow.begin()
  await flow.at(headings.findAccounts)
  const leaving = page.getByRole('dialog', { name: 'Leave without finishing?' })
  await page.goBack()
  await expect(leaving).toBeVisible()
  expect(await violations(page)).toEqual([])
  await flow.press('Stay here')
  await expect(leaving).toBeHidden()
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  // After a reload, the email is still only one step back in the history.
  await page.reload()
  await flow.at(headings.which)
  await flow.choose('Citi Double Cash', 'LendingClub')
  await flow.goOn()
  await flow.at(headings.split)
  await flow.press('Review payments')
  await flow.at(headings.check)
  await page.goBack()
  await flow.at(headings.split)
  await expect(leaving).toBeHidden()
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  await page.goBack()
  expect((await back(page, lender)).get('status')).toBe('success')
  await page.goBack()
  await page.waitForURL(`${lender.origin}/mail`)
})

test("leaving redirects with the reason, and the lender's server can see the exit", async ({
  page,
  flow,
  link,
  lender,
  api,
}) => {
  const { url, session } = await link()
  await page.goto(url)
  await flow.begin()
  await flow.at(headings.findAccounts)
  await flow.press('Close')
  const ended = await back(page, lender)
  expect([ended.get('status'), ended.get('session_id')]).toEqual(['exit', session])
  await expect.poll(() => api.session(session)).toHaveProperty('exited_at')
})

for (const [name, spoil] of [
  [
    'used',
    async ({ url }: Link, page: Page) => {
      const other = await page.context().newPage()
      await other.goto(url)
      await new Flow(other, null).begin()
      await new Flow(other, null).at(headings.findAccounts)
    },
  ],
  ['a day old', async (_: Link, __: Page, advance: (by: string) => Promise<void>) => advance('PT24H1S')],
] as const)
  test(`the page for a link that is ${name} explains the problem and leads back to the lender for another`, async ({
    page,
    flow,
    link,
    lender,
    api,
  }) => {
    const made = await link()
    await spoil(made, page, by => api.advance(by))
    await page.goto(made.url)
    await flow.at('This link can’t be used anymore')
    expect(await violations(page)).toEqual([])
    await flow.press('Go back to Northwind & "Sons"')
    expect(Object.fromEntries(await back(page, lender))).toEqual({ application: '7', status: 'expired' })
  })

test('a session that ended while the person was away shows a message, even after a reload', async ({
  page,
  flow,
  link,
  lender,
  api,
}) => {
  const { url, session } = await link()
  await page.goto(url)
  await flow.begin()
  await flow.at(headings.findAccounts)
  await flow.redeemed()
  await api.advance('PT31M')
  await flow.agree()
  await flow.at('Your session has ended')
  await page.reload()
  await flow.at('Your session has ended')
  await flow.press('Go back to Northwind & "Sons"')
  expect((await back(page, lender)).get('status')).toBe('expired')
  // A new link continues the same session.
  const next = await link({ entity_id: undefined, balance_transfer: undefined, session_id: session })
  await page.goto(next.url)
  await flow.begin()
  await flow.at(headings.findAccounts)
})

test('the page for an incomplete or unknown URL explains what to do', async ({ page, flow, link, service }) => {
  const { url } = await link()
  for (const address of [
    url.slice(0, -5),
    url.slice(0, url.indexOf('#')),
    `${service.frameOrigin}/h/${'x'.repeat(16)}`,
  ]) {
    await page.goto('about:blank')
    await page.goto(address)
    await flow.at('This link isn’t complete')
    expect(await violations(page)).toEqual([])
  }
})

test('no page can frame it, and no element can open its token', async ({ page, link, lender, service }) => {
  const { url, token } = await link()
  await page.goto(lender.origin)
  const [answer] = await Promise.all([
    page.waitForResponse(response => response.url().includes('/h/')),
    page.evaluate(src => {
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
    }, url),
  ])
  expect(answer.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(answer.headers()['referrer-policy']).toBe('no-referrer')
  expect(answer.headers()['content-security-policy']).not.toContain('unsafe')
  await expect.poll(() => page.frames()[1]?.url()).toContain('chrome-error')
  const redeem = (origin: string | null) =>
    fetch(`${service.frameOrigin}/s/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, exchange_id: 'f'.repeat(32), origin, mode: null }),
    })
  expect((await redeem(lender.origin)).status).toBe(403)
  expect((await redeem(null)).status).toBe(200)
})

const spoken = {
  es: {
    tag: 'es-US',
    dir: 'ltr',
    begin: 'Empezar',
    title: /^Continúa con/,
    next: '¿Qué deudas pagará tu préstamo?',
  },
  ar: { tag: 'ar-US', dir: 'rtl', begin: 'ابدأ', title: /^تابع مع/, next: /قرضك/ },
} as const

for (const language of ['es', 'ar'] as const)
  test.describe(`in a browser set to ${language}`, () => {
    test.use({ locale: language, viewport: { width: 320, height: 640 } })
    test('the page uses the same language from the start', async ({ page, flow, link }) => {
      const { url } = await link()
      const words = spoken[language]
      await page.goto(url)
      await flow.at(words.title)
      await expect(page.locator('html')).toHaveAttribute('dir', words.dir)
      expect(await page.locator('html').evaluate(root => root.scrollWidth - root.clientWidth)).toBe(0)
      expect(await violations(page)).toEqual([])
      await flow.press(words.begin)
      await flow.at(words.next)
    })
  })

test('an app that shows the page receives the same events as a page that contains an element', async ({
  page,
  flow,
  link,
  lender,
}) => {
  const heard: [string, string][] = []
  await page.exposeFunction('hear', (from: string, text: string) => heard.push([from, text]))
  await page.addInitScript(() => {
    const { hear } = window as unknown as { hear: (from: string, text: string) => void }
    const port = (name: string) => ({ postMessage: (text: string) => hear(name, text) })
    Object.assign(window, {
      ReactNativeWebView: port('react'),
      webkit: { messageHandlers: { causeway: port('ios') } },
      Causeway: port('android'),
    })
  })
  const { url, session, token } = await link()
  await page.goto(url)
  await flow.begin()
  await choosePayments(flow)
  await flow.press('Done')
  await back(page, lender)
  const of = (name: string) => heard.filter(([from]) => from === name).map(([, text]) => text)
  expect(of('ios')).toEqual(of('react'))
  expect(of('android')).toEqual(of('react'))
  const events = of('react').map(text => JSON.parse(text) as Record<string, unknown>)
  const types = events.map(({ type }) => type)
  expect(types[0]).toBe('element-open')
  for (const type of ['element-ready', 'element-event', 'allocations-confirmed']) expect(types).toContain(type)
  expect(events.at(-1)).toEqual({ type: 'element-exit', reason: 'completed' })
  expect(events.find(({ type }) => type === 'element-success')).toMatchObject({ session_id: session })
  for (const secret of ['Rivera', '5550101', '123456', token.slice(-33)])
    expect(of('react').join()).not.toContain(secret)
})
