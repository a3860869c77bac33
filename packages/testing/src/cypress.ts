/// <reference types="cypress" preserve="true" />
/**
 * Completes an element's screens in Cypress the way a person would. The test needs access to the frame, so set
 * `chromeWebSecurity: false`, which Cypress supports in Chromium-based browsers. Each step waits for its screen for up
 * to `defaultCommandTimeout`. The repository compiles this module against the Cypress types but does not run it.
 */
import { findControls } from './dom.js'
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

const nameOf = ({ role, name }: Control): string => `${role} ${typeof name === 'string' ? `"${name}"` : name}`

class Flow {
  readonly #selector: string

  constructor(selector: string) {
    this.#selector = selector
  }

  /** The document that contains the screens, for actions that have no method here. */
  document(): Cypress.Chainable<Document> {
    return cy
      .get(this.#selector)
      .shadow()
      .find('iframe')
      .its('0.contentDocument') as unknown as Cypress.Chainable<Document>
  }

  /** Finds a screen's title, for assertions such as `flow.screen('code').should('be.visible')`. */
  screen(name: ScreenName): Cypress.Chainable<JQuery<HTMLElement>> {
    return this.#find(screens[name].title)
  }

  /** Finds a message or other text on the screen. A string matches any text that contains it. */
  message(text: string | RegExp): Cypress.Chainable<JQuery<HTMLElement>> {
    return this.document().its('body').contains(containing(text)) as unknown as Cypress.Chainable<JQuery<HTMLElement>>
  }

  /** Agrees to share accounts. */
  consent(): this {
    return this.#run(steps.consent())
  }

  /** Enters the code. If a phone number is given, enters the number first to request the code. */
  verifyPhone(verification?: Verification): this {
    return this.#run(steps.verifyPhone(verification))
  }

  /**
   * Requests a code on the screen that shows or asks for the number: on the person's own page, or after a code expired.
   */
  requestCode(phone?: string): this {
    return this.#run(steps.requestCode(phone))
  }

  /** Enters a code on the screen that asks for it. */
  enterCode(code?: string): this {
    return this.#run(steps.enterCode(code))
  }

  giveDetails(details: Details): this {
    return this.#run(steps.giveDetails(details))
  }

  /** Answers each question with the first choice that contains the text. */
  answerQuestions(answer: string | RegExp): this {
    return this.#run(steps.answerQuestions(answer))
  }

  /** Chooses accounts, each by part of its name, and continues. */
  selectAccounts(...names: string[]): this {
    return this.#run(steps.selectAccounts(names))
  }

  selectAllAccounts(): this {
    return this.#run(steps.selectAllAccounts())
  }

  enterNumber(account: string, number: string): this {
    return this.#run(steps.enterNumber(account, number))
  }

  /** Skips an account whose number the person does not have. */
  skipNumber(account: string): this {
    return this.#run(steps.skipNumber(account))
  }

  /**
   * Changes the amounts for accounts, each identified by part of its name. Amounts are in dollars, as a person would
   * type them. Other accounts keep their suggested amounts.
   */
  setAmounts(amounts?: Readonly<Record<string, string>>): this {
    return this.#run(steps.setAmounts(amounts))
  }

  confirmPayments(): this {
    return this.#run(steps.confirmPayments())
  }

  /** Closes the last screen. */
  done(): this {
    return this.#run(steps.done())
  }

  /** Completes every screen of an account connection. */
  connect(options: ConnectOptions = {}): this {
    return this.#run(journeys.connect(options))
  }

  /** Completes every screen of a balance transfer. */
  transferBalances(options: BalanceTransferOptions = {}): this {
    return this.#run(journeys.balanceTransfer(options))
  }

  #run(actions: Action[]): this {
    for (const action of actions) this.#act(action)
    return this
  }

  #act(action: Action): void {
    switch (action.do) {
      case 'wait':
        this.#find(action.for)
        break
      case 'press':
        this.#find(action.control).click()
        break
      case 'fill':
        this.#find(action.control).clear()
        this.#find(action.control).type(action.text)
        break
      case 'select':
        this.#find(action.control).select(action.option)
        break
      case 'check':
        this.#find(action.control).check()
        break
      case 'check all':
        this.document().then(document => {
          for (const group of findControls(document, action.of))
            for (const choice of findControls(group, { role: 'choice', name: /./ })) cy.wrap(choice).check()
        })
        break
      case 'check each':
        this.document().then(document => {
          for (const group of findControls(document, action.of))
            for (const choice of findControls(group, action.control).slice(0, 1)) cy.wrap(choice).check()
        })
        break
    }
  }

  /** Finds the matching control, and retries until exactly one matches. */
  #find(control: Control): Cypress.Chainable<JQuery<HTMLElement>> {
    return this.document()
      .should(document => {
        const { length } = findControls(document, control)
        if (length !== 1) throw new Error(`${length} controls match ${nameOf(control)}`)
      })
      .then(document => cy.wrap(Cypress.$(findControls(document, control)) as JQuery<HTMLElement>))
  }
}

export type { Flow }

/** The screens inside an element. @param selector identifies the element, such as `connect-element` */
export const elementFrame = (selector: string): Flow => new Flow(selector)

/**
 * Listens for the next event of this type from any element on the page. Returns a function to call after the step that
 * triggers the event. The function yields the event's data.
 */
export function nextEvent<Type extends ElementEventType>(type: Type): () => Cypress.Chainable<ElementEvents[Type]> {
  let data: ElementEvents[Type] | null = null
  cy.document().then(document => {
    const onEvent = (event: Event) => {
      const { isTrusted: _, ...own } = event as unknown as Record<string, unknown>
      data = own as unknown as ElementEvents[Type]
    }
    document.addEventListener(type, onEvent, { once: true, capture: true })
  })
  return () =>
    cy
      .wrap(null)
      .should(() => {
        if (data === null) throw new Error(`The page received no ${type}`)
      })
      .then(() => cy.wrap(data as ElementEvents[Type]))
}

/**
 * Dispatches an event as the element would, without showing the element's screens. Use it to test how the page handles
 * the event.
 *
 * @param selector identifies the element, such as `connect-element`
 */
export function dispatchElementEvent<Type extends ElementEventType>(
  selector: string,
  type: Type,
  data: ElementEvents[Type],
): void {
  cy.get(selector).then(elements => {
    const event = new Event(type, { bubbles: true, composed: true, cancelable: type === 'element-exit' })
    for (const element of elements) element.dispatchEvent(Object.assign(event, data))
  })
}

/** Links accounts in an open element, from the first screen to the last. Yields the data from `element-success`. */
export function completeConnect(options: ConnectOptions = {}): Cypress.Chainable<ElementEvents['element-success']> {
  const success = nextEvent('element-success')
  elementFrame(options.element ?? 'connect-element').connect(options)
  return success()
}

/**
 * Splits a loan in an open element, from the first screen to the last. Yields the data from `allocations-confirmed`.
 */
export function completeBalanceTransfer(
  options: BalanceTransferOptions = {},
): Cypress.Chainable<ElementEvents['allocations-confirmed']> {
  const confirmed = nextEvent('allocations-confirmed')
  elementFrame(options.element ?? 'opal-balance-transfer-element').transferBalances(options)
  return confirmed()
}
