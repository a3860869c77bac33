import { violations } from './support/axe.js'
import { cards, enterCard } from './support/cards.js'
import { headings } from './support/flow.js'
import { phones } from './support/people.js'
import { expect, test } from './support/test.js'

const tag = 'connect-element'

test('a person verifies their identity and shares no account', async ({ api, host, hostPage, flow, page }) => {
  const entity = await api.person(phones.mixed)
  const token = await api.opalToken('identity_verification', entity)
  await hostPage.open(host, { tag, token: () => token })
  await flow.at('Ready to confirm who you are?')
  await flow.proveWhoIAm()
  await flow.at('Your identity is verified')
  const [copy] = await Promise.all([page.waitForEvent('popup'), flow.press('Save or print a copy')])
  await expect(copy.getByRole('heading', { level: 1, name: 'Your identity is verified' })).toBeVisible()
  await expect(copy.getByRole('row', { name: /^Reference osess_/ })).toBeVisible()
  await expect(copy.getByRole('heading', { level: 2 })).toHaveCount(3)
  await expect(copy.getByText('full Social Security number')).toBeVisible()
  expect(await violations(copy)).toEqual([])
  await copy.close()
  await flow.press('Done')
  await expect.poll(() => hostPage.heard.at(-1)).toMatchObject({ reason: 'completed' })
  expect(await api.accounts(entity)).toEqual([])
})

test('a card is connected once the person proves that they hold it', async ({ api, host, hostPage, flow }) => {
  const entity = await api.person(phones.mixed)
  const token = await api.opalToken('card_connect', entity, { selection_type: 'single' })
  await hostPage.open(host, { tag, token: () => token })
  await flow.at('Ready to connect your cards?')
  await flow.proveWhoIAm()
  await flow.at(/^Which card should .+ use/)
  await expect(flow.frame.getByText('Auto Loan')).toHaveCount(0)
  await flow.frame.getByRole('radio', { name: /Chase Sapphire Reserve/ }).check()
  await flow.goOn()
  await enterCard(flow, { ...cards.sapphire, code: '111' })
  await expect(flow.say(/^That code doesn’t match the card/)).toBeVisible()
  await flow.field('Security code').fill('878')
  await flow.press('Check this card')
  await flow.at('Your card is connected')
  await flow.press('Done')
  await expect.poll(() => hostPage.heard.some(event => event['type'] === 'element-success')).toBe(true)
})

test('an account that is already verified is not verified again', async ({ api, host, hostPage, flow }) => {
  const entity = await api.person(phones.mixed)
  let token = await api.opalToken('connect', entity)
  await hostPage.open(host, { tag, token: () => token })
  await flow.at(headings.shareAccounts)
  await flow.proveWhoIAm()
  await flow.at(/^Share these accounts with/)
  await flow.goOn()
  await flow.at(headings.connected)
  await flow.press('Done')
  const { id } = (await api.accounts(entity)).find(account => account.liability.mask === '1580')!
  token = await api.opalToken('account_verification', entity, { account_id: id, intent: 'data' })
  await hostPage.reopen(tag)
  // The person has agreed to everything that these sessions ask for.
  await flow.at('What’s the number of your Chase Sapphire Reserve?')
  await expect(flow.button('Skip this account')).toHaveCount(0)
  await flow.field('Card number').fill('4000 0000 0008 1580')
  await flow.press('Check this number')
  await flow.at('Your account is verified')
  await flow.press('Done')
  token = await api.opalToken('account_verification', entity, { account_id: id, intent: 'data' })
  await hostPage.reopen(tag)
  await flow.at('Your account is verified')
})

test('an account that is opened later is not shared until the person selects it', async ({
  api,
  host,
  hostPage,
  flow,
}) => {
  const entity = await api.person(phones.allPayable)
  let token = await api.connectToken(entity)
  await hostPage.open(host, { tag, token: () => token })
  await flow.linkOneAccount()
  const before = (await api.accounts(entity)).length
  await api.call('POST', `/simulate/entities/${entity}/connect`, { behaviors: ['new_mortgage_account'] })
  await api.call('POST', `/entities/${entity}/connect`, {})
  expect(await api.accounts(entity)).toHaveLength(before)
  token = await api.connectToken(entity)
  await hostPage.reopen(tag)
  await flow.at(/^Which accounts should .+ use/)
  await flow.frame.getByRole('checkbox', { name: /Mortgage/ }).check()
  await flow.goOn()
  await flow.at(headings.connected)
  await expect.poll(async () => (await api.accounts(entity)).length).toBe(before + 1)
})

test('a person who leaves and returns verifies a bank account with two deposits', async ({
  api,
  host,
  hostPage,
  flow,
  page,
}) => {
  const entity = await api.person(phones.mixed)
  const account_id = await api.bankAccount(entity)
  const token = () => api.opalToken('account_verification', entity, { account_id })
  await hostPage.open(host, { tag, token })
  await flow.at(headings.verifyAccount)
  await flow.proveWhoIAm()
  await flow.at(headings.sendDeposits)
  await expect(flow.say('Checking account')).toBeVisible()
  await flow.press('Send the deposits')
  await flow.at(headings.onTheirWay)
  await expect(flow.heading(headings.onTheirWay)).toBeFocused()
  await flow.press('Close and come back later')
  await expect.poll(() => hostPage.heard.at(-1)).toMatchObject({ reason: 'user' })
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  await api.advance('P2D')
  // A token without a session id starts a new session, but the deposits already sent belong to the account.
  await hostPage.reopen(tag)
  await flow.at(headings.verifyAccount)
  await flow.agree()
  await flow.at(headings.amounts)
  const [first, second] = await api.depositsTo(account_id)
  const enter = async (one: number, other: number) => {
    await flow.field('One amount').fill(String(one))
    await flow.field('Other amount').fill(`$0.${other}`)
    await page.keyboard.press('Enter')
  }
  // The two amounts always differ, so entering the first amount twice is always incorrect.
  await enter(first, first)
  await expect(flow.say('Those aren’t the two amounts we sent. You have 4 tries left.')).toBeVisible()
  await expect(flow.field('One amount')).toBeFocused()
  await enter(second, first)
  await flow.at('Your account is verified')
  await flow.press('Done')
  await expect.poll(() => hostPage.heard.some(event => event['type'] === 'element-success')).toBe(true)
  const names = hostPage.heard.flatMap(event => (event['type'] === 'element-event' ? [event['name']] : []))
  expect(names).toEqual(
    expect.arrayContaining([
      'account_verification.flow.started',
      'account_verification.deposits.sent',
      'account_verification.account.verified',
      'account_verification.flow.completed',
    ]),
  )
  const { products } = await api.call<{ products: string[] }>('GET', `/accounts/${account_id}`)
  expect(products).toEqual(['payment'])
})
