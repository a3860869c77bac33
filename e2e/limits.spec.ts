import { headings } from './support/flow.js'
import { phones } from './support/people.js'
import { expect, test } from './support/test.js'

test('terms that no selection can meet are reported before the person enters anything, and a smaller loan works', async ({
  begin,
  flow,
  hostPage,
  api,
}) => {
  const terms = { loan_amount: 100_000, residual_amount_max: 0 }
  const { session } = await begin(phones.smallDebts, terms)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at('Your balances are too low for this loan')
  await expect(flow.say(/can take \$599\.50, but at least \$1,000 of this loan/)).toBeVisible()
  await expect(flow.say(/^Ask for a \$599\.50 loan/)).toBeVisible()
  await flow.button(/^Return to/).click()
  expect((await hostPage.hears('outcome'))['reason']).toBe('error')

  await api.call('POST', '/elements/token', {
    type: 'balance_transfer',
    session_id: session,
    balance_transfer: { loan_amount: 59_950, residual_amount_max: 0 },
  })
  await hostPage.reopen('opal-balance-transfer-element')
  await flow.at(headings.which)
  await flow.choose('Discover it', 'Chase Freedom Unlimited')
  await flow.goOn()
  await flow.at(headings.split)
})

test('a selection that is too small for the terms is reported immediately, with the missing amount', async ({
  begin,
  flow,
}) => {
  await begin(phones.allPayable, { loan_amount: 1_000_000, residual_amount_max: 0 })
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Citi Double Cash')
  await expect(flow.say('Choose accounts that can take $7,315.70 more.')).toBeVisible()
  await flow.goOn()
  await flow.at(headings.which)
  await flow.choose('Capital One Auto Loan')
  await flow.goOn()
  await flow.at(headings.split)
})

test('amounts that break the rules are explained under their fields, and all input is kept', async ({
  begin,
  flow,
}) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Citi Double Cash', 'LendingClub')
  await flow.goOn()
  await flow.at(headings.split)
  const citi = flow.amount('Citi Double Cash')
  await citi.fill('3,000.00')
  await expect(flow.say('That’s $315.70 more than you owe. Enter up to $2,684.30.')).toBeVisible()
  await flow.press('Review payments')
  await flow.at(headings.split)
  await expect(citi).toHaveValue('3,000.00')
  await citi.fill('12')
  await flow.press('Review payments')
  await expect(flow.say('Enter at least $25.00, or 0 to skip this account.')).toBeVisible()
  await citi.fill('$1,000')
  await flow.amount('LendingClub').fill('4500')
  await expect(flow.say(/over your \$5,000 loan/)).toBeVisible()
  await flow.amount('LendingClub').fill('4000')
  await flow.press('Review payments')
  await flow.at(headings.check)
})

test('no amount is cut off, however narrow the phone', async ({ begin, flow, page }) => {
  await begin(phones.allPayable, { loan_amount: 2_000_000 })
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Capital One Auto Loan', 'LendingClub')
  await flow.goOn()
  await flow.at(headings.split)
  const amount = flow.amount('Capital One Auto Loan')
  await expect(amount).toHaveValue('11,800.75')
  for (const width of [320, 360, 375, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expect
      .poll(() => amount.evaluate(input => input.scrollWidth - input.clientWidth), { message: `${width} px wide` })
      .toBeLessThanOrEqual(0)
  }
})

test('an account whose number is refused stays in the list with the reason, and the other accounts continue', async ({
  begin,
  flow,
}) => {
  await begin(phones.numberRefused, { loan_amount: 250_000, minimum_payment: 2_500 })
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await expect(flow.say('Account number needed')).toBeVisible()
  await flow.choose('Capital One Venture', 'Upstart personal loan')
  await flow.goOn()
  await flow.at('What’s the number of your Capital One Venture?')
  for (const left of ['4 tries', '3 tries', '2 tries', '1 try']) {
    await flow.field('Card number').fill('4000 0000 0002 8045')
    await flow.press('Check this number')
    await expect(flow.say(new RegExp(`didn’t recognize that number. You have ${left} left`))).toBeVisible()
  }
  await flow.field('Card number').fill('4000 0000 0002 8045')
  await flow.press('Check this number')
  await flow.at(headings.split)
  await expect(flow.leftOut('Capital One Venture')).toContainText('The account number didn’t match')
  await expect(flow.amount('Upstart personal loan')).toHaveValue('2,500.00')
})

test('an account whose number is missing can be skipped, and the list shows that it was skipped', async ({
  begin,
  flow,
}) => {
  await begin(phones.mixed, { loan_amount: 300_000, minimum_payment: 2_500 })
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Capital One Venture', 'Chase Sapphire Reserve')
  await flow.goOn()
  await flow.at('What’s the number of your Capital One Venture?')
  await flow.press('Skip this account')
  await flow.at(headings.split)
  await expect(flow.leftOut('Capital One Venture')).not.toContainText('can’t share')
  await expect(flow.leftOut('Capital One Venture')).toContainText(/skipped/i)
})

test('a number with the wrong last digits is questioned once; the correct number is accepted with dashes', async ({
  begin,
  flow,
}) => {
  await begin(phones.mixed, { loan_amount: 300_000, minimum_payment: 2_500 })
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Capital One Venture')
  await flow.goOn()
  await flow.at('What’s the number of your Capital One Venture?')
  await flow.field('Card number').fill('4000 0000 0009 9999')
  await flow.press('Check this number')
  await expect(flow.say('That number doesn’t end in 0342.')).toBeVisible()
  await flow.field('Card number').fill('4000-0000-0009-0342')
  await flow.press('Check this number')
  await flow.at(headings.split)
})

for (const [outcome, phone, title, help] of [
  [
    'without any account',
    phones.noAccounts,
    'We didn’t find any accounts',
    'to check the name, date of birth and address',
  ],
  ['with a thin file', phones.thinFile, 'You don’t have enough credit history yet', 'isn’t a mark against you'],
  ['with a frozen file', phones.frozenFile, 'Your credit file is frozen', 'Lift the freeze'],
] as const)
  test(`a person ${outcome} sees why the flow can't continue and what helps`, async ({ begin, flow }) => {
    await begin(phone)
    await flow.at(headings.findAccounts)
    await flow.proveWhoIAm()
    await flow.at(title)
    await expect(flow.say(help)).toBeVisible()
  })

test('a person without any account enters a card, and the loan pays it', async ({ begin, flow }) => {
  await begin(phones.noAccounts, { loan_amount: 100_000, minimum_payment: 2_500, residual_amount_max: 100_000 })
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at('We didn’t find any accounts')
  await flow.press('Enter a card')
  await flow.at('Enter your card')
  await flow.field('Card issuer').selectOption({ label: 'Chase Credit Card' })
  await flow.field('Card number').fill('4936 4944 6240 8721')
  await flow.field('Expires').fill('03/28')
  await flow.field('Security code').fill('111')
  await flow.field('Billing ZIP code').fill('78758')
  await flow.press('Check this card')
  await expect(flow.say('That code doesn’t match the card. You have 4 tries left.')).toBeVisible()
  await flow.field('Security code').fill('878')
  await flow.press('Check this card')
  await flow.at(headings.which)
  await flow.choose('Chase Sapphire Reserve')
  await flow.goOn()
  await flow.at(headings.split)
  await expect(flow.amount('Chase Sapphire Reserve')).toHaveValue('1,000.00')
})

test('slow lenders are named while the person waits, and an account with an unknown balance can still be chosen', async ({
  begin,
  flow,
}) => {
  await begin(phones.slow)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.finding)
  await expect(flow.say('Asking the credit bureau')).toBeVisible()
  await expect(flow.say(/^Asking .*Citi/)).toBeVisible({ timeout: 8_000 })
  await expect(flow.heading(headings.which)).toBeVisible({ timeout: 12_000 })
  await expect(flow.frame.getByRole('checkbox', { name: /Citi Double Cash/ })).toBeEnabled()
  await expect(flow.say('Balance unknown')).toBeVisible()
})
