/** A console user, and helpers that put the lender's customers into specific states. */
import type { Locator, Page } from '@playwright/test'
import type { Api } from './api.js'
import { Flow, headings } from './flow.js'
import { phones } from './people.js'
import type { Service } from './processes.js'
import { test as base, expect, usualLoan } from './test.js'

/** A console user whose clicks are counted. */
export class ConsoleDesk {
  readonly page: Page
  readonly #origin: string
  clicks = 0

  constructor(page: Page, service: Service) {
    this.page = page
    this.#origin = service.consoleOrigin
  }

  async signIn(key: string): Promise<void> {
    await this.page.goto(this.#origin)
    await this.page.getByLabel('Secret key').fill(key)
    await this.page.getByRole('button', { name: 'Sign in' }).click()
    await expect(this.page.getByRole('navigation', { name: 'Main' }).first()).toBeVisible()
  }

  async click(target: Locator): Promise<void> {
    await target.click()
    this.clicks += 1
  }

  /** Searches for the text and opens the first matching result. */
  async find(text: string, result: string | RegExp): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1 })).toBeVisible()
    await this.page.keyboard.press('/')
    await this.page.getByRole('combobox', { name: 'Search' }).fill(text)
    await this.click(this.page.getByRole('option', { name: result }).first())
  }

  open(path: string): Promise<unknown> {
    return this.page.goto(this.#origin + path)
  }

  /** Keeps pages from receiving new rows, so that their network becomes idle. */
  refuseNewRows(): Promise<unknown> {
    return this.page.route('**/api/console/live', route => route.abort())
  }

  get answer(): Locator {
    return this.page.locator('.answer')
  }
}

export const test = base.extend<{ desk: ConsoleDesk }>({
  desk: async ({ page, service }, use) => {
    const desk = new ConsoleDesk(page, service)
    await desk.signIn(service.key)
    await use(desk)
  },
})

/** Creates a person who entered an account number that the bank doesn’t recognize, and then left. */
export async function startStuckSession(api: Api, page: Page): Promise<string> {
  await api.call('PATCH', '/team', { allowed_origins: ['http://127.0.0.1:4499'] })
  const entity = await api.person(phones.numberRefused)
  const { hosted_url } = await api.call<{ hosted_url: string }>('POST', '/elements/token', {
    type: 'balance_transfer',
    entity_id: entity,
    balance_transfer: { ...usualLoan, loan_amount: 250_000 },
    redirect_url: 'http://127.0.0.1:4499/back',
  })
  const flow = new Flow(page, null)
  await page.goto(hosted_url)
  await flow.begin()
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.which)
  await flow.choose('Capital One Venture', 'Upstart personal loan')
  await flow.goOn()
  await flow.at('What’s the number of your Capital One Venture?')
  await flow.field('Card number').fill('4000 0000 0002 8045')
  await flow.press('Check this number')
  await expect(flow.say(/didn’t recognize that number/)).toBeVisible()
  return entity
}
