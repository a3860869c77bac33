/**
 * Tests the `@causeway/testing` helpers on the screens of the real service. The docs tests run the test in the guide.
 */
import { type Action, type Control, findControls, journeys } from '@causeway/testing'
import { completeBalanceTransfer, completeConnect } from '@causeway/testing/playwright'
import type { ElementHandle, Frame, Page } from '@playwright/test'
import { phones } from './support/people.js'
import { expect, test, usualLoan } from './support/test.js'

const details = {
  dob: '1980-03-11',
  address: { line1: '100 Congress Ave', city: 'Austin', state: 'TX', zip: '78701' },
  ssn_4: '1234',
}
/** A balance transfer in which the person must enter one account's number. */
const transfer = {
  accounts: ['Capital One Venture', 'Sapphire Reserve'],
  numbers: { 'Capital One Venture': '4000 0000 0009 0342' },
  amounts: { Venture: '1,000', Sapphire: '3500' },
}
const placed = [100_000, 350_000]

test('completeConnect links the accounts of a person who enters details', async ({ api, host, hostPage, page }) => {
  const entity = await api.person(phones.birthdayAddressDigits)
  await hostPage.open(host, { tag: 'connect-element', token: () => api.connectToken(entity) })
  const success = await completeConnect(page, { details, accounts: ['Citi Double Cash'] })
  const accounts = await api.accounts(entity)
  expect(success).toMatchObject({ entity_id: entity, accounts: [expect.any(String)] })
  expect(accounts.find(({ id }) => id === success.accounts[0])?.liability.name).toBe('Citi Double Cash')
  expect(success.result?.split('.')).toHaveLength(3)
  await expect(page.locator('connect-element iframe')).toHaveCount(0)
})

test('completeBalanceTransfer splits a loan in an inline element', async ({ begin, page, api }) => {
  const { session } = await begin(phones.mixed, usualLoan, { display: 'inline' })
  const confirmed = await completeBalanceTransfer(page, transfer)
  expect(confirmed.session_id).toBe(session)
  expect(Object.values(confirmed.allocations).sort((a, b) => a - b)).toEqual(placed)
  expect(confirmed.residual_amount).toBe(50_000)
  expect((await api.session(session)).bt.allocations).toEqual(confirmed.allocations)
})

test('completeBalanceTransfer splits a loan for a person who linked all accounts', async ({
  api,
  host,
  hostPage,
  page,
}) => {
  const entity = await api.person(phones.allPayable)
  let loan: string | null = null
  await hostPage.open(host, { tag: 'connect-element', token: () => loan ?? api.connectToken(entity) })
  await completeConnect(page)
  // The connection asked for the same products.
  const terms = { ...usualLoan, products: ['balance'] }
  const { token, session } = await api.transferToken(entity, usualLoan, { balance_transfer: terms })
  loan = token
  await hostPage.again({ tag: 'opal-balance-transfer-element' })
  const confirmed = await completeBalanceTransfer(page, { linked: true, verified: true })
  expect(confirmed.session_id).toBe(session)
  expect((await api.session(session)).bt.allocations).toEqual(confirmed.allocations)
})

/** Performs actions on elements that `findControls` finds in the frame, as the Cypress driver does. */
class Document {
  readonly #frame: Frame

  constructor(page: Page) {
    this.#frame = page.frames().find(frame => frame.parentFrame())!
  }

  async act(action: Action): Promise<void> {
    switch (action.do) {
      case 'wait':
        return void (await this.#find(action.for))
      case 'press':
        return (await this.#find(action.control)).click()
      case 'fill':
        return (await this.#find(action.control)).fill(action.text)
      case 'select':
        return void (await (await this.#find(action.control)).selectOption(action.option))
      case 'check':
        return (await this.#find(action.control)).check()
      case 'check all':
        for (const choice of await this.#choices(action.of, { role: 'choice', name: /./ })) await choice.check()
        return
      case 'check each':
        for (const choice of await this.#choices(action.of, action.control)) await choice.check()
    }
  }

  /** Returns the only element that matches. */
  async #find(control: Control): Promise<ElementHandle<HTMLElement>> {
    let found: ElementHandle<HTMLElement>[] = []
    await expect
      .poll(async () => {
        found = await this.#evaluate(`find(document, ${textOf(control)})`)
        return found.length
      }, textOf(control))
      .toBe(1)
    return found[0]!
  }

  /** Returns the matching choices in the groups. */
  #choices(group: Control, choice: Control): Promise<ElementHandle<HTMLElement>[]> {
    return this.#evaluate(`find(document, ${textOf(group)}).flatMap(group => find(group, ${textOf(choice)}))`)
  }

  async #evaluate(expression: string): Promise<ElementHandle<HTMLElement>[]> {
    const list = await this.#frame.evaluateHandle<HTMLElement[]>(`(find => ${expression})(${findControls})`)
    return [...(await list.getProperties()).values()] as ElementHandle<HTMLElement>[]
  }
}

const textOf = ({ role, name }: Control) =>
  `{ role: '${role}', name: ${typeof name === 'string' ? JSON.stringify(name) : name} }`

test('the Cypress driver finds the controls of a connection', async ({ api, host, hostPage, page }) => {
  const entity = await api.person(phones.questions)
  await hostPage.open(host, { tag: 'connect-element', token: () => api.connectToken(entity) })
  await hostPage.hears('element-ready')
  const document = new Document(page)
  for (const action of journeys.connect({ answers: '(Correct)' })) await document.act(action)
  const { accounts } = await hostPage.hears('element-success')
  expect(accounts).toHaveLength(2)
})

test('the Cypress driver finds the controls of a balance transfer', async ({ begin, hostPage, page }) => {
  await begin(phones.mixed)
  await hostPage.hears('element-ready')
  const document = new Document(page)
  for (const action of journeys.balanceTransfer(transfer)) await document.act(action)
  const { allocations } = await hostPage.hears('allocations-confirmed')
  expect(Object.values(allocations as Record<string, number>).sort((a, b) => a - b)).toEqual(placed)
})
