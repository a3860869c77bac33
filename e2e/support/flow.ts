/** The flow in its frame. Finds elements by their visible text. */
import { flowIn, type Flow as Steps } from '@causeway/testing/playwright'
import { expect, type Locator, type Page } from '@playwright/test'

import { headings } from './headings.js'

export { headings }

export class Flow {
  readonly page: Page
  /** The frame that shows the flow's screens. */
  readonly frame: Pick<Page, 'getByRole' | 'getByLabel' | 'getByText' | 'locator'>
  /** The published helpers that customers' tests use to go through the same screens. */
  readonly #steps: Steps
  readonly #iframe: string | null

  /** @param iframe the frame's selector, needed if the page has several flows; null if the page itself is the flow */
  constructor(page: Page, iframe: string | null = 'iframe[part=frame]') {
    this.page = page
    this.#iframe = iframe
    this.frame = iframe === null ? page : page.frameLocator(iframe)
    this.#steps = flowIn(iframe === null ? page : page.frameLocator(iframe))
  }

  heading(name: string | RegExp): Locator {
    return this.frame.getByRole('heading', { level: 1, name, ...(typeof name === 'string' ? { exact: true } : {}) })
  }

  /** Waits for the screen with this heading. */
  async at(name: string | RegExp): Promise<void> {
    await expect(this.heading(name)).toBeVisible({ timeout: 10_000 })
  }

  /** Waits until the token is redeemed. Before that, the frame already shows the first screen. */
  async redeemed(): Promise<void> {
    await expect(this.frame.locator('#early')).toHaveCount(0)
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
  }

  field(label: string | RegExp): Locator {
    return this.frame.getByLabel(label)
  }

  /** Presses a button. */
  press(name: string | RegExp): Promise<void> {
    return this.click(this.button(name))
  }

  /**
   * Clicks an element. An inline frame adjusts to its content's height with a delay. The element can therefore move after
   * it is located, and a mouse click can land next to it or on the page around the frame. In an inline frame, this method
   * uses the mouse only to check that the element is reachable, and then clicks the element directly.
   */
  private async click(target: Locator): Promise<void> {
    if (!(await this.inline())) return target.click()
    await target.click({ trial: true })
    await target.dispatchEvent('click')
  }

  private async inline(): Promise<boolean> {
    if (this.#iframe === null) return false
    return this.page
      .locator(this.#iframe)
      .evaluate(frame => (frame.getRootNode() as ShadowRoot).host?.getAttribute('display') === 'inline')
  }

  /** Returns the first visible element with this text. Announcements can repeat the text later in the document. */
  say(text: string | RegExp): Locator {
    return this.frame.getByText(text).filter({ visible: true }).first()
  }

  alert(): Locator {
    return this.frame.getByRole('alert')
  }

  /** Begins the flow on a hosted page. */
  begin(): Promise<void> {
    return this.#steps.begin()
  }

  agree(): Promise<void> {
    return this.#steps.consent()
  }

  /** Completes the steps from giving consent through entering a correct code. */
  async proveWhoIAm(): Promise<void> {
    await this.agree()
    await this.#steps.verifyPhone()
  }

  /** Types a code. A complete code is submitted automatically. */
  enterCode(code: string): Promise<void> {
    return this.#steps.enterCode(code)
  }

  /** Checks accounts by name. */
  async choose(...names: string[]): Promise<void> {
    for (const name of names) {
      const box = this.frame.getByRole('checkbox', { name: new RegExp(name) })
      if (await box.isChecked()) continue
      await this.click(box)
      await expect(box).toBeChecked()
    }
  }

  /** Links one account, from giving consent to the last screen, and closes the flow. */
  async linkOneAccount(): Promise<void> {
    await this.at(headings.shareAccounts)
    await this.proveWhoIAm()
    await this.at(/^Which accounts should .+ use/)
    await this.choose('Citi Double Cash')
    await this.goOn()
    await this.at(headings.connected)
    await this.press('Done')
  }

  /** Continues with the current choice. */
  async goOn(): Promise<void> {
    await this.press(/^Continue with/)
  }

  /** Fills in the requested details and submits them. */
  aboutMe({ street = '100 Congress Ave', digits = '1234' } = {}): Promise<void> {
    const address = { line1: street, city: 'Austin', state: 'TX', zip: '78701' }
    return this.#steps.giveDetails({ dob: '1980-03-11', address, ssn_4: digits })
  }

  /** Chooses the first matching answer to every question and submits the answers. */
  answer(kind: RegExp): Promise<void> {
    return this.#steps.answerQuestions(kind)
  }

  amount(account: string): Locator {
    return this.field(`Amount for ${account}`)
  }

  /** Returns an account from the list of accounts that can't be chosen. */
  leftOut(name: string): Locator {
    return this.frame.getByRole('listitem').filter({ hasText: name })
  }
}
