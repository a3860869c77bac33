import { headings } from './support/flow.js'
import { phones } from './support/people.js'
import { servePage } from './support/serve-page.js'
import { expect, test } from './support/test.js'

test('Escape asks the person, then the page; if the page keeps the flow open, the input stays', async ({
  begin,
  flow,
  hostPage,
  page,
}) => {
  await begin(phones.allPayable, undefined, { keepOpen: true })
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.at(headings.code)
  await flow.field('Six-digit code').fill('1234')
  await page.keyboard.press('Escape')
  const leaving = flow.frame.getByRole('dialog', { name: 'Leave without finishing?' })
  await leaving.getByRole('button', { name: 'Leave', exact: true }).click()
  expect((await hostPage.hears('element-exit'))['reason']).toBe('user')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(flow.field('Six-digit code')).toHaveValue('1234')
})

test("a close request to the host's dialog asks before it discards input, like the flow's own button", async ({
  begin,
  flow,
  hostPage,
  page,
}) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.at(headings.code)
  await flow.field('Six-digit code').fill('1234')
  const close = () =>
    page
      .getByRole('dialog')
      .first()
      .evaluate(dialog => (dialog as HTMLDialogElement).requestClose())
  const leaving = flow.frame.getByRole('dialog', { name: 'Leave without finishing?' })
  await close()
  await leaving.getByRole('button', { name: 'Stay here' }).click()
  await expect(flow.field('Six-digit code')).toHaveValue('1234')
  await close()
  await leaving.getByRole('button', { name: 'Leave', exact: true }).click()
  expect((await hostPage.hears('outcome'))['reason']).toBe('user')
})

test("the browser's Back button goes back one step in the flow, and leaves the page only after the flow closes", async ({
  begin,
  flow,
  hostPage,
  page,
}) => {
  await begin(phones.allPayable)
  const { origin } = new URL(page.url())
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Citi Double Cash', 'LendingClub')
  await flow.goOn()
  await flow.at(headings.split)
  await flow.press('Review payments')
  await flow.at(headings.check)
  const goBack = () => page.evaluate(() => history.back())
  await goBack()
  await flow.at(headings.split)
  await goBack()
  await flow.at(headings.which)
  await expect(flow.frame.getByRole('checkbox', { name: /LendingClub/ })).toBeChecked()
  // There is no step to go back to, because the credit file has already been read.
  await goBack()
  const leaving = flow.frame.getByRole('dialog', { name: 'Leave without finishing?' })
  await leaving.getByRole('button', { name: 'Stay here' }).click()
  await flow.press('Close')
  expect((await hostPage.hears('outcome'))['reason']).toBe('user')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.goBack()
  expect(new URL(page.url()).origin).not.toBe(origin)
})

test('closing ends a modal and sends the reason to the page', async ({ begin, flow, hostPage, page }) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.press('Close')
  expect((await hostPage.hears('outcome'))['reason']).toBe('user')
  await expect(page.getByRole('dialog')).toBeHidden()
  expect((await hostPage.hears('element-exit'))['reason']).toBe('user')
})

test('going back preserves the selection and the amounts', async ({ begin, flow }) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Citi Double Cash', 'LendingClub')
  await flow.goOn()
  await flow.at(headings.split)
  await flow.amount('Citi Double Cash').fill('800')
  await flow.amount('LendingClub').fill('4000')
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Back')
  await flow.at(headings.split)
  await expect(flow.amount('Citi Double Cash')).toHaveValue('800.00')
  await flow.press('Back')
  await flow.at(headings.which)
  await expect(flow.frame.getByRole('checkbox', { name: /Citi Double Cash/ })).toBeChecked()
  await expect(flow.frame.getByRole('checkbox', { name: /LendingClub/ })).toBeChecked()
})

for (const display of ['modal', 'inline'] as const)
  test(`under a policy with no “unsafe” source, the ${display} flow works and nothing is blocked`, async ({
    begin,
    flow,
    hostPage,
    page,
  }) => {
    await begin(phones.allPayable, undefined, { display })
    await flow.at(headings.findAccounts)
    await flow.proveWhoIAm()
    await flow.at(headings.which)
    await flow.choose('Citi Double Cash', 'LendingClub')
    await flow.goOn()
    await flow.at(headings.split)
    await expect(page.getByRole('dialog')).toBeVisible({ visible: display === 'modal' })
    if (display === 'inline') {
      // The frame must be as tall as its content.
      const inner = page.frames()[1]!
      await expect
        .poll(() => inner.evaluate(() => document.documentElement.scrollHeight - innerHeight))
        .toBeLessThanOrEqual(0)
    }
    expect(hostPage.refused).toEqual([])
    expect(hostPage.types()).toContain('element-ready')
  })

test("the frame shows the customer's logo, and the browser requests it from no other host", async ({
  api,
  begin,
  flow,
  page,
  service,
}) => {
  const square = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><rect width="32" height="32"/></svg>'
  const brand = await servePage(square, { 'content-type': 'image/svg+xml' })
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).origin))
  await api.call('PATCH', '/team', { brand: { logo: `${brand.origin}/logo.svg` } })
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  const logo = flow.frame.locator('img.brand-mark')
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(32)
  expect(asked).toContain(service.frameOrigin)
  expect(asked).not.toContain(brand.origin)
  await brand.stop()
})

test('the page receives only ids and numbers, and no personal data', async ({ begin, flow, hostPage, page }) => {
  const addresses: string[] = []
  page.on('request', request => addresses.push(request.url()))
  await begin(phones.birthdayAddressDigits)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.details)
  await flow.aboutMe({ street: '77 Quarry Hollow', digits: '4321' })
  await flow.at(headings.which)
  await flow.choose('Capital One Venture', 'Citi Double Cash')
  await flow.goOn()
  await flow.at(headings.split)
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  await flow.press('Done')
  expect((await hostPage.hears('outcome'))['reason']).toBe('completed')
  const told = JSON.stringify(hostPage.heard) + addresses.join(' ')
  for (const secret of ['Rivera', '5550103', '1980', 'Quarry', '78701', '4321', '123456', '9284'])
    expect(told).not.toContain(secret)
})
