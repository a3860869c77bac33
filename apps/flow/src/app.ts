/** The shell: the header, the progress bar, the current step's screen, and the screens for states without a step. */
import type { Display, ExitReason } from '@causeway/contract/frame'
import type { SessionView } from '@causeway/contract/session'
import { vars } from '@causeway/ui/vars'
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { initial, isEnd, type Message, type State } from './machine.js'
import type { Milestones } from './milestones.js'
import { icons } from './parts/icons.js'
import { redraw } from './parts/redraw.js'
import type { Announcement, StepRequest } from './requests.js'
import { type AnyScreen, createScreen, prefetchNextScreens, updateScreen } from './screens/load.js'
import { drawState, skeleton } from './states.js'
import type { StickyBars } from './sticky-bars.js'
import { completeLanguage, english, isComplete, type Language } from './words/language.js'

interface Owner {
  name: string
  logo: string | null
}

@customElement('causeway-flow')
export class FlowApp extends LitElement {
  @property({ attribute: false }) state: State = initial
  @property({ attribute: false }) language: Language = english
  @property({ attribute: false }) display: Display | 'page' = 'modal'
  @property({ attribute: false }) refused: 'no_parent' | 'not_allowed' | null = null
  @property({ attribute: false }) dispatch: (message: Message) => void = () => undefined
  @property({ attribute: false }) now: () => number = Date.now
  /** The customer, if known before the first view arrives. */
  @property({ attribute: false }) owner: Owner | null = null
  /** Renders the screens for states without a step. */
  @property({ attribute: false }) drawState = drawState
  /**
   * Resolves once `language` is loaded; null if no language is loading. The first screen waits for this promise so that
   * no screen mixes two languages.
   */
  speaking: Promise<void> | null = null
  /**
   * The window in which the browser's Back button moves the flow back one step; null on a hosted page, which handles
   * the button itself.
   */
  tab: Window | null = null
  @state() protected screen: AnyScreen | null = null
  @state() private lost = false
  @state() private logoFailed = false
  @state() private spoken = ''
  private loadingWords = false
  private reached = 0
  private asking = false
  /** True if focus was inside the screen before this update. */
  private held = false
  /** Modules that load after the first screen, which doesn't need them. */
  later: Promise<[StickyBars, Milestones]> | null = null

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  /** Renders nothing until the frame has received its mode. Until then, the host page shows a loading state. */
  protected override shouldUpdate(): boolean {
    return this.state !== initial
  }

  protected override update(changed: PropertyValues): void {
    redraw(this, () => super.update(changed))
  }

  protected override willUpdate(changed: PropertyValues): void {
    const root = this.ownerDocument.documentElement
    const first = !this.hasUpdated
    if (first || changed.has('display')) root.dataset['display'] = this.display
    // While the language loads, the page can still show the service's first screen, in its own language.
    if (!this.speaking && (first || changed.has('language')))
      Object.assign(root, { lang: new Intl.Locale(this.language.locale).baseName, dir: this.language.dir })
    if (!this.speaking && this.state.view) this.ownerDocument.title = titleOf(this.state.view, this.language)
    if (changed.has('state')) {
      const before = changed.get('state') as State | undefined
      if (this.state.phase === 'flow' && before?.bearer && !this.state.bearer)
        this.spoken = this.language.words.app.reconnecting
      const { working } = this.language.words.app
      if (this.state.busy && !before?.busy && this.state.view) {
        prefetchNextScreens(this.state.view.step, this.language)
        // If the screen made its own announcement, keep it, because it is more specific.
        if (before?.phase === 'flow' && !changed.has('spoken')) this.spoken = working
      } else if (!this.state.busy && this.spoken === working) this.spoken = ''
    }
    this.held = this.screen?.contains(this.ownerDocument.activeElement) ?? false
    this.fill()
    void this.change()
  }

  /** Scrolls to an error message in the bottom bar, which can be out of view if the bars scroll with the content. */
  protected override async updated(changed: PropertyValues): Promise<void> {
    const before = changed.get('state') as State | undefined
    // A state without a step has replaced the screen, including the element that had focus.
    if (this.held) this.querySelector<HTMLElement>('.state h1')?.focus()
    if (!this.state.fault || before?.fault === this.state.fault) return
    await this.screen?.updateComplete
    this.querySelector('.dock .alert')?.scrollIntoView({ block: 'nearest' })
  }

  private get wanted(): string | undefined {
    return this.state.view?.step
  }

  private get drawn(): string | undefined {
    return this.screen?.localName.slice('screen-'.length)
  }

  /** Shows the current step's screen. To avoid flicker, the old screen stays until the new one has loaded. */
  private async change(): Promise<void> {
    const { view } = this.state
    if (!view || this.drawn === view.step || this.lost) return
    const first = this.screen === null
    let screen: AnyScreen
    let language: Language
    try {
      await this.speaking
      ;[screen, language] = await createScreen(view.step, this.language)
    } catch {
      this.lost = true
      return
    }
    if (this.wanted !== `${view.step}` || this.drawn === view.step) return
    if (language.locale !== this.language.locale) return this.change()
    this.screen = screen
    this.language = language
    this.fill()
    await this.updateComplete
    await screen.updateComplete
    this.spoken = ''
    this.later ??= import('./shell-parts.js').then(({ startShellParts }) => startShellParts(this))
    void this.later
      .then(([bars, milestones]) => {
        bars.follow()
        this.spoken ||= milestones.reach(this.percent, this.language.words)
      })
      .catch(() => undefined)
    // The first screen leaves focus on the host page, if there is one. Later screens move focus to the element marked
    // `data-first` or, if there is none, to their heading.
    if (first && this.display !== 'page') return
    this.begin(screen)
  }

  /**
   * Returns true if every screen's text is loaded in this language. Otherwise, loads the missing text and renders
   * again.
   */
  hasAllWords(): boolean {
    if (isComplete(this.language)) return true
    void this.loadWords()
    return false
  }

  private async loadWords(): Promise<void> {
    if (this.loadingWords) return
    this.loadingWords = true
    try {
      await this.speaking
      const complete = await completeLanguage(this.language)
      // If the language changed during the load, the next update loads the new language's text.
      if (complete.locale === this.language.locale) this.language = complete
    } catch {
      this.lost = true
    }
    this.loadingWords = false
    this.requestUpdate()
  }

  /** Scrolls the page to the top and moves focus to the element marked `data-first`, or else to the heading. */
  begin(screen: HTMLElement): void {
    this.ownerDocument.scrollingElement?.scrollTo({ top: 0 })
    const start = screen.querySelector<HTMLElement>('[data-first]') ?? screen.querySelector('h1')
    start?.focus({ preventScroll: true })
  }

  private fill(): void {
    const { view, busy, fault, call, held } = this.state
    if (!this.screen || !view || this.drawn !== view.step) return
    updateScreen(this.screen, {
      view,
      language: this.language,
      busy,
      fault,
      isStep: (held ?? call)?.kind === 'step',
      retry: this.retry,
      now: this.now,
    })
  }

  protected override render(): TemplateResult {
    const { phase, view } = this.state
    const instead = this.lost
      ? this.drawState('lost', this)
      : phase === 'flow'
        ? this.screen
          ? null
          : this.drawState('opening', this)
        : (this.drawState(phase, this) ?? (this.screen ? null : skeleton(this.language.words.app.loading)))
    return html`<div class="shell">
      ${this.header(phase === 'flow' && !this.lost)}
      <main
        class="main"
        aria-label=${view ? titleOf(view, this.language) : this.language.words.app.loading}
        @step-request=${(event: StepRequest) => this.dispatch({ type: 'submit', input: event.input })}
        @input=${this.onInput}
        @announcement=${(event: Announcement) => (this.spoken = event.text)}
      >
        ${instead ?? nothing}
        ${this.screen && view ? html`<div class="stage" ?hidden=${instead !== null}>${this.screen}</div>` : nothing}
      </main>
      <p class="sr" role="status">${this.spoken}</p>
    </div>`
  }

  /**
   * The progress as a percentage: zero on pages without steps, which hide the progress bar, and above zero on every
   * step. The percentage reaches 100 only at the end of the flow.
   */
  get percent(): number {
    const { view } = this.state
    if (!view || view.step === 'manage') return 0
    if (isEnd(view)) return 100
    // The blocked step keeps the progress of the step before it.
    if (view.step === 'blocked' && this.reached > 0) return this.reached
    const { index, total } = view.progress
    this.reached = Math.round(Math.min(1, Math.max(0.04, index / (total + 1))) * 100)
    return this.reached
  }

  private header(flowing: boolean): TemplateResult {
    const { view } = this.state
    const { app } = this.language.words
    const back = flowing && this.canGoBack
    const { percent } = this
    const owner = view?.brand ?? this.owner
    return html`<header class="top">
      <div class="top-row">
        ${
          back
            ? html`<button class="top-button" aria-label=${app.back} @click=${this.goBack}>
                ${icons.back()}
              </button>`
            : html`<span></span>`
        }
        <div class="brand">${owner ? this.brand(owner) : nothing}</div>
        ${
          this.state.phase === 'closed'
            ? nothing
            : html`<button class="top-button" aria-label=${app.close} @click=${this.close}>${icons.close()}</button>`
        }
      </div>
      <div
        class="progress"
        role="progressbar"
        aria-label=${app.progress}
        aria-valuemin="0"
        aria-valuemax="100"
        aria-valuenow=${percent}
      >
        <span class="progress-fill" ${vars({ '--share': `${percent}%` })}></span>
      </div>
    </header>`
  }

  private brand({ name, logo }: Owner): TemplateResult {
    return html`${
      logo && !this.logoFailed
        ? html`<img class="brand-mark" src=${logo} alt="" @error=${() => (this.logoFailed = true)} />`
        : html`<span class="brand-mark" aria-hidden="true" translate="no">${name.trim().charAt(0).toUpperCase()}</span>`
    }<span class="brand-name" translate="no">${name}</span>`
  }

  readonly retry = (): void => {
    const { lost } = this
    this.lost = false
    if (!lost || this.state.phase === 'over') this.dispatch({ type: 'retry' })
  }

  /** True if there is a page or a step to go back to. */
  get canGoBack(): boolean {
    return this.screen?.hasPageBefore?.() || this.state.view?.can_go_back === true
  }

  readonly goBack = (): void => {
    if (this.state.busy) return
    if (this.screen?.hasPageBefore?.()) this.screen.turnBack!()
    else this.dispatch({ type: 'submit', input: { action: 'back' } })
  }

  /** Closes the flow. If the person has unsubmitted input, asks for confirmation first. */
  readonly close = (): void => {
    if (this.state.phase === 'flow' && this.screen?.entered) void this.askToLeave().catch(this.exit)
    else this.exit()
  }

  async askToLeave(): Promise<void> {
    if (this.asking) return
    this.asking = true
    try {
      const { askToLeave } = await import('./ask-to-leave.js')
      if (await askToLeave(this.ownerDocument, this.language)) this.exit()
    } finally {
      this.asking = false
    }
  }

  exit = (): void => {
    this.dispatch({ type: 'exit', reason: endOf(this.state) })
  }

  private readonly onInput = (): void => {
    if (this.state.fault) this.dispatch({ type: 'edited' })
    // Load the confirmation dialog now so that it can be shown even if the device goes offline.
    import('./ask-to-leave.js').catch(() => undefined)
  }
}

/**
 * Returns the page's title, which names the customer and the purpose. In some modes, the purpose is the first screen's
 * heading.
 */
export function titleOf({ mode, brand: { name } }: SessionView, { words: { app, consent } }: Language): string {
  if (mode === 'manage') return app.titleOwn(name)
  const question =
    mode === 'balance_transfer'
      ? consent.titleTransfer
      : mode === 'identity_verification'
        ? consent.titleIdentity
        : null
  return question ? `${name}: ${question}` : app.title(name)
}

/** Returns the reason for an exit: `user`, unless the flow has been completed, has expired or has failed. */
function endOf({ phase, view }: State): ExitReason {
  if (isEnd(view)) return 'completed'
  if (phase === 'over') return 'expired'
  // If the person pressed "This isn't me", the exit counts as their own choice.
  const isStuck = view?.step === 'blocked' && !view.data.can_retry && view.data.reason !== 'not_me'
  return phase === 'refused' || isStuck ? 'error' : 'user'
}

declare global {
  interface HTMLElementTagNameMap {
    'causeway-flow': FlowApp
  }
}
