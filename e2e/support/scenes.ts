/**
 * Goes through every screen of the flow in every state that a person can reach, using the real service. In each state,
 * calls `see`, which checks accessibility in the tests and takes screenshots in the screenshot run.
 */
import { headings } from './flow.js'
import { phones } from './people.js'
import { hostedScenes } from './scenes.hosted.js'
import { modeScenes } from './scenes.modes.js'
import type { Scene } from './stage.js'

const tenThousand = { loan_amount: 1_000_000, minimum_payment: 2_500, residual_amount_max: 150_000, loan_apr: 11.99 }

const entering: Scene = async ({ begin, flow }, see) => {
  await begin(phones.mixed, tenThousand)
  await flow.at(headings.findAccounts)
  await see('consent')
  await flow.frame.getByText('Details', { exact: true }).click()
  await see('consent-details')
  const paper = flow.frame.getByText('Permission for a soft credit check')
  await paper.click()
  await flow
    .say(/^Version/)
    .filter({ visible: true })
    .waitFor()
  await see('consent-document')
  await paper.click()
  await flow.agree()
  await flow.at(headings.code)
  await see('code')
  await flow.press('This isn’t me')
  await flow.at(headings.somebodyElse)
  await see('code-somebody-else')
  await flow.press('No, it’s for me')
  await flow.at(headings.code)
  await flow.enterCode('123')
  await flow.press('Continue')
  await see('code-short')
  await flow.enterCode('000000')
  await flow.say(/isn’t the code we sent/).waitFor()
  await see('code-incorrect')
  await flow.enterCode('111111')
  await flow.at(headings.phone)
  await see('phone')
}

const choosing: Scene = async ({ begin, flow }, see) => {
  await begin(phones.mixed, tenThousand)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await see('selection')
  await flow.choose('Chase Sapphire Reserve')
  await see('selection-too-little')
  await flow.choose('Capital One Venture', 'Upstart personal loan')
  await see('selection-chosen')
  await flow.goOn()
  await flow.at('What’s the number of your Capital One Venture?')
  await see('number')
  await flow.field('Card number').fill('4000 0000 0009 9999')
  await flow.press('Check this number')
  await flow.say(/doesn’t end in/).waitFor()
  await see('number-wrong-ending')
  await flow.field('Card number').fill('4000 0000 0009 0342')
  await flow.press('Check this number')
  await flow.at(headings.split)
  await see('allocation')
  await flow.amount('Capital One Venture').fill('3900')
  await flow.say(/more than you owe/).waitFor()
  await see('allocation-above-balance')
  await flow.amount('Capital One Venture').fill('100')
  await flow.press('Review payments')
  await flow.say(/more to continue/).waitFor()
  await see('allocation-too-little')
}

const confirming: Scene = async ({ begin, flow, hostPage, page, api }, see) => {
  const { session } = await begin(phones.allPayable, tenThousand)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Chase Freedom Unlimited', 'LendingClub')
  await flow.goOn()
  await flow.at(headings.split)
  await flow.amount('Chase Freedom Unlimited').fill('3500')
  await flow.press('Review payments')
  await flow.at(headings.check)
  await see('review')
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  await see('done')
  await flow.press('Done')
  await hostPage.hears('outcome')
  await api.release(session)
  await hostPage.reopen('opal-balance-transfer-element')
  await flow.at('Your payments are on their way')
  await see('done-released')
  await flow.press('Done')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await api.advance('P7D')
  await hostPage.reopen('opal-balance-transfer-element')
  await flow.at('Your payments have arrived')
  await see('done-arrived')
}

const connect: Scene = async ({ flow, hostPage, host, api }, see) => {
  const token = await api.connectToken(await api.person(phones.mixed))
  await hostPage.open(host, { tag: 'connect-element', token: () => token })
  await flow.at(headings.shareAccounts)
  await see('connect-consent')
  await flow.proveWhoIAm()
  await flow.at(/^Which accounts should .+ use/)
  await see('connect-selection')
  await flow.choose('Chase Sapphire Reserve', 'Upstart personal loan')
  await flow.goOn()
  await flow.at(headings.connected)
  await see('connect-done')
}

const details: Scene = async ({ begin, flow }, see) => {
  await begin(phones.birthdayAddressDigits)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.details)
  await see('details')
  await flow.press('Continue')
  await flow.say('Enter the last four digits.').waitFor()
  await see('details-missing')
  await flow.aboutMe({ digits: '0000' })
  await flow.say(/couldn’t find you/).waitFor()
  await see('details-no-match')
}

const questions: Scene = async ({ begin, flow }, see) => {
  await begin(phones.questions)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.questions)
  await see('questions')
  await flow.press('Check my answers')
  await flow.say('Choose an answer.').waitFor()
  await see('questions-missing')
  await flow.answer(/\(Incorrect\)/)
  await flow.say(/Here are other questions/).waitFor()
  await see('questions-incorrect')
  await flow.answer(/\(Incorrect\)/)
  await flow.at('We couldn’t confirm that it’s you')
  await see('blocked-identity')
}

const returned: Scene = async ({ begin, flow, hostPage, page, api }, see) => {
  const { session } = await begin(phones.paymentReturns)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Chase Sapphire Reserve', 'Discover it')
  await flow.goOn()
  await flow.at(headings.split)
  await flow.press('Review payments')
  await flow.at(headings.check)
  await flow.press('Confirm payments')
  await flow.at(headings.confirmed)
  await flow.press('Done')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await api.release(session)
  await api.advance('P14D')
  await hostPage.reopen('opal-balance-transfer-element')
  await flow.at('Not every payment went through')
  await see('done-returned')
}

const somebodyElse: Scene = async ({ begin, flow }, see) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.at(headings.code)
  await flow.press('This isn’t me')
  await flow.press('Yes, stop here')
  await flow.at(headings.notMe)
  await see('blocked-not-me')
}

const newPhone: Scene = async ({ flow, hostPage, host, api }, see) => {
  const token = await api.connectToken(await api.person(null))
  await hostPage.open(host, { tag: 'connect-element', token: () => token })
  await flow.at(headings.shareAccounts)
  await flow.agree()
  await flow.at(headings.newPhone)
  await see('phone-new')
  await flow.field('Mobile number').fill('512 555')
  await flow.press('Text me a code')
  await flow.say(/digits short/).waitFor()
  await see('phone-new-short')
}

const blocked =
  (name: string, phone: string, title: string): Scene =>
  async ({ begin, flow }, see) => {
    await begin(phone, { loan_amount: 100_000, residual_amount_max: 0 })
    await flow.at(headings.findAccounts)
    await flow.proveWhoIAm()
    await flow.at(title)
    await see(name)
  }

const waiting: Scene = async ({ begin, flow }, see) => {
  await begin(phones.slow)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.finding)
  await see('discovering')
}

const refusedNumber: Scene = async ({ begin, flow }, see) => {
  await begin(phones.numberRefused, { loan_amount: 250_000 })
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Capital One Venture', 'Upstart personal loan')
  await flow.goOn()
  await flow.field('Card number').fill('4000 0000 0002 8045')
  await flow.press('Check this number')
  await flow.say(/didn’t recognize/).waitFor()
  await see('number-refused')
  await flow.press('Skip this account')
  await flow.at(headings.split)
  await see('allocation-one-left-out')
}

const cutOff: Scene = async ({ begin, flow, page }, see) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await page.context().setOffline(true)
  await flow.agree()
  await flow.alert().waitFor()
  await see('offline')
  await page.route('**/s/steps/consent', route => route.abort())
  await page.context().setOffline(false)
  await flow.say(/didn’t reach us/).waitFor()
  await see('unreachable')
}

const spent: Scene = async ({ flow, hostPage, host, api, page }, see) => {
  const token = await api.connectToken(await api.person(phones.allPayable))
  await hostPage.open(host, { tag: 'connect-element', token: () => token })
  await flow.at(headings.shareAccounts)
  await page.reload()
  await hostPage.again({ tag: 'connect-element' })
  await flow.heading(/session/).waitFor()
  await see('token-spent')
}

const misplaced: Scene = async ({ flow, hostPage, host, api }, see) => {
  const token = await api.connectToken(await api.person(phones.allPayable))
  await hostPage.open(host, { tag: 'opal-balance-transfer-element', token: () => token })
  await flow.at('This page can’t be opened here')
  await see('refused')
}

const notLoaded: Scene = async ({ hostPage, host, api, page }, see) => {
  const token = await api.connectToken(await api.person(phones.allPayable))
  await page.route('**/assets/**', () => {})
  await hostPage.open(host, { tag: 'connect-element', token: () => token, timeout: 4_000 })
  await page.getByRole('status').waitFor()
  await see('element-loading')
  await page.getByRole('alert').waitFor()
  await see('element-failed')
}

const noAccounts: Scene = async (stage, see) => {
  await blocked('blocked-no-accounts', phones.noAccounts, 'We didn’t find any accounts')(stage, see)
  await stage.flow.press('Enter a card')
  await stage.flow.at('Enter your card')
  await see('card-entry')
}

export const scenes: Record<string, Scene> = {
  'from consent to the code': entering,
  'from the choice to the amounts': choosing,
  'from the review to the payments': confirming,
  'a payment that is returned': returned,
  'linking accounts': connect,
  'details of the person': details,
  'questions that only the person can answer': questions,
  'a phone that is not on file': newPhone,
  'somebody else': somebodyElse,
  'no accounts': noAccounts,
  'a thin file': blocked('blocked-thin-file', phones.thinFile, 'You don’t have enough credit history yet'),
  'a frozen file': blocked('blocked-frozen', phones.frozenFile, 'Your credit file is frozen'),
  'terms that can’t be met': blocked('blocked-terms', phones.smallDebts, 'Your balances are too low for this loan'),
  'waiting for lenders': waiting,
  'a number that is refused': refusedNumber,
  'a connection that breaks': cutOff,
  'a token that was used': spent,
  'a page that is not set up': misplaced,
  'a frame that does not respond': notLoaded,
  ...modeScenes,
  ...hostedScenes,
}
