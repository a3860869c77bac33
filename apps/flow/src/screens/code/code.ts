/** The code screen. The six digits share one input so that autofill and paste work; the six boxes are decorative. */
import type { StepError, ViewOf } from '@causeway/contract/session'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { ifDefined } from 'lit/directives/if-defined.js'
import { live } from 'lit/directives/live.js'
import { codeLimitOf } from '../../parts/code-limit.js'
import { readCode } from '../../parts/digits.js'
import { describedBy, message } from '../../parts/field.js'
import { icons } from '../../parts/icons.js'
import { readTextMessage } from '../../parts/otp.js'
import { Ticker } from '../../parts/ticker.js'
import { untranslated } from '../../parts/untranslated.js'
import { Announcement } from '../../requests.js'
import { FieldScreen } from '../field-screen.js'
import { NotMe } from '../not-me.js'
import type { ScreenParts } from '../screen.js'
import { SilentAuth } from './silent-auth.js'

const CODE_LENGTH = 6

@customElement('screen-code')
export class CodeScreen extends FieldScreen<'code'> {
  @state() private code = ''
  private readonly notMe = new NotMe(this)
  private readonly silent = new SilentAuth(this, action => this.ask({ action }))
  /** The last code that was submitted. Only the button can submit it again. */
  private tried = ''
  private resending = false
  private reading: AbortController | null = null

  constructor() {
    super()
    new Ticker(this, () => this.wait > 0)
  }

  /** The number of seconds until another code may be sent. */
  private get wait(): number {
    const limit = codeLimitOf(this.view.errors, this.now())
    return Math.max((Date.parse(this.view.data.resend_at) - this.now()) / 1000, limit?.wait ?? 0)
  }

  protected override explain(error: StepError): string | null {
    const { code } = this.words
    switch (error.code) {
      case 'incorrect':
        return code.incorrect(Number(error.values['tries_left'] ?? this.view.data.tries_left))
      case 'required':
      case 'invalid':
        return code.short
      case 'not_sent_yet':
        return code.notSent
      case 'too_many_codes_from_network':
        return this.words.phone.tooManyFromNetwork(this.retryTime(error))
      default:
        return null
    }
  }

  protected override owns(field: string): boolean {
    return field === 'code'
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.ownerDocument.addEventListener('paste', this.onPaste)
    this.reading = new AbortController()
    void readTextMessage(window, this.reading.signal).then(code => code && this.take(code))
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.reading?.abort()
    this.ownerDocument.removeEventListener('paste', this.onPaste)
  }

  /** Clears the entered code once the service has responded to the request for another one. */
  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    const before = changed.get('view') as ViewOf<'code'> | undefined
    if (!this.resending || !before || before.revision === this.view.revision) return
    this.resending = false
    this.code = ''
    this.tried = ''
    if (!this.view.errors.length) this.dispatchEvent(new Announcement(this.words.code.resent))
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('view')) return
    const error = this.errors['code']
    if (error && changed.get('view') && (changed.get('view') as ViewOf<'code'>).revision !== this.view.revision) {
      // If the input already has focus, focusing it again neither announces the message nor selects the code.
      this.dispatchEvent(new Announcement(error))
      this.select()
    }
  }

  protected override act(): void {
    if (this.view.data.silent) return
    if (this.notMe.asking) this.ask({ action: 'not_me' })
    else this.send()
  }

  private send(): void {
    this.tried = this.code
    this.submit(this.code.length === CODE_LENGTH ? {} : { code: this.words.code.short }, () => {
      this.resending = false
      return { action: 'verify', code: this.code }
    })
  }

  protected override page(): ScreenParts {
    const { code } = this.words
    const { last4, editable, silent } = this.view.data
    if (silent) return this.silent.page()
    if (this.notMe.asking) return this.notMe.page(this.words, this.view.brand.name)
    return {
      title: code.title,
      lead: html`<span id="code-hint">${untranslated(code.lead(last4), last4)}</span>
      ${
        editable
          ? html`<button class="textlink inline" type="button" @click=${() => this.ask({ action: 'change' })}>
              ${code.change}
            </button>`
          : nothing
      }`,
      body: html`<div>${this.boxes()} ${message('code', this.errors['code'])} ${this.again()}</div>
        <details class="more">
          <summary><span>${code.missing}</span>${icons.down()}</summary>
          <p>${code.missingBody}</p>
        </details>
        ${
          editable
            ? nothing
            : html`<div>
                <p class="fine">${this.words.phone.fixed(this.view.brand.name)}</p>
                ${this.notMe.link(this.words)}
              </div>`
        }
        <p class="note"><strong>${code.whyTitle}</strong> ${code.why}</p>`,
      action: { label: code.action },
      trust: code.trust(this.view.brand.name),
    }
  }

  private boxes(): TemplateResult {
    const here = Math.min(this.code.length, CODE_LENGTH - 1)
    const error = this.errors['code']
    return html`<div class="code">
      <input
        class="code-input"
        id="code"
        name="code"
        type="text"
        inputmode="numeric"
        autocomplete="one-time-code"
        aria-label=${this.words.code.label}
        aria-invalid=${error ? 'true' : 'false'}
        aria-describedby=${ifDefined(describedBy('code', true, error))}
        data-first
        .value=${live(this.code)}
        @input=${this.onInput}
        @focus=${this.select}
        @click=${this.select}
      />
      <div class="code-boxes" aria-hidden="true" translate="no">
        ${Array.from(
          { length: CODE_LENGTH },
          (_, i) => html`<span class="code-box ${i === here ? 'here' : ''}">${this.code[i] ?? nothing}</span>`,
        )}
      </div>
    </div>`
  }

  private again(): TemplateResult {
    const { code } = this.words
    const waits = this.wait > 0
    const time = this.language.countdown(this.wait)
    return html`<button
      class="textlink num"
      type="button"
      aria-disabled=${waits ? 'true' : 'false'}
      @click=${this.onResend}
    >
      ${waits ? untranslated(code.resendIn(time), time) : code.resend}
    </button>`
  }

  /**
   * Stores the entered code, or the only code in a text message. Submits a complete code immediately, unless it was
   * already submitted. Keeps the code if the text contains none.
   */
  private take(text: string): void {
    this.code = readCode(text, CODE_LENGTH) ?? this.code
    this.clear('code')
    if (this.busy || this.code.length < CODE_LENGTH || this.code === this.tried) return
    this.dispatchEvent(new Announcement(this.words.code.verifying))
    this.send()
  }

  private readonly onInput = (event: Event): void => {
    const target = event.target as HTMLInputElement
    this.take(target.value)
    target.value = this.code
  }

  /** Places the invisible caret after the last digit, or selects a complete code so that typing replaces it. */
  private readonly select = (): void => {
    const { length } = this.code
    this.querySelector<HTMLInputElement>('#code')?.setSelectionRange(length === CODE_LENGTH ? 0 : length, length)
  }

  private readonly onResend = (): void => {
    if (this.wait > 0 || this.busy) return
    this.resending = true
    this.ask({ action: 'resend' })
  }

  /** Accepts a code or a text message that is pasted anywhere on the screen. A part of a code is pasted as usual. */
  private readonly onPaste = (event: ClipboardEvent): void => {
    const isField = (event.target as Element).matches('#code')
    const text = event.clipboardData?.getData('text') ?? ''
    const code = readCode(text, CODE_LENGTH)
    if (isField && code !== null && code.length < CODE_LENGTH) return
    if (isField) event.preventDefault()
    if (code?.length === CODE_LENGTH) this.take(code)
    else if (isField) this.errors = { code: this.words.code.short }
  }
}
