/** The demo lender's pages, from the form to the payments (some of which fail), and a receipt on a hosted page. */
import type { BrowserContext, Page } from '@playwright/test'
import type { Api } from './api.js'
import type { Demo } from './demo.js'
import { Flow, headings } from './flow.js'
import { phones } from './people.js'

interface DemoStage {
  demo: Demo
  flow: Flow
  page: Page
  context: BrowserContext
  api: Api
}

/** @param see receives the name of each screen, and the page that shows it if that is not the test's page */
type DemoScene = (stage: DemoStage, see: (name: string, where?: Page) => Promise<void>) => Promise<void>

const lending: DemoScene = async ({ demo, flow, page }, see) => {
  await page.goto(demo.origin)
  await see('demo-home')
  await demo.apply(phones.allPayable)
  await see('demo-applied')
  await demo.linkAccounts()
  await flow.at(headings.shareAccounts)
  await flow.proveWhoIAm()
  await flow.at(/^Which accounts should .+ use/)
  await flow.choose('Chase Freedom Unlimited', 'LendingClub')
  await flow.goOn()
  await flow.at(headings.connected)
  await flow.press('Done')
  await page.getByRole('button', { name: 'Choose the payments' }).waitFor()
  await see('demo-linked')
  await demo.choosePayments()
  await flow.at(headings.which)
  await see('demo-inline-selection')
  await flow.press(/^Continue with 2 accounts/)
  await flow.at(headings.split)
  await see('demo-inline-allocation')
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  await demo.finish(flow)
  await page.getByText('Not used for payoffs').waitFor()
  await see('demo-confirmed')
  await demo.openCase()
  await see('demo-case')
  await page.getByRole('button', { name: 'Release the loan' }).click()
  await see('demo-case-release')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await demo.release()
  await demo.letPass('One week passes')
  await see('demo-case-posted')
  await page.getByRole('link', { name: 'Applications' }).click()
  await see('demo-cases')
}

const partlyFailing: DemoScene = async ({ api, demo, flow, page, context }, see) => {
  await demo.apply(phones.paymentRefused, '7,000')
  await demo.linkAccounts()
  await flow.at(headings.shareAccounts)
  await flow.proveWhoIAm()
  await flow.at(/^Which accounts should .+ use/)
  await flow.choose('Chase Sapphire Reserve', 'Citi Double Cash')
  await flow.goOn()
  await flow.at(headings.connected)
  await flow.press('Done')
  await demo.choosePayments()
  await flow.at(headings.split)
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  await demo.finish(flow)
  const application = page.url()
  await demo.openCase()
  const session = await page.locator('code', { hasText: /^osess_/ }).textContent()
  await demo.release()
  await see('partly-case')
  await demo.payRest()
  await see('partly-case-refused-again')
  await page.goto(application)
  await see('partly-borrower')
  await api.call('PATCH', '/team', { allowed_origins: [demo.origin] })
  const { hosted_url } = await api.call<{ hosted_url: string }>('POST', '/elements/token', {
    type: 'balance_transfer',
    session_id: session,
    redirect_url: `${demo.origin}/`,
  })
  await page.goto(hosted_url)
  const hosted = new Flow(page, null)
  await hosted.begin()
  // If the person has not used this browser before, the page shows the payments only after they enter a code.
  await hosted.at(headings.phone)
  await hosted.press('Text me a code')
  await hosted.enterCode('123456')
  await hosted.at('Not every payment went through')
  await see('partly-hosted')
  const opened = context.waitForEvent('page')
  await hosted.press('Save or print a copy')
  const copy = await opened
  await copy.getByRole('heading', { level: 1, name: 'Not every payment went through' }).waitFor()
  await see('partly-receipt', copy)
}

export const demoScenes: Record<string, DemoScene> = {
  'the lender’s pages': lending,
  'a partly failed release': partlyFailing,
}
