/** The main journeys on the demo lender's pages. `page` is the lender's page, and `flow` is the frame in it. */
import { Api } from '../../../e2e/support/api.js'
import { headings } from '../../../e2e/support/headings.js'
import { phones } from '../../../e2e/support/people.js'

export async function apply({ page: lender }, phone) {
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
  await flow.at(headings.code)
  await flow.fill(/^Six-digit code/, await codeOf(phone))
  await flow.at(/^Which accounts should .+ use/)
}

/**
 * Links accounts of the person with four payable ones, and opens the choice of payments. The phone was just verified.
 * @param choose chooses the accounts to link
 */
async function beginTransfer(person, choose) {
  const { page: lender, flow } = person
  await apply(person, phones.allPayable)
  await link(person, phones.allPayable)
  await choose(flow)
  await flow.press(/^Continue with/)
  await flow.at(headings.connected)
  await flow.press('Done')
  await lender.press('Choose the payments')
}
const all = flow => flow.press('Select all')

/** Accepts the amounts in the form, and leaves the flow. */
export async function confirmPayments(flow) {
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  await flow.press('Done')
}

/** Releases the loan in the lender's back office. */
export async function release(lender) {
  await lender.press('Open this application in the back office', 'link')
  await lender.press('Release the loan')
  await lender.press(/^Yes, release/)
  await lender.at('Released')
}

export const journeys = {
  async 'a new person links accounts, in a modal'(person) {
    const { page: lender, flow } = person
    await apply(person, phones.mixed)
    await link(person, phones.mixed)
    // The lender sees only the chosen accounts, and the loan must pay at least $8,500 to them.
    await flow.choose('Chase Sapphire Reserve', 'Capital One Venture', 'Upstart personal loan')
    await flow.press(/^Continue with/)
    await flow.at(headings.connected)
    await flow.sees({ text: /You chose 3 accounts/ })
    await flow.press('Done')
    await lender.misses({ role: 'dialog' })
    await lender.sees({ role: 'listitem', name: /Link your accounts.*Done/ })
    await lender.sees({ role: 'button', name: 'Choose the payments' })
  },

  async 'a returning person splits the loan inline and confirms the payments'(person) {
    const { page: lender, flow } = person
    await beginTransfer(person, () => flow.choose('Chase Freedom Unlimited', 'LendingClub'))
    // The accounts that the person linked are already chosen.
    await flow.at(headings.which)
    await flow.press(/^Continue with 2 accounts/)
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

  async 'a person links all their accounts and accepts the suggested split'(person) {
    const { flow } = person
    await beginTransfer(person, all)
    await flow.at('Split your $10,000 loan')
    await confirmPayments(flow)
  },
}

/** The most taps and keystrokes that a journey may take, from the loan form's *Continue* on. */
export const budgets = {
  'a person links all their accounts and accepts the suggested split': { taps: 10, keystrokes: 6 },
}

export const waitUntil = async (work, complaint) => {
  for (const late = Date.now() + 60_000; ; ) {
    const value = await work()
    if (value) return value
    if (Date.now() > late) throw new Error(typeof complaint === 'string' ? complaint : await complaint())
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

/** The debts of the person with four payable accounts: the amount to pay, and what becomes of the payment. */
const outcomes = [
  { debt: /Chase Freedom Unlimited/, amount: '2000', status: 'posted' },
  { debt: /Citi/, amount: '1500', status: 'posted' },
  { debt: /LendingClub/, amount: '3500', status: 'reversal_required', returned: 'R02' },
  { debt: /Capital One/, amount: '3000', status: 'posted', notice: 'C01' },
]

/** Journeys in which providers text the codes and pay, each against its emulator. */
export const providerJourneys = {
  async 'a new person links accounts with a code by Twilio, in a modal'(person) {
    await journeys['a new person links accounts, in a modal'](person)
  },

  async 'a loan is split and released by ACH and check, and everybody sees what the bank did'(person) {
    const { page: lender, flow, service, transfers, webhooks, driver } = person
    await beginTransfer(person, all)
    await flow.at('Split your $10,000 loan')
    for (const { debt, amount } of outcomes) await flow.fill(new RegExp(`^Amount for .*${debt.source}`), amount)
    await confirmPayments(flow)
    const borrowersPage = await driver.address()
    await release(lender)

    // The bank: one transfer for each payment, of which one is a check and one is returned.
    const sent = await waitUntil(
      async () => (await transfers()).length === 4 && transfers(),
      'The bank did not get all payments.',
    )
    const types = sent.map(({ type }) => type).sort()
    expectEqual(types, ['ach_transfer', 'ach_transfer', 'ach_transfer', 'check_transfer'], 'transfers')

    // The lender: the API and the webhooks.
    const api = new Api(service)
    const statuses = outcomes.map(({ status }) => status).sort()
    const read = async () => (await api.call('GET', '/payments')).data
    const payments = await waitUntil(
      async () => {
        const all = await read()
        return `${all.map(({ status }) => status).sort()}` === `${statuses}` && all
      },
      async () => `The payments are ${(await read()).map(({ status }) => status)} at last.`,
    )
    for (const { amount, status, returned } of outcomes) {
      const payment = payments.find(each => each.amount === Number(amount) * 100)
      expectEqual(payment.status, status, `the payment of $${amount}`)
      const received = await waitUntil(
        () => webhooks.get(`${status} ${payment.id}`),
        `No webhook said that $${amount} is ${status}.`,
      )
      expectEqual(received.returned_as?.code, returned, `the webhook of $${amount}`)
    }

    // The statement agrees.
    const day = offset => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
    const statement = await service.admin('payments', 'statement', day(-1), day(1))
    expectEqual(statement.ok, true, 'the comparison with the statement')

    // The person.
    await driver.open(borrowersPage)
    await lender.sees({ text: /Sent back/ })

    // The console.
    const { id: team } = await api.call('GET', '/team')
    await driver.open(await service.consoleLink(team))
    await lender.press('Connections', 'link')
    await lender.press('Notices', 'link')
    await lender.sees({ text: /C01/ })
    const { id } = payments.find(({ status }) => status === 'reversal_required')
    await driver.open(`${service.consoleOrigin}/payments/${id}`)
    await lender.sees({ text: /R02/ })
  },
}

export function expectEqual(value, expected, name) {
  if (JSON.stringify(value) !== JSON.stringify(expected))
    throw new Error(`${name}: ${JSON.stringify(value)} instead of ${JSON.stringify(expected)}.`)
}
