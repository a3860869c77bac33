/** Journeys without the sandbox: codes by Twilio, accounts that a person links at Plaid, payments by Increase. */
import { Api } from '../../../e2e/support/api.js'
import { headings } from '../../../e2e/support/headings.js'
import { apply, confirmPayments, expectEqual, release, waitUntil } from './journeys.mjs'

const PHONE = '+15125550142'
/** A card number with a correct check digit that ends in the digits of the emulated card. */
const CARD = '4111111111193333'

/** Agrees, and proves the phone and the identity. @param flow the frame, or the hosted page */
async function prove(flow, codeOf) {
  await flow.at(headings.shareAccounts)
  await flow.press('Agree and continue')
  await flow.at(headings.code)
  await flow.fill(/^Six-digit code/, await codeOf(PHONE))
  await flow.at(headings.details)
  await flow.fill('Month', '03')
  await flow.fill('Day', '11')
  await flow.fill('Year', '1980')
  await flow.press('Continue')
  await flow.at(headings.linkAccounts)
}

/** Opens the flow, and proves the phone and the identity, until the person can link institutions. */
async function arrive({ page: lender, flow, codeOf }) {
  await apply({ page: lender }, PHONE)
  await lender.press('Link my accounts')
  await prove(flow, codeOf)
}

/** Does what a person does on Plaid's page. */
async function signIn(plaid, institution, user) {
  await plaid.at('Choose your institution')
  await plaid.press(institution)
  await plaid.at(`Sign in to ${institution}`)
  if (user) await plaid.fill(/^Username/, user)
  await plaid.press('Sign in')
  await plaid.at(`Share accounts at ${institution}`)
  await plaid.press('Agree and continue')
}

/** Opens Plaid's page in its own window, and links an institution there. The window closes when the person is done. */
async function linkInWindow({ page, flow, driver }, institution, label, role) {
  await flow.press(label, role)
  await driver.enterWindow()
  await signIn(page, institution)
  await driver.leaveWindow()
  await flow.at(headings.linkedInstitutions)
  await flow.sees({ text: institution })
}

/** Verifies the lender's own account with two deposits, which the emulated bank made. */
async function verifyFunding(api, transfers) {
  const { data } = await api.call('GET', '/accounts?type=ach')
  const path = `/accounts/${data[0].id}/verification_sessions`
  const { id } = await api.call('POST', path, { type: 'micro_deposits' })
  const deposits = await waitUntil(
    async () => (await transfers()).length === 2 && transfers(),
    'The bank did not get the two deposits.',
  )
  await api.call('PUT', `${path}/${id}`, { micro_deposits: { amounts: deposits.map(({ amount }) => amount) } })
}

export const linkingJourneys = {
  async 'a person links two institutions, types a card number, and the loan pays both, without the sandbox'(person) {
    const { page: lender, flow, service, transfers } = person
    await arrive(person)
    await linkInWindow(person, 'Harbor Credit Union', /^Continue to Plaid/, 'link')
    await linkInWindow(person, 'Lakeside Loans', /^Connect another one/, 'link')
    await flow.press('Continue')
    await flow.at(/^Which accounts should .+ use/)
    await flow.choose('Harbor Platinum', 'Student loan')
    await flow.press(/^Continue with/)
    await flow.at(headings.connected)
    await flow.press('Done')
    await lender.press('Choose the payments')
    await flow.at(headings.which)
    await flow.press(/^Continue with 2 accounts/)
    await flow.at(/^What’s the number of your/)
    await flow.fill(/^Card number/, CARD)
    await flow.press('Check this number')
    await flow.at('Split your $10,000 loan')
    await confirmPayments(flow)
    const api = new Api(service)
    await verifyFunding(api, transfers)
    await release(lender)
    const sent = await waitUntil(
      async () => (await transfers()).length === 4 && transfers(),
      'The bank did not get both payments.',
    )
    // Two of them are the deposits.
    const types = sent.map(({ type }) => type).sort()
    expectEqual(types, ['ach_transfer', 'ach_transfer', 'ach_transfer', 'check_transfer'], 'transfers')
    const { data } = await api.call('GET', '/payments')
    expectEqual(
      data.reduce((sum, { amount }) => sum + amount, 0),
      1_000_000,
      'the sum of the payments',
    )
  },

  async 'a person whose browser blocks windows links an institution in a tab'(person) {
    const { page, flow, driver } = person
    await arrive(person)
    await driver.blockWindows()
    await flow.press(/^Continue to Plaid/, 'link')
    await driver.enterWindow()
    await signIn(page, 'Harbor Credit Union')
    await driver.leaveWindow()
    await flow.at(headings.linkedInstitutions)
  },

  async 'a person closes the window, loads the page again, and links an institution of which one account is left out'(
    person,
  ) {
    const { page, flow, driver } = person
    await arrive(person)
    await flow.press(/^Continue to Plaid/, 'link')
    await driver.enterWindow()
    await page.at('Choose your institution')
    await driver.leaveWindow(true)
    await flow.at(headings.linkWaiting)
    await driver.reload()
    await page.press('Link my accounts')
    await flow.at(headings.linkWaiting)
    await flow.press(/^Open the page again/, 'link')
    await driver.enterWindow()
    await signIn(page, 'Harbor Credit Union', 'user_other_name')
    await driver.leaveWindow()
    await flow.sees({ text: /^We left out an account that isn’t in the name of/ })
  },

  async 'a person on a hosted page links an institution in the same tab'({ page, service, driver, codeOf }) {
    const api = new Api(service)
    const entity = await api.call('POST', '/entities', {
      type: 'individual',
      individual: { first_name: 'Ana', last_name: 'Rivera', phone: PHONE },
    })
    const { data } = await api.call('POST', '/opal/token', {
      mode: 'connect',
      entity_id: entity.id,
      connect: {},
      redirect_url: 'http://127.0.0.1:4300/back',
    })
    await driver.open(data.hosted_url)
    await page.press('Begin')
    await prove(page, codeOf)
    await page.press(/^Continue to Plaid/, 'link')
    await signIn(page, 'Harbor Credit Union')
    await page.at(headings.linkedInstitutions)
    await page.press('Continue')
    await page.at(/^Share these accounts with/)
  },
}
