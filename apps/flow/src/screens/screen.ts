/**
 * The base class of all screens. A screen renders one view, keeps the person's input, and requests the next step.
 * Screens render into the document rather than into shadow trees, which would break labels, descriptions and autofill.
 */
import type { Step, StepError, StepInput, ViewOf } from '@causeway/contract/session'
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { AnyInput, Fault } from '../frame-client.js'
import { icons } from '../parts/icons.js'
import { redraw } from '../parts/redraw.js'
import { StepRequest } from '../requests.js'
import type { Words } from '../words/en.js'
import { english, type Language } from '../words/language.js'

/**
 * The parts of a screen. `action` is the single primary button. `look` is `idle` for a button that looks inactive but
 * still responds, and `danger` for an action that deletes something. `disabled` disables the button, and `href` makes
 * it a link that opens in another tab. `second` is a less prominent button below the primary one.
 */
export interface ScreenParts {
  mark?: TemplateResult
  eyebrow?: string
  title: string
  lead?: TemplateResult | string
  body: TemplateResult | typeof nothing
  action?: { label: string | TemplateResult; look?: 'idle' | 'danger' | ''; disabled?: boolean; href?: string }
  second?: TemplateResult | typeof nothing
  /** A sentence that says what is missing, shown above the button so that it does not shift the content. */
  caution?: string | null
  /** The statement directly above the button. The person agrees to it by pressing the button. */
  agreement?: TemplateResult | string
  trust?: string
}

export type Errors = Record<string, string>

export abstract class Screen<S extends Step> extends LitElement {
  @property({ attribute: false }) view!: ViewOf<S>
  @property({ attribute: false }) language: Language = english
  @property({ attribute: false }) fault: Fault | null = null
  @property({ attribute: false }) busy = false
  /** Returns the time in epoch milliseconds. Tests and screenshots inject a fixed clock. */
  @property({ attribute: false }) now: () => number = Date.now
  /** Error messages keyed by field. The key `''` holds errors that apply to the whole step. */
  @state() protected errors: Errors = {}
  /** True if the person has entered something on this screen. */
  entered = false
  /** True if the failed call submitted a step. The button that submitted the step also repeats the call. */
  isStep = false
  /** Repeats the failed call. */
  retry!: () => void
  private about: string | null = null

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  protected get words(): Words {
    return this.language.words
  }

  /** Returns the message for a rejection of this step; null if this screen has no message for it. */
  protected explain(_error: StepError): string | null {
    return null
  }

  /** Formats the time after which a rejected request can be retried. */
  protected retryTime({ values }: StepError): string {
    return this.moment(String(values['retry_at']))
  }

  /** Formats a future time for use in a sentence. Includes the date unless the time is today. */
  protected moment(iso: string): string {
    const { words, language } = this
    const isToday = new Date(iso).toDateString() === new Date(this.now()).toDateString()
    return isToday ? words.moment.today(language.time(iso)) : words.moment.later(language.date(iso), language.time(iso))
  }

  /**
   * Returns true if this screen shows the field's errors next to the field. The screen shows all other errors as errors
   * of the whole step.
   */
  protected owns(_field: string): boolean {
    return false
  }

  /**
   * Describes a rejection. Any screen may need these messages, because some rejections arrive with the following step.
   * The first screen's only rejection is `changed`, so the other messages load with the text of the later screens.
   */
  private sentenceFor(error: StepError): string {
    const words = this.words.error
    const own = this.explain(error)
    if (own !== null) return own
    switch (error.code) {
      case 'changed':
      case 'terms_changed':
        return words.changed
      case 'too_many_codes':
        return this.words.phone.tooManyCodes(this.retryTime(error))
      default:
        // On the first screen, `rejection` may not have loaded yet.
        return (this.words.rejection as Partial<Record<string, string>> | undefined)?.[error.code] ?? words.generic
    }
  }

  /** Identifies the subject of the person's input. A new view keeps the input as long as the subject is the same. */
  protected subject(): string {
    return ''
  }

  /** Resets the input when its subject changes. */
  protected begin(): void {}

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('view') || changed.get('view') === this.view) return
    const subject = this.subject()
    if (subject !== this.about) {
      this.about = subject
      this.entered = false
      this.begin()
    }
    const before = changed.get('view') as ViewOf<S> | undefined
    if (before && before.revision === this.view.revision) return
    this.errors = Object.fromEntries(
      (this.view.errors as StepError[]).map(error => [
        error.field !== null && this.owns(error.field) ? error.field : '',
        this.sentenceFor(error),
      ]),
    )
    if (before && Object.keys(this.errors).length) void this.focusError()
  }

  /** Returns true if this screen has a page before the current one. */
  hasPageBefore?(): boolean
  /** Goes back to the previous page if {@link hasPageBefore} returns true. */
  turnBack?(): void

  /** Removes a field's error message when the field is edited. */
  protected clear(field: string): void {
    if (!(field in this.errors)) return
    const { [field]: _gone, ...rest } = this.errors
    this.errors = rest
  }

  protected ask(input: StepInput[S] | { action: 'back' }): void {
    if (!this.busy) this.dispatchEvent(new StepRequest(input as AnyInput))
  }

  /** Shows the errors, or submits the input if there are none. */
  protected submit(errors: Errors, input: () => StepInput[S]): void {
    this.errors = errors
    if (Object.keys(errors).length) void this.focusError()
    else this.ask(input())
  }

  private async focusError(): Promise<void> {
    await this.updateComplete
    const first = this.querySelector<HTMLElement>('[aria-invalid="true"], .alert.whole')
    first?.focus()
    if (first)
      void import('../sticky-bars.js').then(({ scrollIntoSight }) => scrollIntoSight(first)).catch(() => undefined)
  }

  /** Performs the primary action. */
  protected abstract act(): void
  protected abstract page(): ScreenParts

  protected override update(changed: PropertyValues): void {
    redraw(this, () => super.update(changed))
  }

  protected override render(): TemplateResult {
    const page = this.page()
    return html`<form class="screen" novalidate @submit=${this.onSubmit} @input=${this.onEntry}>
      <div class="body">
        <div class="content">
          <div>
            ${page.mark ?? nothing} ${page.eyebrow ? html`<p class="eyebrow">${page.eyebrow}</p>` : nothing}
            <h1 tabindex="-1">${page.title}</h1>
          </div>
          ${page.lead ? html`<p class="lead">${page.lead}</p>` : nothing} ${this.whole()} ${page.body}
        </div>
      </div>
      <div class="dock">${this.failure(page)} ${page.caution ? html`<p class="caution" role="status">${icons.info()}<span>${page.caution}</span></p>` : nothing} ${page.agreement ? html`<p class="agreement" id="agreement">${page.agreement}</p>` : nothing} ${this.cta(page)} ${page.second ?? nothing} ${this.trust(page.trust)}</div>
    </form>`
  }

  private readonly onSubmit = (event: Event): void => {
    event.preventDefault()
    if (!this.busy && !this.page().action?.disabled) this.act()
  }

  private readonly onEntry = (): void => {
    this.entered = true
  }

  /** Reports a change made with a button, using the same event that a field dispatches. */
  protected enter(): void {
    this.entered = true
    this.discard()
  }

  /** Discards a failed call, because the person chose something else. Editing a field also discards the call. */
  discard(): void {
    this.dispatchEvent(new Event('input', { bubbles: true }))
  }

  private whole(): TemplateResult | typeof nothing {
    const text = this.errors['']
    return text
      ? html`<div class="alert whole" role="alert" tabindex="-1">${icons.alert()}<span>${text}</span></div>`
      : nothing
  }

  private failure({ action }: ScreenParts): TemplateResult | typeof nothing {
    if (!this.fault) return nothing
    const { fault } = this.words
    const { kind, wait } = this.fault
    const text =
      kind === 'offline'
        ? fault.offline
        : kind === 'limited'
          ? wait
            ? fault.limitedFor(wait)
            : fault.limited
          : fault.unavailable
    return html`<div class="alert warn" role="alert">
      ${kind === 'offline' ? icons.offline() : icons.alert()}
      <div>
        ${text} ${this.entered && kind !== 'limited' ? this.words.progress.kept : nothing}
        <div ?hidden=${this.isStep && action}><button class="second" type="button" @click=${this.retry}>
          ${this.words.app.retry}
        </button></div>
      </div>
    </div>`
  }

  private cta({ action, agreement }: ScreenParts): TemplateResult | typeof nothing {
    if (!action) return nothing
    if (action.href)
      return html`<a class="cta" href=${action.href} target="_blank" rel="noopener noreferrer"
        >${action.label}<span class="sr"> ${this.words.app.newTab}</span></a
      >`
    return html`<button
      class="cta ${action.disabled ? 'idle num' : (action.look ?? '')}"
      type="submit"
      aria-busy=${this.busy ? 'true' : 'false'}
      aria-disabled=${action.disabled ? 'true' : 'false'}
      aria-describedby=${agreement ? 'agreement' : nothing}
    >
      ${this.busy ? html`<span class="spinner"></span>` : nothing}
      <span>${this.busy ? this.words.app.working : action.label}</span>
    </button>`
  }

  private trust(text: string | undefined): TemplateResult {
    const { privacy_url } = this.view.brand
    const { app } = this.words
    return html`<p class="trust">
      ${icons.lock()}${text ?? app.encrypted}${
        privacy_url
          ? html`<span aria-hidden="true"> · </span><a href=${privacy_url} target="_blank" rel="noopener noreferrer"
                >${app.privacy}<span class="sr"> ${app.newTab}</span></a>`
          : nothing
      }
    </p>`
  }
}
