/** The flow in its frame, addressed by its visible text. */
import { expect, type Locator, type Page } from '@playwright/test'
import { asks } from './asks.js'

export { asks } from './asks.js'

export class Flow {
  readonly page: Page
  /** The frame that shows the flow's screens. */
  readonly frame: Pick<Page, 'getByRole' | 'getByLabel' | 'getByText' | 'locator'>
  readonly #iframe: string | null

  /** @param iframe the frame, if the page has several; null: the flow is the page itself */
  constructor(page: Page, iframe: string | null = 'iframe') {
    this.page = page
    this.#iframe = iframe
    this.frame = iframe === null ? page : page.frameLocator(iframe)
  }

  heading(name: string | RegExp): Locator {
    return this.frame.getByRole('heading', { level: 1, name, ...(typeof name === 'string' ? { exact: true } : {}) })
  }

  /** Waits for the screen with this heading. */
  async at(name: string | RegExp): Promise<void> {
    await expect(this.heading(name)).toBeVisible({ timeout: 10_000 })
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
  }

  field(label: string | RegExp): Locator {
    return this.frame.getByLabel(label)
  }

  /**
   * Presses a button. An inline frame follows the height of its content with a delay, so it can move between locating
   * the button and pressing the mouse, which then hits the page around it. In an inline frame, this therefore checks
   * with the mouse that the button is reachable, and then clicks the element.
   */
  async press(name: string | RegExp): Promise<void> {
    const button = this.button(name)
    if (!(await this.inline())) return button.click()
    await button.click({ trial: true })
    await button.dispatchEvent('click')
  }

  private async inline(): Promise<boolean> {
    if (this.#iframe === null) return false
    return this.page
      .locator(this.#iframe)
      .evaluate(frame => (frame.getRootNode() as ShadowRoot).host?.getAttribute('display') === 'inline')
  }

  /** Returns a sentence on the screen. Announcements repeat some sentences later in the document. */
  say(text: string | RegExp): Locator {
    return this.frame.getByText(text).filter({ visible: true }).first()
  }

  alert(): Locator {
    return this.frame.getByRole('alert')
  }

  agree(): Promise<void> {
    return this.press('Agree and continue')
  }

  /** Goes from consent through a correct code. */
  async proveWhoIAm(): Promise<void> {
    await this.agree()
    await this.at(asks.phone)
    await this.press('Text me a code')
    await this.enterCode('123456')
  }

  /** Types a code. A complete one is sent automatically. */
  async enterCode(code: string): Promise<void> {
    await this.at(asks.code)
    await this.field('Six-digit code').fill(code)
  }

  /** Checks accounts by name. */
  async choose(...names: string[]): Promise<void> {
    for (const name of names) await this.frame.getByRole('checkbox', { name: new RegExp(name) }).check()
  }

  /** Continues with the current choice. */
  async goOn(): Promise<void> {
    await this.press(/^Continue with/)
  }

  /** Fills in the requested details, and submits them. */
  async aboutMe({ street = '100 Congress Ave', digits = '1234' } = {}): Promise<void> {
    await this.field('Month').fill('03')
    await this.field('Day').fill('11')
    await this.field('Year').fill('1980')
    await this.field('Street address').fill(street)
    await this.field('City').fill('Austin')
    await this.field('State').selectOption({ label: 'Texas' })
    await this.field('ZIP code').fill('78701')
    await this.field('Last four digits of your SSN').fill(digits)
    await this.press('Continue')
  }

  /** Answers every question with the first matching answer, and submits them. */
  async answer(kind: RegExp): Promise<void> {
    for (const group of await this.frame.getByRole('group').all())
      await group.getByRole('radio', { name: kind }).first().check()
    await this.press('Check my answers')
  }

  amount(account: string): Locator {
    return this.field(`Amount for ${account}`)
  }

  /** Returns an account among those that can't be chosen. */
  leftOut(name: string): Locator {
    return this.frame.getByRole('listitem').filter({ hasText: name })
  }
}
