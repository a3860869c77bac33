import { headings } from './support/flow.js'
import { phones } from './support/people.js'
import { expect, test, usualLoan } from './support/test.js'

test('a new person links four of their five accounts from the lender’s page, in a modal', async ({
  demo,
  flow,
  page,
}) => {
  await demo.apply(phones.mixed)
  await demo.linkAccounts()
  await expect(page.getByRole('dialog')).toBeVisible()
  await flow.at(headings.shareAccounts)
  await flow.proveWhoIAm()
  await flow.at(/^Which accounts should .+ use/)
  // The lender sees only the chosen accounts, and the loan must pay at least $8,500 to them.
  await expect(flow.frame.getByRole('checkbox', { name: /\$/ })).toHaveCount(5)
  await flow.choose('Chase Sapphire Reserve', 'Capital One Venture', 'Upstart personal loan', 'FedLoan')
  await flow.goOn()
  await flow.at(headings.connected)
  await expect(flow.say('You chose 4 accounts')).toBeVisible()
  // The page reloads, which would discard a click, so it must offer no button until then.
  await page.evaluate(() =>
    addEventListener('pagehide', () => {
      const button = document.querySelector<HTMLButtonElement>('[data-open]')
      sessionStorage.setItem('offered', String(button?.disabled === false))
    }),
  )
  await flow.press('Done')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(demo.step('Link your accounts')).toContainText('Done')
  await expect(demo.step('Link your accounts').getByRole('listitem')).toHaveCount(4)
  await expect(demo.step('Link your accounts')).not.toContainText('American Express')
  await expect(page.getByRole('button', { name: 'Choose the payments' })).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('offered'))).toBe('false')
})

test('a returning person splits the loan inline, the lender releases it, and the payments post days later', async ({
  demo,
  flow,
  page,
}) => {
  await demo.apply(phones.allPayable)
  await demo.linkAccounts()
  await flow.at(headings.shareAccounts)
  await flow.proveWhoIAm()
  await flow.at(/^Which accounts should .+ use/)
  await flow.choose('Chase Freedom Unlimited', 'LendingClub')
  await flow.goOn()
  await flow.at(headings.connected)
  await flow.press('Done')

  await demo.choosePayments()
  await expect(page.getByRole('dialog')).toBeHidden()
  // The person has agreed to everything. The phone number was verified a moment ago, and the linked accounts are already chosen.
  await flow.at(headings.which)
  await flow.press(/^Continue with 2 accounts/)
  await flow.at('Split your $10,000 loan')
  await expect(flow.amount('LendingClub personal loan')).toHaveValue('5,879.45')
  await expect(flow.amount('Chase Freedom Unlimited')).toHaveValue('4,120.55')
  await flow.amount('Chase Freedom Unlimited').fill('3500')
  await flow.press('Review payments')
  await flow.at(headings.check)
  await expect(flow.frame.getByText('$3,500.00', { exact: true })).toBeVisible()
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  await demo.finish(flow)

  await expect(demo.step('Choose what the loan pays')).toContainText('$5,879.45')
  await expect(demo.step('Choose what the loan pays')).toContainText('Not used for payoffs$620.55')
  await demo.openCase()
  await demo.release()
  await expect(demo.payment('LendingClub')).toContainText('pending')
  await demo.letPass('One week passes')
  await expect(demo.payment('LendingClub')).toContainText('posted')
  await expect(demo.payment('Chase Freedom Unlimited')).toContainText('posted')
})

test('a person links accounts and splits the loan in one element, if the token has the terms', async ({
  api,
  host,
  hostPage,
  flow,
}) => {
  const { element_token, session_id } = await api.call<{ element_token: string; session_id: string }>(
    'POST',
    '/elements/token',
    {
      type: 'connect',
      entity_id: await api.person(phones.allPayable),
      connect: { products: ['balance'], balance_transfer: usualLoan },
    },
  )
  await hostPage.open(host, { tag: 'connect-element', token: () => element_token })
  await flow.at(headings.shareAccounts)
  await flow.proveWhoIAm()
  await flow.at(/^Which accounts should .+ use/)
  await flow.press('Select all')
  await flow.goOn()
  expect((await hostPage.hears('element-success'))['accounts']).toHaveLength(4)
  await flow.at(headings.split)
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  expect(await hostPage.hears('allocations-confirmed')).toMatchObject({ session_id })
  expect((await api.session(session_id)).bt.completed).toBe(true)
})

test("the person can change the amounts until the release, and the lender's page shows the new amounts", async ({
  begin,
  flow,
  hostPage,
  api,
}) => {
  const { session } = await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Citi Double Cash', 'Chase Freedom Unlimited')
  await flow.goOn()
  await flow.at(headings.split)
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  await flow.press('Change amounts')
  await flow.at(headings.split)
  await flow.amount('Citi Double Cash').fill('500')
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  const { allocations, residual_amount } = await hostPage.hears('allocations-confirmed')
  expect(Object.values(allocations as Record<string, number>).sort()).toEqual([412_055, 50_000].sort())
  expect(residual_amount).toBe(500_000 - 412_055 - 50_000)
  expect((await api.session(session)).bt.allocations).toEqual(allocations)
})
