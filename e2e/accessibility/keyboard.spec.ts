import type { Locator, Page } from '@playwright/test'
import { Flow, headings } from '../support/flow.js'
import { HostPage } from '../support/host.js'
import { phones } from '../support/people.js'
import { expect, test, usualLoan } from '../support/test.js'

/** Presses Tab until the element has focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  const focused = () => wanted.evaluate(element => element === element.ownerDocument.activeElement)
  for (let presses = 0; presses < 40; presses++) {
    if (await focused()) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The element did not get focus after 40 presses of Tab.')
}

test('a whole balance transfer can be completed with only the keyboard', async ({ begin, flow, hostPage, page }) => {
  const press = async (name: string | RegExp) => {
    await tabTo(page, flow.button(name))
    await page.keyboard.press('Enter')
  }
  const question = async (name: string | RegExp) => {
    await flow.at(name)
    // The new heading has focus, so screen readers read it aloud and Tab moves to the first control.
    await expect(flow.heading(name)).toBeFocused()
  }
  await begin(phones.mixed, { loan_amount: 500_000, minimum_payment: 2_500 })
  await flow.at(headings.findAccounts)
  await press('Agree and continue')
  // This screen's only field has focus, and a complete code is submitted automatically.
  await expect(flow.field('Six-digit code')).toBeFocused()
  await page.keyboard.type('123456')
  await question(headings.which)
  for (const name of [/Chase Sapphire Reserve/, /Capital One Venture/]) {
    await tabTo(page, flow.frame.getByRole('checkbox', { name }))
    await page.keyboard.press('Space')
  }
  await press(/^Continue with 2 accounts/)
  await question('What’s the number of your Capital One Venture?')
  await tabTo(page, flow.field('Card number'))
  await page.keyboard.type('4000 0000 0009 0342')
  await page.keyboard.press('Enter')
  await question(headings.split)
  await tabTo(page, flow.amount('Chase Sapphire Reserve'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('2000')
  await tabTo(page, flow.amount('Capital One Venture'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('3000')
  await press('Review payments')
  await question(headings.check)
  await press('Confirm payments')
  await question(headings.confirmed)
  await press('Done')
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await hostPage.hears('outcome')).toMatchObject({ reason: 'completed' })
  const { allocations } = await hostPage.hears('allocations-confirmed')
  expect(Object.values(allocations as object).sort()).toEqual([200_000, 300_000])
})

test('accounts can be linked with only the keyboard, and each question is read aloud when it appears', async ({
  api,
  flow,
  host,
  hostPage,
  page,
}) => {
  const press = async (name: string | RegExp) => {
    await tabTo(page, flow.button(name))
    await page.keyboard.press('Enter')
  }
  const question = async (name: string | RegExp) => {
    await flow.at(name)
    await expect(flow.heading(name)).toBeFocused()
  }
  const token = await api.connectToken(await api.person(phones.allPayable))
  await hostPage.open(host, { tag: 'connect-element', token: () => token })
  await flow.at(headings.shareAccounts)
  await press('Agree and continue')
  // This screen's only field has focus, and a complete code is submitted automatically.
  await expect(flow.field('Six-digit code')).toBeFocused()
  await page.keyboard.type('123456')
  await question(/^Which accounts should .+ use/)
  await tabTo(page, flow.frame.getByRole('checkbox').first())
  await page.keyboard.press('Space')
  const later = flow.frame.getByRole('checkbox', { name: 'Also share accounts that I open later', exact: true })
  await expect(later).not.toBeChecked()
  await expect(later).toHaveAccessibleDescription(/until you withdraw your permission there\.$/)
  await tabTo(page, later)
  await page.keyboard.press('Space')
  await expect(later).toBeChecked()
  await press(/^Continue with 1 account/)
  await question(headings.connected)
  await press('Done')
  expect(await hostPage.hears('outcome')).toMatchObject({ reason: 'completed' })
})

test('a person who is already verified splits a loan in at most twelve taps', async ({
  api,
  browser,
  flow: first,
  host,
  hostPage,
}) => {
  const entity = await api.person(phones.allPayable)
  const known = await api.opalToken('identity_verification', entity)
  await hostPage.open(host, { tag: 'connect-element', token: () => known })
  await first.at('Ready to confirm who you are?')
  await first.proveWhoIAm()
  await first.at('Your identity is verified')

  const { token } = await api.transferToken(entity, usualLoan)
  const page = await browser.newPage()
  const flow = new Flow(page)
  await new HostPage(page).open(host, { tag: 'opal-balance-transfer-element', token: () => token })
  let taps = 0
  const tap = async (target: Locator) => {
    taps += 1
    await target.click()
  }
  await flow.at(headings.findAccounts)
  await tap(flow.button('Agree and continue'))
  await flow.at(headings.which)
  for (const box of (await flow.frame.getByRole('checkbox').all()).slice(0, 3)) await tap(box)
  await tap(flow.button(/^Continue with/))
  await flow.at(headings.split)
  await tap(flow.button('Review payments'))
  await flow.at(headings.check)
  await tap(flow.button('Confirm payments'))
  await flow.at(headings.confirmed)
  await tap(flow.button('Done'))
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(taps).toBeLessThanOrEqual(12)
  await page.close()
})

test('keyboard focus never leaves an open modal, and closing the modal restores it', async ({
  begin,
  flow,
  hostPage,
  page,
}) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.press('Close')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Start' }).focus()
  await hostPage.reopen('opal-balance-transfer-element')
  await flow.at(headings.findAccounts)
  const start = page.getByRole('button', { name: 'Start', includeHidden: true })
  for (let presses = 0; presses < 15; presses++) {
    await page.keyboard.press('Tab')
    await expect(start).not.toBeFocused()
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(start).toBeFocused()
})
