/** The screens of the other modes: cards, account verification, identity verification and transactions. */
import { headings } from './flow.js'
import { phones } from './people.js'
import type { Scene } from './stage.js'

const tag = 'connect-element'

const card: Scene = async ({ flow, hostPage, host, api }, see) => {
  const token = await api.opalToken('card_connect', await api.person(phones.mixed), { selection_type: 'single' })
  await hostPage.open(host, { tag, token: () => token })
  await flow.at('Ready to connect your cards?')
  await see('card-consent')
  await flow.proveWhoIAm()
  await flow.at(/^Which card should .+ use/)
  await flow.frame.getByRole('radio', { name: /Capital One Venture/ }).check()
  await see('card-selection')
  await flow.goOn()
  await flow.at('Can you confirm your Capital One Venture?')
  await see('card')
  await flow.press('Check this card')
  await flow.say('Enter the whole card number.').waitFor()
  await see('card-missing')
  await flow.field('Card number').fill('4000 0000 0009 0342')
  await flow.field('Security code').fill('111')
  await flow.press('Check this card')
  await flow.say(/^That code doesn’t match the card/).waitFor()
  await see('card-wrong-code')
  await flow.field('Security code').fill('123')
  await flow.press('Check this card')
  await flow.at('Your card is connected')
  await see('card-done')
}

const account: Scene = async ({ flow, hostPage, host, page, api }, see) => {
  const entity = await api.person(phones.mixed)
  let token = await api.connectToken(entity)
  await hostPage.open(host, { tag, token: () => token })
  await flow.at(headings.shareAccounts)
  await flow.proveWhoIAm()
  await flow.at(/^Which accounts should .+ use/)
  await flow.choose('Chase Sapphire Reserve')
  await flow.goOn()
  await flow.at(headings.connected)
  await flow.press('Done')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const { id } = (await api.accounts(entity)).find(each => each.liability.mask === '1580')!
  token = await api.opalToken('account_verification', entity, { account_id: id, intent: 'data' })
  await hostPage.reopen(tag)
  await flow.at(headings.verifyAccount)
  await see('account-consent')
  await flow.agree()
  await flow.at('What’s the number of your Chase Sapphire Reserve?')
  await see('account-number')
  await flow.field('Card number').fill('4000 0000 0008 1580')
  await flow.press('Check this number')
  await flow.at('Your account is verified')
  await see('account-done')
}

const identity: Scene = async ({ flow, hostPage, host, api }, see) => {
  const token = await api.opalToken('identity_verification', await api.person(phones.birthdayAddressDigits))
  await hostPage.open(host, { tag, token: () => token })
  await flow.at('Ready to confirm who you are?')
  await see('identity-consent')
  await flow.proveWhoIAm()
  await flow.at(headings.details)
  await flow.aboutMe()
  await flow.at('Your identity is verified')
  await see('identity-done')
}

const bankAccount: Scene = async ({ flow, hostPage, host, api }, see) => {
  const entity = await api.person(phones.mixed)
  const account_id = await api.bankAccount(entity)
  const token = () => api.opalToken('account_verification', entity, { account_id })
  await hostPage.open(host, { tag, token })
  await flow.at(headings.verifyAccount)
  await flow.proveWhoIAm()
  await flow.at(headings.sendDeposits)
  await see('deposits-offer')
  await flow.press('Send the deposits')
  await flow.at(headings.onTheirWay)
  await see('deposits-sent')
  await flow.press('I have both amounts')
  await flow.at(headings.amounts)
  await see('deposits-amounts')
  await flow.field('One amount').fill('01')
  await flow.field('Other amount').fill('02')
  await flow.press('Check these amounts')
  await flow.say(/aren’t the two amounts/).waitFor()
  await see('deposits-wrong')
  for (const left of ['3 tries', '2 tries', '1 try']) {
    await flow.press('Check these amounts')
    await flow.say(new RegExp(`You have ${left} left`)).waitFor()
  }
  await flow.press('Check these amounts')
  await flow.at('Too many wrong amounts')
  await see('blocked-deposits')
}

export const modeScenes: Record<string, Scene> = {
  'connecting a card': card,
  'verifying an account': account,
  'a bank account and its deposits': bankAccount,
  'confirming who one is': identity,
}
