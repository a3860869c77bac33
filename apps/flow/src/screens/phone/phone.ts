/** The phone number screen: the person confirms the masked number on file or types a number. */

import type { StepError } from '@causeway/contract/session'
import { readPhone, readUsPhone } from '@causeway/contract/values/phones'
import { html, nothing, svg, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { codeLimitOf } from '../../parts/code-limit.js'
import { isUsNumber, rewrite, showUsNumber, tidyPhone } from '../../parts/digits.js'
import { input, message } from '../../parts/field.js'
import { icon } from '../../parts/icons.js'
import { isOnMobileNetwork } from '../../parts/mobile-network.js'
import { Ticker } from '../../parts/ticker.js'
import { untranslated } from '../../parts/untranslated.js'
import { FieldScreen } from '../field-screen.js'
import { NotMe } from '../not-me.js'
import type { Errors, ScreenParts } from '../screen.js'

const phoneIcon = () => icon(svg`<rect x="5.5" y="2.5" width="9" height="15" rx="2" /><path d="M9 14.75h2" />`)

@customElement('screen-phone')
export class PhoneScreen extends FieldScreen<'phone'> {
  /** The number as the field shows it. */
  @state() private text = ''
  /** True if the person is entering a number other than the one on file. */
  @state() private other = false
  private readonly notMe = new NotMe(this)
  /** The text of the number for which a code was last requested; empty for the number on file. */
  private asked = ''

  constructor() {
    super()
    new Ticker(this, () => this.wait > 0)
  }

  /** The number of seconds until a code can be sent. A limit on one number does not apply to other numbers. */
  private get wait(): number {
    const limit = codeLimitOf(this.view.errors, this.now())
    if (!limit || (limit.by === 'number' && this.typed && this.text !== this.asked)) return 0
    return limit.wait
  }

  protected override explain(error: StepError): string | null {
    const { phone } = this.words
    switch (error.code) {
      case 'invalid':
        return phone.invalid
      case 'refused':
        return phone.refused
      case 'required':
        return phone.required
      case 'not_sent':
        return phone.notSent
      case 'too_many_codes_from_network':
        return this.words.phone.tooManyFromNetwork(this.retryTime(error))
      default:
        return null
    }
  }

  protected override owns(field: string): boolean {
    return field === 'phone'
  }

  private get typed(): boolean {
    return this.view.data.last4 === null || (this.other && this.view.data.editable)
  }

  protected override act(): void {
    if (this.notMe.asking) this.ask({ action: 'not_me' })
    else this.send()
  }

  private send(): void {
    const errors = this.typed ? this.check() : {}
    this.asked = this.typed ? this.text : ''
    this.submit(errors, () => ({
      action: 'send',
      ...(this.typed ? { phone: readUsPhone(this.text)! } : {}),
      ...(isOnMobileNetwork() ? { silent: true } : {}),
    }))
  }

  private check(): Errors {
    const { phone } = this.words
    const { digits, isForeign } = readPhone(this.text)
    const missing = isForeign ? 0 : 10 - digits.length
    if (missing === 10) return { phone: phone.required }
    if (missing > 0) return { phone: phone.short(missing) }
    return readUsPhone(this.text) === null ? { phone: phone.invalid } : {}
  }

  protected override page(): ScreenParts {
    const { phone } = this.words
    const { last4 } = this.view.data
    if (this.notMe.asking) return this.notMe.page(this.words, this.view.brand.name)
    const time = this.language.countdown(this.wait)
    return {
      title: this.typed ? phone.titleNew : phone.titleKnown,
      lead: this.typed || last4 === null ? phone.leadNew : phone.leadKnown(last4),
      body: html`<div>${this.typed ? this.field() : this.known(last4 ?? '')}${this.choice()}</div>
        <p class="note"><strong>${phone.whyTitle}</strong> ${phone.why}</p>`,
      action:
        this.wait > 0 ? { label: untranslated(phone.actionIn(time), time), disabled: true } : { label: phone.action },
      trust: phone.trust,
    }
  }

  private known(last4: string): TemplateResult {
    const { phone } = this.words
    return html`<div class="known">
        <span class="point-mark">${phoneIcon()}</span>
        <div>
          <span>${phone.fileLabel}</span>
          <strong><span class="sr">${untranslated(phone.maskedSpoken(last4), last4)}</span><bdi aria-hidden="true" translate="no">${phone.masked(last4)}</bdi></strong>
        </div>
      </div>
      ${message('phone', this.errors['phone'])}
      ${
        this.view.data.editable
          ? nothing
          : html`<p class="fine">${phone.fixed(this.view.brand.name)}</p>
              ${this.notMe.link(this.words)}`
      }`
  }

  private field(): TemplateResult {
    const { phone } = this.words
    const error = this.errors['phone'] ?? null
    return html`<div>
      <label class="label" for="phone">${phone.label}</label>
      <p class="hint" id="phone-hint">${phone.hint}</p>
      <div class="prefixed" dir="ltr">
        <span class="prefix" aria-hidden="true" ?hidden=${/^\W*\+/.test(this.text)}>+1</span>
        ${input({
          name: 'phone',
          label: phone.label,
          hint: phone.hint,
          error,
          value: this.text,
          inputmode: 'tel',
          autocomplete: 'tel-national',
          digits: true,
          onInput: event => this.type(event.target as HTMLInputElement, event.inputType),
          onBlur: () => {
            this.text = tidyPhone(this.text)
          },
        })}
      </div>
      ${message('phone', error)}
    </div>`
  }

  /**
   * Formats a number while it is typed. Keeps text that is not part of a US number as typed, such as an extension that
   * is still being typed or another country's number.
   */
  private type(input: HTMLInputElement, inputType: string): void {
    if (isUsNumber(input.value)) rewrite(input, text => readPhone(text).digits, showUsNumber)
    this.text = inputType === 'insertText' ? input.value : tidyPhone(input.value)
    this.clear('phone')
  }

  private choice(): TemplateResult | typeof nothing {
    const { last4, editable } = this.view.data
    if (last4 === null || !editable) return nothing
    return html`<button class="textlink" type="button" @click=${this.onChoice}>
      ${this.other ? this.words.phone.file : this.words.phone.other}
    </button>`
  }

  private readonly onChoice = async (): Promise<void> => {
    if (this.busy) return
    this.other = !this.other
    this.errors = {}
    this.discard()
    await this.updateComplete
    this.querySelector<HTMLInputElement>('#phone')?.focus()
  }
}
