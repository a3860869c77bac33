/**
 * Verifies a bank account with two small deposits: the person requests them, waits for them to arrive, and enters their
 * amounts.
 */

import type { StepError } from '@causeway/contract/session'
import { digitsOf } from '@causeway/contract/values/digits'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { ifDefined } from 'lit/directives/if-defined.js'
import { live } from 'lit/directives/live.js'
import { accountLogo, accountTitle, balanceOf } from '../../parts/account.js'
import { attemptsLeftNote } from '../../parts/attempts-left.js'
import { message } from '../../parts/field.js'
import { icons } from '../../parts/icons.js'
import { Announcement, ExitRequest } from '../../requests.js'
import { FieldScreen } from '../field-screen.js'
import type { Errors, ScreenParts } from '../screen.js'

const parts = ['first', 'second'] as const
type Part = (typeof parts)[number]
const blank: Record<Part, string> = { first: '', second: '' }

/** The number of digits of an amount below a dollar. */
const CENTS_LENGTH = 2

/** Returns the cents digits of an amount typed as `32`, `.32` or `$0.32`. */
const centsOf = (text: string) => digitsOf(text.split(/[.,٫]/).at(-1)!)

@customElement('screen-deposits')
export class DepositsScreen extends FieldScreen<'deposits'> {
  @state() private values = blank
  private stood: string | null = null

  protected override subject(): string {
    const { account, state } = this.view.data
    return `${account.id} ${state}`
  }

  protected override begin(): void {
    this.values = blank
  }

  /** When the state changes, scrolls to the top and focuses the heading, as a new screen would. */
  protected override updated(changed: PropertyValues): void {
    const { state } = this.view.data
    if (!changed.has('view') || state === this.stood) return
    const isFirst = this.stood === null
    this.stood = state
    if (isFirst) return
    this.ownerDocument.scrollingElement?.scrollTo({ top: 0 })
    this.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }

  protected override owns(field: string): boolean {
    return field === 'amounts' || field in blank
  }

  protected override explain(error: StepError): string | null {
    const { code, values } = error
    const { deposits } = this.words
    if (code === 'too_many_deposits') return deposits.tooMany(this.retryTime(error))
    if (code === 'incorrect') return deposits.incorrect(Number(values['tries_left'] ?? this.view.data.tries_left))
    return code === 'required' ? deposits.need : code === 'invalid' ? deposits.bad : null
  }

  protected override act(): void {
    const { state } = this.view.data
    const { first, second } = this.values
    if (state === 'offer') this.ask({ action: 'send' })
    else if (state === 'sent') this.leave()
    else this.submit(this.check(), () => ({ action: 'submit', first: Number(first), second: Number(second) }))
  }

  private leave(): void {
    this.dispatchEvent(new ExitRequest())
  }

  private check(): Errors {
    const { deposits } = this.words
    return Object.fromEntries(
      parts.flatMap(part => {
        const text = this.values[part]
        if (text === '') return [[part, deposits.need]]
        return text.length === CENTS_LENGTH && text !== '00' ? [] : [[part, deposits.bad]]
      }),
    )
  }

  protected override page(): ScreenParts {
    const { state } = this.view.data
    return state === 'offer' ? this.offer() : state === 'sent' ? this.sent() : this.amounts()
  }

  private offer(): ScreenParts {
    const { deposits } = this.words
    return {
      title: deposits.title,
      lead: deposits.lead(this.view.brand.name),
      body: html`${this.account()}
        <section class="stack">
          <h2>${deposits.howTitle}</h2>
          <ol class="next">
            ${step('1', deposits.howSend)} ${step('2', deposits.howArrive, deposits.howArriveNote)}
            ${step('3', deposits.howEnter)}
          </ol>
        </section>`,
      action: { label: deposits.action },
      trust: deposits.trust,
    }
  }

  private sent(): ScreenParts {
    const { deposits } = this.words
    const { sent_at } = this.view.data
    const by = this.day(this.view.data.arrive_by)
    return {
      mark: html`<span class="badge">${icons.clock()}</span>`,
      title: deposits.sentTitle,
      lead: deposits.sentLead(by),
      body: html`${this.account()}
        <section class="stack">
          <h2>${this.words.done.nextTitle}</h2>
          <ol class="next">
            ${sent_at ? step(null, deposits.sentOn(this.day(sent_at))) : step('1', deposits.sending)}
            ${step('2', deposits.arriveBy(by), deposits.howArriveNote)}
            ${step('3', deposits.howEnter, deposits.saved)}
          </ol>
        </section>`,
      action: { label: deposits.leave },
      ...(sent_at ? { second: this.quiet(deposits.enter, () => this.ask({ action: 'enter' })) } : {}),
      trust: deposits.trust,
    }
  }

  private amounts(): ScreenParts {
    const { deposits, number } = this.words
    const { sent_at, arrive_by, tries_left } = this.view.data
    const error = this.errors['amounts']
    return {
      title: deposits.enterTitle,
      lead: deposits.enterLead(this.day(sent_at)),
      body: html`${this.account()}
        <fieldset class="set">
          <legend>${deposits.group}</legend>
          <p class="hint" id="amounts-hint">${deposits.hint}</p>
          <div class="fields">${parts.map(part => this.field(part))}</div>
          ${message('amounts', error)}
        </fieldset>
        <details class="more">
          <summary><span>${deposits.where}</span>${icons.down()}</summary>
          <p>${deposits.whereBody(this.day(arrive_by))}</p>
        </details>`,
      action: { label: deposits.check },
      second: this.quiet(deposits.later, () => this.leave()),
      trust: attemptsLeftNote(tries_left, number.trust, this.words),
    }
  }

  private day(moment: string | null): string {
    return this.language.date(moment ?? new Date(this.now()).toISOString())
  }

  private quiet(label: string, act: () => void): TemplateResult {
    return html`<button class="second wide bare" type="button" @click=${act}>${label}</button>`
  }

  private account(): TemplateResult {
    const { account } = this.view.data
    return html`<div class="row">
      ${accountLogo(account)}<span>${accountTitle(account, this.language)}</span>${balanceOf(account, this.language)}
    </div>`
  }

  private field(part: Part): TemplateResult {
    const own = this.errors[part]
    const both = this.errors['amounts']
    const described = ['amounts-hint', own ? `${part}-error` : '', both ? 'amounts-error' : '']
      .filter(Boolean)
      .join(' ')
    return html`<div>
      <label class="label" for=${part}>${this.words.deposits[part]}</label>
      <div class="boxed ${own || both ? 'bad' : ''}" dir="ltr">
        <span aria-hidden="true" translate="no">$0.</span>
        <input
          class="input digits"
          id=${part}
          name=${part}
          type="text"
          inputmode="numeric"
          autocomplete="off"
          aria-invalid=${own || both ? 'true' : 'false'}
          aria-describedby=${ifDefined(described)}
          .value=${live(this.values[part])}
          @input=${(event: InputEvent) => this.set(part, event.target as HTMLInputElement)}
        />
      </div>
      ${message(part, own)}
    </div>`
  }

  /** Stores what the person typed. More than two digits are refused, because cutting them would change the amount. */
  private set(part: Part, input: HTMLInputElement): void {
    const cents = centsOf(input.value)
    for (const field of [part, 'amounts', '']) this.clear(field)
    if (cents.length <= CENTS_LENGTH) {
      this.values = { ...this.values, [part]: cents }
      return
    }
    this.errors = { ...this.errors, [part]: this.words.deposits.bad }
    this.dispatchEvent(new Announcement(this.words.deposits.bad))
  }
}

/** Renders one item in a list of steps. A step without a number is complete. */
const step = (number: string | null, text: string, note?: string): TemplateResult =>
  html`<li>
    <span class="next-mark ${number === null ? 'past' : ''}" translate="no">${number ?? icons.check()}</span>
    <span>${text}${note ? html`<small>${note}</small>` : nothing}</span>
  </li>`
