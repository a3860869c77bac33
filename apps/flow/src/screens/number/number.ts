/**
 * The screen for one account's full number. The person can type or paste the number in any format. The screen formats
 * the number in groups, and masks it when the input loses focus.
 */

import type { StepError } from '@causeway/contract/session'
import { toAsciiDigits } from '@causeway/contract/values/digits'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { accountLogo, accountTitle, balanceOf } from '../../parts/account.js'
import { attemptsLeftNote } from '../../parts/attempts-left.js'
import { intoPattern, rewrite } from '../../parts/digits.js'
import { describedBy, message } from '../../parts/field.js'
import { icons } from '../../parts/icons.js'
import { FieldScreen } from '../field-screen.js'
import type { Errors, ScreenParts } from '../screen.js'

/** Removes separators but keeps letters, which some lenders' numbers contain. */
const clean = (text: string) =>
  toAsciiDigits(text)
    .normalize('NFKC')
    .replace(/[^0-9A-Za-z]/g, '')
    .toUpperCase()
    .slice(0, 34)
const digitsIn = (pattern: string) => pattern.split('#').length - 1
const MIN_NUMBER_LENGTH = 5

@customElement('screen-number')
export class NumberScreen extends FieldScreen<'number'> {
  @state() private number = ''
  @state() private focused = false
  @state() private shown = false
  /**
   * A number rejected because its last digits don't match. The person can submit it a second time, because a
   * replacement card has a new number.
   */
  private insisted = ''

  protected override subject(): string {
    return this.view.data.account.id
  }

  protected override begin(): void {
    this.number = ''
    this.shown = false
    this.insisted = ''
  }

  protected override explain(error: StepError): string | null {
    const { number } = this.words
    switch (error.code) {
      case 'required':
        return number.required
      case 'incorrect':
        return number.incorrect(
          this.view.data.account.institution,
          Number(error.values['tries_left'] ?? this.view.data.tries_left),
        )
      case 'mask_mismatch':
        return number.mask(String(error.values['mask'] ?? this.view.data.account.mask ?? ''))
      case 'invalid':
        return number.invalid
      default:
        return null
    }
  }

  protected override owns(field: string): boolean {
    return field === 'number'
  }

  protected override act(): void {
    this.submit(this.check(), () => ({ action: 'submit', number: this.number }))
  }

  private check(): Errors {
    const { number } = this.words
    const { mask } = this.view.data.account
    if (this.number === '') return { number: number.required }
    if (this.number.length < MIN_NUMBER_LENGTH) return { number: number.short }
    if (mask && !this.number.endsWith(mask) && this.insisted !== this.number) {
      this.insisted = this.number
      return { number: number.mask(mask) }
    }
    return {}
  }

  protected override page(): ScreenParts {
    const { number } = this.words
    const { account, count, index, tries_left, skippable } = this.view.data
    const card = account.type === 'credit_card'
    const own = this.view.mode === 'account_verification'
    return {
      ...(count > 1 ? { eyebrow: number.progress(index, count) } : {}),
      title: number.title(account.name),
      lead: own ? number.leadOwn(account.institution) : number.lead(account.institution),
      body: html`<div class="row">
          ${accountLogo(account)}<span>${accountTitle(account, this.language)}</span>${balanceOf(account, this.language)}
        </div>
        ${this.field(card)}
        <details class="more">
          <summary><span>${number.where}</span>${icons.down()}</summary>
          <p>${card ? number.whereCard : number.whereLoan}</p>
        </details>
        <p class="note"><strong>${number.whyTitle}</strong> ${number.why(this.view.brand.name)}</p>`,
      action: { label: number.action },
      ...(skippable ? { second: this.skip() } : {}),
      trust: attemptsLeftNote(tries_left, number.trust, this.words),
    }
  }

  private skip(): TemplateResult {
    return html`<button class="second wide bare" type="button" @click=${() => this.ask({ action: 'skip' })}>
      ${this.words.number.skip}
    </button>`
  }

  /** Formats the number the way the lender does, or in groups of four if the lender's format is unknown. */
  private grouped(text: string): string {
    const patterns = [...this.view.data.formats].sort((a, b) => digitsIn(a) - digitsIn(b))
    const pattern = patterns.find(each => digitsIn(each) >= text.length) ?? patterns.at(-1)
    const tells = pattern !== undefined && /[^#]/.test(pattern)
    return intoPattern(text, tells ? pattern : text.replace(/.{4}(?=.)/g, '#### ').replace(/[^# ]/g, '#'))
  }

  /** Returns the number in the same format, with all but the last four digits hidden. */
  private masked(): string {
    const last = this.number.slice(-4)
    return this.grouped('•'.repeat(this.number.length - last.length) + last)
  }

  private hint(): string {
    const { number } = this.words
    const { account, formats } = this.view.data
    const counts = [...new Set(formats.map(digitsIn))].sort((a, b) => a - b).map(String)
    return [
      account.mask ? number.ends(account.mask) : '',
      counts.length ? number.digits(this.language.list(counts, 'disjunction')) : '',
    ]
      .filter(text => text !== '')
      .join(' ')
  }

  /**
   * Renders the input. Only card numbers get a numeric keyboard, because some lenders' account numbers contain letters.
   */
  private field(isCard: boolean): TemplateResult {
    const { number } = this.words
    const error = this.errors['number']
    const hint = this.hint()
    const plain = this.focused || this.shown || this.number === ''
    return html`<div>
      <label class="label" for="number">${isCard ? number.labelCard : number.label}</label>
      ${hint ? html`<p class="hint" id="number-hint">${hint}</p>` : nothing}
      <div class="boxed ${error ? 'bad' : ''}" dir="ltr">
        <input
          class="input digits"
          id="number"
          name="number"
          type="text"
          inputmode=${isCard ? 'numeric' : 'text'}
          autocomplete=${isCard ? 'cc-number' : 'off'}
          autocapitalize="characters"
          spellcheck="false"
          aria-invalid=${error ? 'true' : 'false'}
          aria-describedby=${describedBy('number', hint, error) ?? nothing}
          .value=${plain ? this.grouped(this.number) : this.masked()}
          @focus=${() => {
            this.focused = true
          }}
          @blur=${() => {
            this.focused = false
          }}
          @input=${this.onInput}
        />
        ${
          this.number
            ? html`<button
                class="worded"
                type="button"
                aria-pressed=${plain ? 'true' : 'false'}
                aria-label=${plain ? number.hideSpoken : number.showSpoken}
                @mousedown=${(event: Event) => event.preventDefault()}
                @click=${({ currentTarget }: Event) => {
                  this.shown = !plain
                  // The number stays visible as long as its field has the focus.
                  ;(currentTarget as HTMLElement).focus()
                }}
              >
                ${plain ? number.hide : number.show}
              </button>`
            : nothing
        }
      </div>
      ${message('number', error)}
    </div>`
  }

  private readonly onInput = (event: InputEvent): void => {
    this.number = rewrite(event.target as HTMLInputElement, clean, text => this.grouped(text))
    this.clear('number')
  }
}
