/** Journeys on pages that use the interfaces of Opal and of Elements without a bundler. */
import { Api } from '../../../e2e/support/api.js'
import { cards } from '../../../e2e/support/cards.js'
import { headings } from '../../../e2e/support/headings.js'
import { serveElementsPage, serveOpalPage } from '../../../e2e/support/migrated-pages.js'
import { phones } from '../../../e2e/support/people.js'

/** Goes through the steps of linking one account, up to the last screen. */
async function linkAccounts(flow) {
  await flow.at(headings.shareAccounts)
  await proveIdentity(flow)
  await flow.at(/^Which accounts should .+ use/)
  await flow.choose('Citi Double Cash')
  await flow.press(/^Continue with/)
  await flow.at(headings.connected)
}

/** Enters what the screen asks for, and waits for the answer. */
async function enterCard(flow, { name, ...card }, labels) {
  await flow.at(`Can you confirm your ${name}?`)
  for (const [label, field] of Object.entries(labels)) await flow.fill(label, card[field])
  await flow.press('Check this card')
}
const proveIdentity = async flow => {
  await flow.press('Agree and continue')
  await flow.at(headings.code)
  await flow.fill(/^Six-digit code/, '123456')
}

/** Each mode of Opal: its token, and the steps to its end. The mode that the end names is the last of the session. */
const modes = {
  async connect(api) {
    const token = await api.opalToken('connect', await api.person(phones.allPayable), { selection_type: 'multiple' })
    return { token, steps: linkAccounts, end: 'connect' }
  },
  async identity_verification(api) {
    const steps = async flow => {
      await flow.at('Ready to confirm who you are?')
      await proveIdentity(flow)
      await flow.at('Your identity is verified')
    }
    return { token: await api.opalToken('identity_verification', await api.person(phones.mixed)), steps }
  },
  async card_connect(api) {
    const steps = async flow => {
      await flow.at('Ready to connect your cards?')
      await proveIdentity(flow)
      await flow.at(/^Which card should .+ use/)
      await flow.press(/Chase Sapphire Reserve/, 'radio')
      await flow.press(/^Continue with/)
      await enterCard(flow, cards.sapphire, { 'Security code': 'code' })
      await flow.at('Your card is connected')
    }
    const token = await api.opalToken('card_connect', await api.person(phones.mixed), { selection_type: 'single' })
    return { token, steps, end: 'account_verification' }
  },
  async account_verification(api) {
    const person = await api.person(phones.mixed)
    const account_id = await api.bankAccount(person)
    await api.call('POST', `/accounts/${account_id}/verification_sessions`, { type: 'micro_deposits' })
    await api.advance('P2D')
    const [one, other] = await api.depositsTo(account_id)
    const steps = async flow => {
      await flow.at(headings.verifyAccount)
      await proveIdentity(flow)
      await flow.at(headings.amounts)
      await flow.fill('One amount', String(one))
      await flow.fill('Other amount', String(other))
      await flow.press('Check these amounts')
      await flow.at('Your account is verified')
    }
    return { token: await api.opalToken('account_verification', person, { account_id }), steps }
  },
  async transactions(api) {
    const { products } = await api.call('GET', '/team')
    const names = products.map(product => product.type ?? product)
    await api.call('PATCH', '/team', { products: [...new Set([...names, 'transaction'])] })
    const steps = async flow => {
      await proveIdentity(flow)
      await flow.at(/^Which cards should .+ use/)
      await flow.choose('Capital One Venture')
      await flow.press(/^Continue with/)
      await enterCard(flow, cards.venture, { 'Card number': 'number', 'Security code': 'code' })
    }
    return { token: await api.opalToken('transactions', await api.person(phones.mixed)), steps }
  },
  async balance_transfer(api) {
    const steps = async flow => {
      await flow.at(headings.findAccounts)
      await proveIdentity(flow)
      await flow.at(headings.which)
      await flow.choose('Chase Freedom Unlimited', 'LendingClub')
      await flow.press(/^Continue with/)
      await flow.at(headings.split)
      await flow.press('Review payments')
      await flow.at(headings.check)
      await flow.press('Confirm payments')
      await flow.at(headings.confirmed)
    }
    const terms = { loan_amount: 1_000_000 }
    return {
      token: await api.opalToken('balance_transfer', await api.person(phones.allPayable), terms),
      steps,
      end: 'connect',
    }
  },
}

/** Each mode as a journey on a page of Opal. */
const modeJourneys = Object.fromEntries(
  Object.entries(modes).map(([mode, prepare]) => {
    let prepared
    return [
      `a person goes to the end of Opal's mode ${mode}`,
      {
        async serve(service) {
          prepared = await prepare(new Api(service))
          return serveOpalPage(service, prepared.token)
        },
        async journey({ page, flow }) {
          const { steps, end = mode } = prepared
          await page.press('Link your accounts')
          await steps(flow)
          await flow.press('Done')
          await page.misses({ css: 'iframe' })
          await page.sees({ text: 'open exit' })
          await page.sees({ text: new RegExp(`${end}\\.flow\\.completed opal\\.session\\.completed`) })
        },
      },
    ]
  }),
)

/** Each journey with the function that serves its page. */
export const migrateJourneys = {
  'a person links accounts on a page of Elements': {
    async serve(service) {
      const api = new Api(service)
      return serveElementsPage(service, await api.connectToken(await api.person(phones.allPayable)))
    },
    async journey({ page, flow }) {
      await page.press('Link your accounts')
      await linkAccounts(flow)
      await flow.press('Done')
      await page.misses({ css: 'iframe' })
      await page.sees({ text: 'open success exit' })
    },
  },
  ...modeJourneys,
}
