import { Flow, headings } from './support/flow.js'
import { HostPage, startHost } from './support/host.js'
import { phones } from './support/people.js'
import { expect, test, usualLoan } from './support/test.js'

const transfer = 'opal-balance-transfer-element'

test('a token used on a second page is refused there, and the first page continues undisturbed', async ({
  api,
  host,
  hostPage,
  flow,
  browser,
}) => {
  const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
  await hostPage.open(host, { tag: transfer, token: () => token })
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.at(headings.code)

  const page = await browser.newPage()
  const second = new HostPage(page)
  await second.open(host, { tag: transfer, token: () => token })
  await expect
    .poll(() => second.heard.find(({ sub_type }) => sub_type === 'TOKEN_REQUIRED')?.['recoverable'])
    .toBe(true)
  expect(second.asked).toEqual(['initial', 'rejected'])
  await expect(new Flow(page).heading(/session/)).toBeVisible()
  await page.close()

  await flow.enterCode('123456')
  await flow.at(headings.which)
})

test('a second page that provides another token on request opens the same session', async ({
  api,
  host,
  hostPage,
  flow,
  browser,
}) => {
  const { token, session } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
  await hostPage.open(host, { tag: transfer, token: () => token })
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.at(headings.code)

  const page = await browser.newPage()
  const second = new HostPage(page)
  await second.open(host, {
    tag: transfer,
    token: reason => (reason === 'initial' ? token : api.resumeToken(session)),
  })
  await new Flow(page).at(headings.code)
  expect(second.asked).toEqual(['initial', 'rejected'])
  await page.close()
})

test('if a token expires before it is used, the element requests another, and the flow opens', async ({
  api,
  host,
  hostPage,
  flow,
}) => {
  const { token, session } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
  await api.advance('PT31M')
  await hostPage.open(host, {
    tag: transfer,
    token: reason => (reason === 'initial' ? token : api.resumeToken(session)),
  })
  await flow.at(headings.findAccounts)
  expect(hostPage.asked).toEqual(['initial', 'rejected'])
  await flow.agree()
  await flow.at(headings.code)
})

test('if a session expires while the person is away, the element requests a token and submits the input', async ({
  begin,
  flow,
  hostPage,
  api,
}) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.redeemed()
  await api.advance('PT31M')
  await flow.agree()
  await flow.at(headings.code)
  expect(hostPage.asked).toEqual(['initial', 'expired'])
})

for (const way of ['its button', 'Escape'] as const)
  test(`a session that no token can reopen ends as expired when closed with ${way}`, async ({
    api,
    host,
    hostPage,
    flow,
    page,
  }) => {
    const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
    await hostPage.open(host, { tag: transfer, token: () => token })
    await flow.at(headings.findAccounts)
    await flow.redeemed()
    await api.advance('PT31M')
    await flow.agree()
    await flow.at('Your session has ended')
    if (way === 'Escape') await page.keyboard.press('Escape')
    else await flow.press('Close')
    expect((await hostPage.hears('outcome'))['reason']).toBe('expired')
  })

for (const whose of ['token', 'team'] as const)
  test(`a page that is not on the ${whose}'s list shows nothing of the flow, and receives an error`, async ({
    service,
    api,
    hostPage,
    page,
  }) => {
    const [listed, foreign] = [await startHost(service), await startHost(service)]
    const allowed_origins = [listed.origin]
    if (whose === 'team') await api.call('PATCH', '/team', { allowed_origins })
    const more = whose === 'token' ? { allowed_origins } : {}
    const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan, more)
    await hostPage.open(foreign, { tag: transfer, token: () => token, timeout: 2_000 })
    expect((await hostPage.hears('element-error'))['sub_type']).toBe('FRAME_UNREACHABLE')
    await expect(page.getByRole('alert')).toContainText('This didn’t load')
    await expect(page.locator('iframe')).toBeHidden()
    for (const frame of page.frames().slice(1)) expect(await frame.locator('causeway-flow').count()).toBe(0)
    await Promise.all([listed.stop(), foreign.stop()])
  })

test('a page on the list can show the flow', async ({ service, api, hostPage, flow }) => {
  const listed = await startHost(service)
  const more = { allowed_origins: [listed.origin] }
  const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan, more)
  await hostPage.open(listed, { tag: transfer, token: () => token })
  await flow.at(headings.findAccounts)
  await listed.stop()
})

test('a token for the other element is refused with a message, and the page receives the reason', async ({
  api,
  host,
  hostPage,
  flow,
}) => {
  const token = await api.connectToken(await api.person(phones.allPayable))
  await hostPage.open(host, { tag: transfer, token: () => token })
  await flow.at('This page can’t be opened here')
  const error = await hostPage.hears('element-error')
  expect(error).toMatchObject({ sub_type: 'INVALID_MODE_CONFIG', recoverable: false })
  await flow.press('Close')
  expect((await hostPage.hears('outcome'))['reason']).toBe('error')
})

test('a person who leaves continues on another device at the same step, with their input preserved', async ({
  begin,
  flow,
  hostPage,
  host,
  api,
  browser,
}) => {
  const { session } = await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Citi Double Cash', 'Chase Freedom Unlimited')
  await flow.goOn()
  await flow.at(headings.split)
  await flow.amount('Citi Double Cash').fill('700.50')
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Close')
  expect((await hostPage.hears('outcome'))['reason']).toBe('user')

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const phone = new Flow(page)
  const token = await api.resumeToken(session)
  await new HostPage(page).open(host, { tag: transfer, token: () => token })
  await phone.at(headings.check)
  await expect(phone.frame.getByText('$700.50', { exact: true })).toBeVisible()
  await phone.press('Back')
  await phone.at(headings.split)
  await expect(phone.amount('Citi Double Cash')).toHaveValue('700.50')
  await context.close()
})

for (const [how, go] of [
  ['closes the flow', (flow: Flow) => flow.press('Close')],
  [
    'navigates to where the page removes the element',
    (flow: Flow) => flow.page.locator(transfer).evaluate(element => element.remove()),
  ],
] as const)
  test(`the customer's server sees that a person who ${how} before the end has left`, async ({ begin, flow, api }) => {
    // The first screen appears before the token is exchanged. If the flow closes before the exchange, the session never
    // starts.
    const exchanged = flow.page.waitForResponse(response => response.url().endsWith('/s/redeem'))
    const { session } = await begin(phones.allPayable)
    await flow.at(headings.findAccounts)
    await (await exchanged).finished()
    await go(flow)
    await expect.poll(() => api.session(session), { timeout: 10_000 }).toHaveProperty('exited_at')
  })
