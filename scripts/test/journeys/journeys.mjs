/** The main journeys on the demo lender's pages. `page` is the lender's page, and `flow` is the frame in it. */
import { headings } from '../../../e2e/support/headings.js'
import { phones } from '../../../e2e/support/people.js'

async function apply({ page: lender }, phone) {
  await lender.fill('First name', 'Ana')
  await lender.fill('Last name', 'Rivera')
  await lender.fill(/^Mobile phone/, phone)
  await lender.fill(/^Loan amount/, '10000')
  await lender.press('Continue')
  await lender.at(/loan is ready$/)
}

async function link({ page: lender, flow, codeOf = async () => '123456' }, phone) {
  await lender.press('Link my accounts')
  await lender.sees({ role: 'dialog' })
  await flow.at(headings.shareAccounts)
  await flow.press('Agree and continue')
  await flow.at(headings.phone)
  await flow.press('Text me a code')
  await flow.at(headings.code)
  await flow.fill(/^Six-digit code/, await codeOf(phone))
  await flow.at(/^Which accounts should .+ use/)
}

export const journeys = {
  async 'a new person links accounts, in a modal'(person) {
    const { page: lender, flow } = person
    await apply(person, phones.mixed)
    await link(person, phones.mixed)
    await flow.choose('Chase Sapphire Reserve', 'Upstart personal loan')
    await flow.press(/^Continue with/)
    await flow.at(headings.connected)
    await flow.sees({ text: /You chose 2 accounts/ })
    await flow.press('Done')
    await lender.misses({ role: 'dialog' })
    await lender.sees({ role: 'listitem', name: /Link your accounts.*Done/ })
    await lender.sees({ role: 'button', name: 'Choose the payments' })
  },

  async 'a returning person splits the loan inline and confirms the payments'(person) {
    const { page: lender, flow } = person
    await apply(person, phones.allPayable)
    await link(person, phones.allPayable)
    await flow.press('Select all')
    await flow.press(/^Continue with/)
    await flow.at(headings.connected)
    await flow.press('Done')
    await lender.press('Choose the payments')
    await flow.at(headings.findAccounts)
    await flow.press('Agree and continue')
    // The phone was just verified, so the selection screen comes next.
    await flow.at(headings.which)
    await flow.choose('Chase Freedom Unlimited', 'LendingClub')
    await flow.press(/^Continue with/)
    await flow.at('Split your $10,000 loan')
    await flow.sees({ label: /^Amount for LendingClub personal loan/, value: '5,879.45' })
    await flow.fill(/^Amount for Chase Freedom Unlimited/, '3500')
    await flow.press('Review payments')
    await flow.at(headings.check)
    await flow.sees({ text: '$3,500.00' })
    await flow.press('Confirm payments')
    await flow.at(headings.confirmed)
    await lender.sees({ text: /^We have your choice/ })
    await flow.press('Done')
    await lender.misses({ css: 'iframe' })
    await lender.sees({
      role: 'listitem',
      name: /Choose what the loan pays.*\$5,879\.45.*\$3,500\.00.*Not used for payoffs ?\$620\.55/,
    })
  },
}

/** Journeys in which providers text the codes and pay, each against its emulator. */
export const providerJourneys = {
  async 'a loan is split and released, with a code by Twilio and payments by Increase'(person) {
    const { page: lender, transfers } = person
    await journeys['a returning person splits the loan inline and confirms the payments'](person)
    await lender.press('Open this application in the back office', 'link')
    await lender.press('Release the loan')
    await lender.press(/^Yes, release/)
    await lender.at('Released')
    for (let tries = 0; (await transfers()).length < 2; tries += 1) {
      if (tries === 50) throw new Error('The bank did not get both payments.')
      await new Promise(resolve => setTimeout(resolve, 200))
    }
    const amounts = (await transfers()).map(({ amount }) => Math.abs(amount)).sort()
    if (amounts.join() !== '350000,587945') throw new Error(`The bank got ${amounts.join(' and ')}.`)
  },
}
