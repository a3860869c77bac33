/** The demo lender's pages, as borrowers and staff use them. */
import { expect, type Page } from '@playwright/test'
import type { Flow } from './flow.js'

export class Demo {
  readonly page: Page
  readonly origin: string

  constructor(page: Page, origin: string) {
    this.page = page
    this.origin = origin
  }

  /** Fills in the form and submits it to open the application. */
  async apply(phone: string, amount = '10,000'): Promise<void> {
    await this.page.goto(this.origin)
    await this.page.getByLabel('First name').fill('Ana')
    await this.page.getByLabel('Last name').fill('Rivera')
    await this.page.getByLabel('Mobile phone').fill(phone)
    await this.page.getByLabel('Loan amount').fill(amount)
    await this.page.getByRole('button', { name: 'Continue' }).click()
    await expect(this.page.getByRole('heading', { level: 1, name: /loan is ready$/ })).toBeVisible()
  }

  async linkAccounts(): Promise<void> {
    await this.page.getByRole('button', { name: 'Link my accounts' }).click()
  }

  async choosePayments(): Promise<void> {
    await this.page.getByRole('button', { name: 'Choose the payments' }).click()
  }

  /**
   * Closes a completed inline flow after the lender's page has shown its confirmation message, because that message
   * moves the flow.
   */
  async finish(flow: Flow): Promise<void> {
    await expect(this.page.getByText(/^We have your choice/)).toBeVisible()
    const frame = this.page.locator('iframe[part=frame]')
    await flow.press('Done')
    await expect(frame).toHaveCount(0)
  }

  /** Returns the application's step with the given title. */
  step(title: string) {
    return this.page.getByRole('listitem').filter({ has: this.page.getByRole('heading', { level: 2, name: title }) })
  }

  async openCase(): Promise<void> {
    await this.page.getByRole('link', { name: 'Open this application in the back office' }).click()
    await expect(this.page.getByRole('heading', { level: 2, name: 'Allocations' })).toBeVisible()
  }

  async release(): Promise<void> {
    await this.page.getByRole('button', { name: 'Release the loan' }).click()
    await this.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Yes, release/ })
      .click()
    await expect(this.page.getByRole('heading', { level: 2, name: 'Released' })).toBeVisible()
  }

  /** Pays the accounts that the release did not pay, and waits for the result. */
  async payRest(): Promise<void> {
    const done = this.page.waitForResponse(response => response.url().endsWith('/rest'))
    await this.page.getByRole('button', { name: 'Pay the rest' }).click()
    await done
    await this.page.waitForLoadState()
  }

  async letPass(label: 'One day passes' | 'One week passes'): Promise<void> {
    const done = this.page.waitForResponse(response => response.url().endsWith('/clock'))
    await this.page.getByRole('button', { name: label }).click()
    await done
    await this.page.waitForLoadState()
  }

  /** Returns a payment's row in the lender's back office. */
  payment(account: string) {
    const allocations = this.page.getByRole('region', { name: 'Allocations' })
    return allocations.getByRole('row', { name: new RegExp(account) })
  }
}
