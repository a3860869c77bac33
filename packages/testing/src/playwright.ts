/**
 * Completes an element's screens in Playwright the way a person would. Each step waits for its screen, subject to
 * Playwright's own timeouts.
 */
import type { FrameLocator, Locator, Page } from '@playwright/test'
import type { ElementEvents, ElementEventType } from './events.js'
import { type Control, containing, type ScreenName, screens } from './screens.js'
import {
  type Action,
  type BalanceTransferOptions,
  type ConnectOptions,
  type Details,
  journeys,
  steps,
  type Verification,
} from './steps.js'

export type { ElementEvents, ElementEventType } from './events.js'
export { codes, type ScreenName } from './screens.js'
export type { BalanceTransferOptions, ConnectOptions, Details, Verification } from './steps.js'

/** Finds a control by role and name, either on the screens or within a group of controls. */
function find(within: Pick<Locator, 'getByRole'>, { role, name }: Control): Locator {
  const named = typeof name === 'string' ? { name, exact: true } : { name }
  if (role === 'choice') return within.getByRole('checkbox', named).or(within.getByRole('radio', named))
  return within.getByRole(role, role === 'heading' ? { ...named, level: 1 } : named)
}

const anyChoice: Control = { role: 'choice', name: /./ }

class Flow {
  /** The frame or page that contains the screens, for actions that have no method here. */
  readonly frame: Pick<FrameLocator, 'getByLabel' | 'getByRole' | 'getByText' | 'locator'>
  /** The frame's `<iframe>` tag, or null if the screens are on a page. */
  readonly #tag: Locator | null

  constructor(frame: FrameLocator | Page) {
    this.frame = frame
    this.#tag = 'owner' in frame ? frame.owner() : null
  }

  /** Finds a screen's title, for assertions such as `expect(flow.screen('code')).toBeVisible()`. */
  screen(name: ScreenName): Locator {
    return find(this.frame, screens[name].title)
  }

  /** Finds a message or other text on the screen. A string matches any text that contains it. */
  message(text: string | RegExp): Locator {
    // An invisible region for screen readers repeats each message.
    return this.frame.getByText(containing(text)).locator('visible=true').first()
  }

  /** Continues past the first screen of a hosted page. An element does not have this screen. */
  begin(): Promise<void> {
    return this.#run(steps.begin())
  }

  /** Agrees to share accounts. */
  consent(): Promise<void> {
    return this.#run(steps.consent())
  }

  /** Enters the code. If a phone number is given, enters the number first to request the code. */
  verifyPhone(verification?: Verification): Promise<void> {
    return this.#run(steps.verifyPhone(verification))
  }

  /**
   * Requests a code on the screen that shows or asks for the number: on the person's own page, or after a code expired.
   */
  requestCode(phone?: string): Promise<void> {
    return this.#run(steps.requestCode(phone))
  }

  /** Enters a code on the screen that asks for it. */
  enterCode(code?: string): Promise<void> {
    return this.#run(steps.enterCode(code))
  }

  giveDetails(details: Details): Promise<void> {
    return this.#run(steps.giveDetails(details))
  }

  /** Answers each question with the first choice that contains the text. */
  answerQuestions(answer: string | RegExp): Promise<void> {
    return this.#run(steps.answerQuestions(answer))
  }

  /** Chooses accounts, each by part of its name, and continues. */
  selectAccounts(...names: string[]): Promise<void> {
    return this.#run(steps.selectAccounts(names))
  }

  selectAllAccounts(): Promise<void> {
    return this.#run(steps.selectAllAccounts())
  }

  enterNumber(account: string, number: string): Promise<void> {
    return this.#run(steps.enterNumber(account, number))
  }

  /** Skips an account whose number the person does not have at hand. */
  skipNumber(account: string): Promise<void> {
    return this.#run(steps.skipNumber(account))
  }

  /**
   * Changes the amounts for accounts, each identified by part of its name. Amounts are in dollars, as a person would
   * type them. Other accounts keep their suggested amounts.
   */
  setAmounts(amounts?: Readonly<Record<string, string>>): Promise<void> {
    return this.#run(steps.setAmounts(amounts))
  }

  confirmPayments(): Promise<void> {
    return this.#run(steps.confirmPayments())
  }

  /** Closes the last screen. */
  done(): Promise<void> {
    return this.#run(steps.done())
  }

  /** Completes every screen of an account connection. */
  connect(options: ConnectOptions = {}): Promise<void> {
    return this.#run(journeys.connect(options))
  }

  /** Completes every screen of a balance transfer. */
  transferBalances(options: BalanceTransferOptions = {}): Promise<void> {
    return this.#run(journeys.balanceTransfer(options))
  }

  async #run(actions: Action[]): Promise<void> {
    for (const action of actions) await this.#act(action)
  }

  async #act(action: Action): Promise<void> {
    switch (action.do) {
      case 'wait':
        return find(this.frame, action.for).waitFor()
      case 'press':
        return this.#press(find(this.frame, action.control))
      case 'fill':
        return find(this.frame, action.control).fill(action.text)
      case 'select':
        await find(this.frame, action.control).selectOption(action.option)
        return
      case 'check':
        return this.#check(find(this.frame, action.control))
      case 'check all':
        for (const choice of await find(find(this.frame, action.of), anyChoice).all()) await this.#check(choice)
        return
      case 'check each':
        for (const group of await find(this.frame, action.of).all())
          await this.#check(find(group, action.control).first())
        return
    }
  }

  /**
   * Clicks an element. The height of an inline frame follows its content, so the element can move between Playwright's
   * check and its mouse click. In an inline frame, the click is therefore dispatched to the element right after the
   * check.
   */
  async #press(element: Locator): Promise<void> {
    if (!(await this.#isInline())) return element.click()
    await element.click({ trial: true })
    await element.dispatchEvent('click')
  }

  /** Checks a choice that is not checked yet. */
  async #check(choice: Locator): Promise<void> {
    if (!(await choice.isChecked())) await this.#press(choice)
  }

  async #isInline(): Promise<boolean> {
    const display = await this.#tag?.evaluate(tag => {
      const root = tag.getRootNode()
      return root instanceof ShadowRoot ? root.host.getAttribute('display') : null
    })
    return display === 'inline'
  }
}

export type { Flow }

/** The screens inside an element. @param selector identifies the element, such as `connect-element` */
export const elementFrame = (page: Page, selector: string): Flow =>
  flowIn(page.locator(selector).frameLocator('iframe'))

/** The same screens on a hosted page or in a frame that the test located. */
export const flowIn = (where: Page | FrameLocator): Flow => new Flow(where)

/**
 * Resolves with the data from the next event of this type from any element on the page. Call it before the step that
 * triggers the event, and await the promise afterward.
 */
export function nextEvent<Type extends ElementEventType>(page: Page, type: Type): Promise<ElementEvents[Type]> {
  const event = page.evaluate(
    name =>
      new Promise<unknown>(resolve => {
        const onEvent = (event: Event) => {
          const { isTrusted: _, ...data } = event as unknown as Record<string, unknown>
          resolve(data)
        }
        document.addEventListener(name, onEvent, { once: true, capture: true })
      }),
    type,
  ) as Promise<ElementEvents[Type]>
  // If a journey fails, the test ends without awaiting the event. Ignoring the promise's rejection lets the test report
  // the journey's error.
  event.catch(() => undefined)
  return event
}

/**
 * Links accounts in an open element, from the first screen to the last. Resolves with the data from `element-success`.
 */
export async function completeConnect(
  page: Page,
  options: ConnectOptions = {},
): Promise<ElementEvents['element-success']> {
  const success = nextEvent(page, 'element-success')
  await elementFrame(page, options.element ?? 'connect-element').connect(options)
  return success
}

/**
 * Splits a loan in an open element, from the first screen to the last. Resolves with the data from
 * `allocations-confirmed`.
 */
export async function completeBalanceTransfer(
  page: Page,
  options: BalanceTransferOptions = {},
): Promise<ElementEvents['allocations-confirmed']> {
  const confirmed = nextEvent(page, 'allocations-confirmed')
  await elementFrame(page, options.element ?? 'opal-balance-transfer-element').transferBalances(options)
  return confirmed
}
