/**
 * Tests the console with the real service: the number of clicks needed to answer each of four questions, a viewer's
 * access, and accessibility. Typing, and opening the search with its shortcut, do not count as clicks.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Api } from './support/api.js'
import { violations } from './support/axe.js'
import { debt, move, personal } from './support/debts.js'
import { ConsoleDesk, startStuckSession, test } from './support/desk.js'
import { phones } from './support/people.js'
import { expect, usualLoan } from './support/test.js'

test('shows why a payment failed within 3 clicks of its id', async ({ api, desk }) => {
  const { pay } = await debt(api)
  const payment = await pay(295_060)
  await move(api, payment, 'processing', 'sent', 'reversal_required')
  await desk.find(payment, new RegExp(payment))
  await expect(desk.answer).toContainText('returned this payment')
  await expect(desk.answer).toContainText('10009')
  await expect(desk.answer).toContainText('$2,950.60 is in clearing.')
  await expect(desk.page.getByRole('button', { name: 'Approve reversal · $2,950.60' })).toBeVisible()
  await expect(desk.page.getByRole('region', { name: 'Ledger' })).toContainText('Agrees')
  expect(desk.clicks).toBeLessThanOrEqual(3)
})

test('shows where a person is stuck within 3 clicks of their last four digits, with nothing revealed', async ({
  api,
  context,
  desk,
}) => {
  const flowPage = await context.newPage()
  const entity = await startStuckSession(api, flowPage)
  await flowPage.close()
  await desk.find('0108', /Ana Rivera/)
  await expect(desk.page).toHaveURL(new RegExp(`/people/${entity}$`))
  await expect(desk.answer).toContainText('They haven’t entered a valid card or account number.')
  await expect(desk.answer).toContainText(
    '“What’s the number of your Capital One Venture?” After 1 wrong attempt: Their lender “didn’t recognize that number.” 4 attempts are left.',
  )
  await expect(desk.answer).toContainText('What helps')
  await expect(desk.page.getByRole('button', { name: 'Copy a link that continues here' })).toBeVisible()
  expect(await desk.page.content()).not.toContain(phones.numberRefused.slice(2))
  expect(desk.clicks).toBeLessThanOrEqual(3)
})

test('shows why a request was refused within 1 click of its id', async ({ api, desk, service }) => {
  const { pay } = await debt(api)
  const refused = await pay(10).catch((error: Error) => error.message)
  expect(refused).toContain('INVALID_AMOUNT')
  // The request log is written in batches, so the request can take a moment to appear.
  let id = ''
  await expect
    .poll(async () => {
      const { data } = await api.call<{ data: { id: string }[] }>('GET', '/requests?sub_type=INVALID_AMOUNT')
      id = data[0]?.id ?? ''
      return id
    })
    .toMatch(/^req_/)
  await desk.find(id, new RegExp(id))
  await expect(desk.answer).toContainText('It was rejected with 400.')
  await expect(desk.answer).toContainText('amount must be between')
  await expect(desk.answer).toContainText('INVALID_AMOUNT')
  expect(desk.clicks).toBe(1)
  expect(await desk.page.content()).not.toContain(service.key)
})

for (const isOff of [false, true])
  test(`counts and then resends everything undelivered since a given time, within 4 clicks, ${isOff ? 'while the webhook is disabled' : 'after it was disabled'}`, async ({
    api,
    desk,
  }) => {
    const got: string[] = []
    const server = createServer((request, response) => {
      request.resume()
      request.once('end', () => {
        got.push(String(request.headers['webhook-id']))
        response.writeHead(204).end()
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const webhook = await api.call<{ id: string }>('POST', '/webhooks', { type: 'payment.create', url })
    const status = (to: string) => api.call('PATCH', `/webhooks/${webhook.id}`, { status: to })
    await status('disabled')
    const { pay } = await debt(api)
    for (const amount of [1_000, 2_000, 3_000]) await pay(amount)
    if (!isOff) await status('active')
    expect(got).toEqual([])

    await desk.click(desk.page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }))
    await desk.click(desk.page.getByRole('link', { name: url.replace('http://', '') }))
    // The form is usable once the page has loaded.
    await expect(desk.page.getByRole('region', { name: 'Deliveries' })).toContainText('No deliveries yet.')
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    await desk.page.getByLabel('Everything undelivered since').fill(`${yesterday}T07:00`)
    await desk.click(desk.page.getByRole('button', { name: 'Count them' }))
    await expect(desk.page.getByText('3 undelivered events since then.')).toBeVisible()
    expect(got).toEqual([])
    await desk.click(
      desk.page.getByRole('button', { name: isOff ? 'Enable and send 3 again' : 'Send 3 deliveries again' }),
    )
    await expect.poll(() => got.length).toBe(3)
    expect(desk.clicks).toBeLessThanOrEqual(4)
    server.closeAllConnections()
    server.close()
  })

/** Creates content for every page and returns the pages' paths. */
async function pages(api: Api): Promise<string[]> {
  const { entity, pay } = await debt(api)
  const payment = await pay(50_000)
  await move(api, payment, 'processing', 'sent')
  const { session } = await api.transferToken(entity, usualLoan)
  const hook = { type: 'payment.create', url: 'http://127.0.0.1:9/hook' }
  const webhook = await api.call<{ id: string }>('POST', '/webhooks', hook)
  const events = await api.call<{ data: { id: string; type: string }[] }>('GET', '/events?resource_type=entity')
  const requests = async () => (await api.call<{ data: { id: string }[] }>('GET', '/requests')).data
  await expect.poll(async () => (await requests()).length).toBeGreaterThan(3)
  return [
    '/overview',
    '/payments',
    `/payments/${payment}`,
    '/people',
    `/people/${entity}`,
    '/sessions',
    `/sessions/${session}`,
    '/requests',
    `/requests/${(await requests())[0]!.id}`,
    '/webhooks',
    `/webhooks/${webhook.id}`,
    '/events',
    `/events/${events.data[0]!.id}`,
    '/bench',
  ]
}

test('a list announces a new payment, and shows it with one click', async ({ api, desk }) => {
  const { pay } = await debt(api)
  await pay(295_060)
  const stream = desk.page.waitForResponse('**/api/console/live')
  await desk.open('/payments')
  await stream
  const rows = desk.page.getByRole('table', { name: 'Payments' }).locator('tbody tr')
  await expect(rows).toHaveCount(1)
  const payment = await pay(10_000)
  await desk.click(desk.page.getByRole('button', { name: 'Show 1 new row' }))
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText(payment)
  expect(desk.clicks).toBe(1)
})

test('a viewer sees only masked values on every page', async ({ api, page, service }) => {
  const all = await pages(api)
  const { value } = await api.call<{ value: string }>('POST', '/team/keys', { scopes: ['read'] })
  const desk = new ConsoleDesk(page, service)
  const answers: string[] = []
  page.on('response', async response => {
    if (response.url().includes('/api/')) answers.push(await response.text().catch(() => ''))
  })
  await desk.refuseNewRows()
  await desk.signIn(value)
  for (const path of all) {
    await desk.open(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    const shown = await page.content()
    for (const [name, canary] of Object.entries({ ...personal, digits: personal.phone.slice(2), key: service.key })) {
      expect.soft(shown, `${path} shows ${name}`).not.toContain(canary)
      expect.soft(answers.join('\n'), `${path} receives ${name}`).not.toContain(canary)
    }
  }
  expect(answers.join('\n')).toContain('Corwin')
})

test('a page on another origin cannot show the console in a frame', async ({ page, service }) => {
  const server = createServer((_, response) => {
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(`<!doctype html><title>Other</title><iframe src="${service.consoleOrigin}/overview"></iframe>`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const framed = page.frameLocator('iframe')
  await page.goto(url)
  // The browser shows an error page in place of the blocked frame.
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
  await expect(framed.getByLabel('Secret key')).toHaveCount(0)

  // The headers block the frame. Without the headers, the same page shows the console.
  await page.route(`${service.consoleOrigin}/overview`, async route => {
    const response = await route.fetch()
    const { 'content-security-policy': _policy, 'x-frame-options': _options, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  await page.goto(url)
  await expect(framed.getByLabel('Secret key')).toBeVisible()
  server.closeAllConnections()
  server.close()
})

test('an operator signs in with a link, and sees that everything is healthy', async ({ api, page, service }) => {
  const { id } = await api.call<{ id: string }>('GET', '/team')
  await page.goto(await service.consoleLink(id))
  await page.getByRole('navigation').getByRole('link', { name: 'Health' }).first().click()
  await expect(page.locator('.answer')).toContainText('Everything is running normally.')
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByRole('region', { name: 'Ledger' })).toContainText('Agrees')
  await page.getByRole('navigation').getByRole('link', { name: 'Connections' }).first().click()
  await expect(page.locator('.answer')).toContainText('Nothing needs your attention.')
  await expect(page.getByRole('region', { name: 'Sandbox' })).toContainText('docs/sandbox.md')
  for (const [tab, text] of [
    ['Payees', 'No merchant has a confirmed payee.'],
    ['Notices', 'No bank has asked for other details'],
    ['Reconciliation', 'No comparison yet.'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Connections' }).getByRole('link', { name: tab }).click()
    await expect(page.getByRole('main')).toContainText(text)
  }
  expect(page.url()).not.toContain('clink_')
})

test('every page has no accessibility violation in either color scheme and fits on a phone screen', {
  tag: '@sweep',
}, async ({ api, desk }) => {
  await desk.refuseNewRows()
  for (const path of await pages(api)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await desk.page.emulateMedia({ colorScheme })
      await desk.page.setViewportSize({ width: 1280, height: 800 })
      await desk.open(path)
      await expect(desk.page.getByRole('heading', { level: 1 })).toBeVisible()
      await desk.page.waitForLoadState('networkidle')
      expect.soft(await violations(desk.page), `${path}, ${colorScheme}`).toEqual([])
    }
    await desk.page.setViewportSize({ width: 390, height: 844 })
    const wide = () =>
      desk.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect.soft(await wide(), `${path} is wider than a phone`).toBe(0)
  }
})
