import { headings } from './support/flow.js'
import { phones } from './support/people.js'
import { expect, test } from './support/test.js'

test('after the service is killed and restarted, the person retries and continues at the same step', async ({
  begin,
  flow,
  service,
}) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.at(headings.code)
  await service.kill()
  await flow.enterCode('123456')
  await expect(flow.alert()).toContainText('What you entered is still here.')
  await expect(flow.field('Six-digit code')).toHaveValue('123456')
  await service.start()
  await flow.press('Continue')
  await flow.at(headings.which)
})

test('input on a device that goes offline is kept, and submitted when the device is back online', async ({
  begin,
  flow,
  context,
}) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Citi Double Cash', 'LendingClub')
  await context.setOffline(true)
  await flow.goOn()
  await expect(flow.alert()).toContainText(/You’re offline\..* What you entered is still here\./)
  await expect(flow.button('Try again')).toHaveCount(0)
  await expect(flow.frame.getByRole('checkbox', { name: /Citi Double Cash/ })).toBeChecked()
  await context.setOffline(false)
  await flow.at(headings.split)
})

test('a request whose response is lost can be retried without a second effect', async ({ begin, flow, page }) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  let sent = 0
  await page.route('**/s/steps/consent', async route => {
    sent += 1
    if (sent > 1) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await flow.agree()
  await expect(flow.alert()).toContainText('That didn’t reach us.')
  await flow.agree()
  await flow.at(headings.code)
  expect(sent).toBe(2)
})

test('on a slow network, a second press has no effect, and the button shows progress', async ({
  begin,
  flow,
  page,
}) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  let open = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  let sent = 0
  await page.route('**/s/steps/consent', async route => {
    sent += 1
    await gate
    await route.continue()
  })
  await flow.agree()
  const busy = flow.button('Working…')
  await expect(busy).toHaveAttribute('aria-busy', 'true')
  await busy.click()
  await busy.click()
  open()
  await flow.at(headings.code)
  expect(sent).toBe(1)
})

test('a part of the flow that fails to load can be retried', async ({ begin, flow, context }) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await context.route('**/assets/**', route => route.abort())
  await flow.agree()
  await flow.at('We couldn’t open your session')
  await context.unroute('**/assets/**')
  await flow.press('Try again')
  await flow.at(headings.code)
})
