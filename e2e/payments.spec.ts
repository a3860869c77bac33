import type { Demo } from './support/demo.js'
import { type Flow, headings } from './support/flow.js'
import { phones } from './support/people.js'
import { expect, test } from './support/test.js'

/** As a demo borrower, allocates a loan to two accounts and confirms the payments. */
async function confirmTwo(demo: Demo, flow: Flow, phone: string, accounts: [string, string]) {
  await demo.apply(phone, '7,000')
  await demo.linkAccounts()
  await flow.at(headings.shareAccounts)
  await flow.proveWhoIAm()
  await flow.at(/^Which accounts should .+ use/)
  await flow.choose(...accounts)
  await flow.goOn()
  await flow.at(headings.connected)
  await flow.press('Done')
  await demo.choosePayments()
  // The person linked every account that the loan can pay, so the split comes next.
  await flow.at(headings.split)
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  await demo.finish(flow)
  await demo.openCase()
}

test('a payment that the bank returns after three days is shown as returned; the other payment is unchanged', async ({
  demo,
  flow,
}) => {
  await confirmTwo(demo, flow, phones.paymentReturns, ['Chase Sapphire Reserve', 'Discover it'])
  await demo.release()
  await demo.letPass('One week passes')
  await demo.letPass('One week passes')
  await expect(demo.payment('Discover it')).toContainText(/revers/)
  await expect(demo.payment('Chase Sapphire Reserve')).toContainText('posted')
})

test("the lender's open page shows changes that the service reports, without a reload", async ({
  api,
  demo,
  flow,
  page,
}) => {
  await confirmTwo(demo, flow, phones.paymentReturns, ['Chase Sapphire Reserve', 'Discover it'])
  const session = await page.locator('code', { hasText: /^osess_/ }).textContent()
  const loaded = await page.evaluateHandle(() => document)
  await api.release(session!)
  await expect(demo.payment('Chase Sapphire Reserve')).toContainText('pending')
  await api.advance('P7D')
  await expect(demo.payment('Chase Sapphire Reserve')).toContainText('posted')
  expect(await page.evaluate(before => before === document, loaded)).toBe(true)
})

test('a payment that is refused at release is shown with the reason, and the other payment is made', async ({
  demo,
  flow,
}) => {
  await confirmTwo(demo, flow, phones.paymentRefused, ['Chase Sapphire Reserve', 'Citi Double Cash'])
  await demo.release()
  await expect(demo.payment('Citi Double Cash')).toContainText('not made')
  await expect(demo.payment('Citi Double Cash')).toContainText('PAYMENT_REFUSED_BY_RAIL')
  await expect(demo.payment('Chase Sapphire Reserve')).toContainText('pending')
})

test('a partly failed release is not shown as a success to the lender or the borrower, and the rest can be retried', async ({
  demo,
  flow,
  page,
}) => {
  await confirmTwo(demo, flow, phones.paymentRefused, ['Chase Sapphire Reserve', 'Citi Double Cash'])
  const application = page.url().replace('/operations/', '/applications/')
  await demo.release()
  await expect(page.getByText(/was not paid\.$/)).toBeVisible()
  await demo.payRest()
  await expect(page.getByRole('alert')).toContainText('was refused again. PAYMENT_REFUSED_BY_RAIL')
  await expect(demo.payment('Citi Double Cash')).toContainText('not made')
  await page.setViewportSize({ width: 390, height: 844 })
  const table = page.getByRole('region', { name: 'Allocations' }).last()
  expect(await table.evaluate(region => region.scrollWidth - region.clientWidth), 'is cut off on a phone').toBe(0)
  await page.goto(application)
  await expect(page.getByText(/not every payment went through/)).toBeVisible()
  await expect(page.getByText('Not made', { exact: true })).toBeVisible()
  await expect(page.getByText('On its way', { exact: true })).toBeVisible()
  await expect(page.getByText(/PAYMENT_REFUSED/)).toHaveCount(0)
})

test('the open final screen updates after a partly failed release and again after the rest is paid', async ({
  begin,
  flow,
  api,
}) => {
  const { session } = await begin(phones.allPayable, { loan_amount: 700_000, residual_amount_max: 700_000 })
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Chase Freedom Unlimited', 'LendingClub')
  await flow.goOn()
  await flow.at(headings.split)
  await flow.amount('Chase Freedom Unlimited').fill('1500')
  await flow.amount('LendingClub').fill('900')
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  // This funding account can't send more than $1,000 at a time.
  await api.release(session!, '1000000003')
  await expect(flow.say('Not made')).toBeVisible({ timeout: 20_000 })
  await flow.at('Not every payment went through')
  const { bt } = await api.session(session!)
  const [destination] = Object.entries(bt.payment_ids).find(([, id]) => id === null)!
  await api.call('POST', '/payments', {
    amount: bt.allocations[destination],
    source: await api.fundingAccount('123456789'),
    destination,
    description: 'Rest',
    metadata: { session_id: session },
  })
  await expect(flow.say('Not made')).toBeHidden({ timeout: 20_000 })
  await flow.at('Your payments are on their way')
})

for (const [outcome, phone, accounts, word] of [
  ['was not made', phones.paymentRefused, ['Chase Sapphire Reserve', 'Citi Double Cash'], 'Not made'],
  ['came back', phones.paymentReturns, ['Chase Sapphire Reserve', 'Discover it'], /^(Being sent back|Sent back)$/],
] as const)
  test(`a borrower who reopens the flow sees which payment ${outcome}`, async ({
    begin,
    flow,
    hostPage,
    page,
    api,
  }) => {
    const { session } = await begin(phone, { loan_amount: 700_000, residual_amount_max: 100_000 })
    await flow.at(headings.findAccounts)
    await flow.proveWhoIAm()
    await flow.at(headings.which)
    await flow.choose(...accounts)
    await flow.goOn()
    await flow.at(headings.split)
    await flow.press('Review payments')
    await flow.at(headings.check)
    await flow.press('Confirm payments')
    await flow.at(headings.confirmed)
    await flow.press('Done')
    await expect(page.getByRole('dialog')).toBeHidden()
    await api.release(session!)
    await api.advance('P14D')
    await hostPage.reopen('opal-balance-transfer-element')
    await flow.at('Not every payment went through')
    await expect(flow.say(word)).toBeVisible()
    await expect(flow.say('Paid')).toBeVisible()
  })
