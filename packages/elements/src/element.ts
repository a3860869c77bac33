/**
 * The base of both elements: the properties and events for the page, and a dialog or box that contains a frame. The
 * element holds ids and, briefly, a one-time token. All personal data stays in the frame.
 */
import { type Appearance, type Display, readTheme, type Theme } from '@causeway/contract/frame'
import type { ElementMode } from '@causeway/contract/session'
import { type PropertyValues, ReactiveElement } from 'lit'
import { elementAndAncestors } from './ancestors.js'
import { errorOf, type KitError, setupError } from './errors.js'
import { ElementErrorEvent, ElementEventEvent, ElementOpenEvent } from './events.js'
import { Opening, type Outcome } from './opening.js'
import { preload, readFrameOrigin } from './origin.js'
import { type Preload, preloadOn } from './preload.js'
import { styles } from './styles.js'
import { createTokens, type GetToken } from './tokens.js'
import { createView, type View } from './view.js'
import { checkViewport } from './viewport.js'
import { wordsFor } from './words.js'

/** Matches the names of events that indicate a new question. */
const STEP_EVENT = /\.step\.(?:started|completed)$/

/** The value of the `opened` attribute of an open element. An element that is added with this value is a copy. */
const COPIED_VALUE = 'open'

/**
 * Base of both elements.
 *
 * @fires {ElementOpenEvent} element-open - the element opened; its frame may still be loading
 * @fires {ElementReadyEvent} element-ready - the flow is ready; its first screen may have been visible earlier
 * @fires {ElementEventEvent} element-event - an event of the detailed stream, named `<flow>.<object>.<action>`
 * @fires {ElementSuccessEvent} element-success - the person finished
 * @fires {ElementErrorEvent} element-error - something failed
 * @fires {ElementExitEvent} element-exit - the element is about to close; cancelable
 * @fires {AllocationsChangeEvent} allocations-change - the person changed how the loan is split among accounts
 * @fires {AllocationsConfirmedEvent} allocations-confirmed - the person confirmed the allocations
 * @slot loading - replaces the skeleton until the frame has rendered
 * @slot error - replaces the message and its retry button if the frame fails to load; `open()` retries
 * @csspart dialog - the modal
 * @csspart container - the box around an inline flow
 * @csspart frame - the iframe
 * @csspart loading - the loading state
 * @csspart error - the error state
 * @csspart retry - the button in the error state
 * @csspart close - the button that closes a modal until its frame has rendered its own
 * @cssprop --causeway-surface - background
 * @cssprop --causeway-text - text and buttons
 * @cssprop --causeway-radius - corner radius
 * @cssprop --causeway-width - maximum width of a modal
 * @cssprop --causeway-height - maximum height of a modal
 * @cssprop --causeway-backdrop - background behind a modal
 */
export abstract class FlowElement extends ReactiveElement {
  /** The flow that the frame runs. */
  static readonly mode: ElementMode | null

  static override styles = styles
  static override properties = {
    token: { attribute: false },
    getToken: { attribute: false },
    theme: { attribute: false },
    locale: { reflect: true },
    appearance: { reflect: true },
    display: { reflect: true },
    opened: { type: Boolean, reflect: true },
    frameOrigin: { attribute: 'frame-origin', reflect: true },
    timeout: { type: Number },
    preload: { reflect: true },
  }

  /** A one-time token for the first time that the element opens. Available only as a property. */
  token: string | null = null
  /**
   * Returns a token. Called when a token is required and `token` is missing or already used. Available only as a
   * property.
   */
  getToken: GetToken | null = null
  /** Design tokens for the frame and for the surrounding parts of the element. */
  theme: Theme = {}
  /** A BCP 47 language tag, or a tag such as `es_MX`. Default: the language of the page around the element. */
  locale: string | null = null
  /** Default: the team's setting. */
  appearance: Appearance | null = null
  /** Read at `open()`. */
  display: Display = 'modal'
  /** True while the flow is open. Setting it opens or closes the flow. A copy of an open element stays closed. */
  opened = false
  /** The origin that serves the frame. The script-tag build sets this property automatically. */
  frameOrigin: string | null = null
  /**
   * The time, in milliseconds, that the element waits for the frame to respond before it shows the error state. Read at
   * `open()`.
   */
  timeout = 10_000
  /** When to load the frame's files into the browser's cache, ahead of `open()`. Default: never. */
  preload: Preload | null = null

  #tokens = createTokens(this)
  #opening: Opening | undefined
  #view: View | undefined
  /** Cancels a scheduled preload. */
  #preloading: AbortController | undefined
  /** Observes the languages around the element. */
  #languages = new MutationObserver(() => this.requestUpdate('locale'))

  /** Loads the frame's files into the browser's cache ahead of `open()`. Requires no token. */
  static preload(frameOrigin: string | null = null): void {
    preload(readFrameOrigin(frameOrigin))
  }

  /**
   * Uses a token to start a session in a hidden frame, which `open()` then shows immediately. Resolves once the first
   * screen is ready. Rejects with an error whose `name` is the sub_type, such as `TOKEN_REQUIRED`. A prepared session
   * that is not opened ends after 10 minutes.
   */
  async prepare(): Promise<void> {
    if (!this.#current) await this.#begin().prepare()
  }

  /**
   * Opens the flow and resolves with its outcome. If the flow is already open, returns the same promise and retries if
   * the frame failed to load. If the page is not set up correctly, rejects with an error whose `name` is the sub_type.
   */
  async open(): Promise<Outcome> {
    const current = this.#current
    if (current) {
      if (current.status === 'failed') current.load()
      return current.outcome
    }
    try {
      return this.#show(this.#begin()).outcome
    } catch (error) {
      this.opened = false
      this.dispatchEvent(new ElementErrorEvent(errorOf((error as Error).name as KitError)))
      throw error
    }
  }

  /** Closes the flow, or discards a prepared session. The page can't cancel the resulting `element-exit`. */
  close(): void {
    if (this.#prepared) this.#opening!.discard()
    this.#current?.exit('user', false)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    if (!this.#current && this.getAttribute('opened') === COPIED_VALUE) this.opened = false
    window.addEventListener('keydown', this.#keepEscape, true)
    for (const node of elementAndAncestors(this)) this.#languages.observe(node, { attributeFilter: ['lang'] })
    // After the element moves within the page, its dialog is still open but no longer modal.
    const dialog = this.#dialog
    if (dialog?.open) {
      dialog.removeAttribute('open')
      dialog.showModal()
    }
    this.#plan()
    this.requestUpdate()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.removeEventListener('keydown', this.#keepEscape, true)
    this.#languages.disconnect()
    this.#preloading?.abort()
    // Frameworks move an element by removing it and adding it again in the same task. After the task, the element is
    // still disconnected only if it was really removed.
    queueMicrotask(() => {
      if (this.isConnected) return
      this.#opening?.end('user')
      this.#opening?.stop()
    })
  }

  protected override update(changed: PropertyValues<this>): void {
    super.update(changed)
    const words = wordsFor([this.#language].concat(navigator.languages))
    this.#view?.draw({
      status: this.#opening?.shown ?? 'idle',
      cause: this.#opening?.cause,
      isHidden: this.#opening?.isHidden,
      appearance: this.appearance,
      theme: readTheme(this.theme),
      title: words[this.#mode ?? 'connect'],
      words,
      frame: this.#opening?.channel?.frame,
    })
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!this.isConnected) return
    if (!this.opened) this.#current?.exit('user', false)
    else if (!this.#current) this.open().catch(reportError)
    if (changed.has('preload')) this.#plan()
    if (changed.has('token') || changed.has('getToken')) this.#current?.resume()
    const channel = this.#opening?.channel
    if (changed.has('locale')) channel?.set({ locale: this.#language })
    if (changed.has('appearance')) channel?.set({ appearance: this.appearance })
    if (changed.has('theme')) channel?.set({ theme: readTheme(this.theme) })
  }

  get #mode(): ElementMode | null {
    return (this.constructor as typeof FlowElement).mode
  }

  /** The element's locale, or the nearest language around it. */
  get #language(): string | null {
    return this.locale || (elementAndAncestors(this).find(({ lang }) => lang)?.lang ?? null)
  }

  /** The opening in progress, if it is visible. */
  get #current(): Opening | undefined {
    return this.#opening?.isHidden || this.#opening?.status === 'idle' ? undefined : this.#opening
  }

  /** The opening that is prepared or being prepared. */
  get #prepared(): Opening | undefined {
    return this.#opening?.isHidden ? this.#opening : undefined
  }

  get #dialog(): HTMLDialogElement | null {
    const box = this.#view?.box as HTMLDialogElement | undefined
    return box?.showModal ? box : null
  }

  /**
   * Makes Escape close only this modal. Dialogs from component libraries listen on the document, so a surrounding
   * dialog would close on the same keypress. The browser closes the modal even without this event.
   */
  #keepEscape = (event: KeyboardEvent): void => {
    const dialog = this.#dialog
    if (event.key !== 'Escape' || !dialog?.open) return
    if (event.target === document.body || event.composedPath().includes(dialog)) event.stopPropagation()
  }

  /** Scrolls up to a new question if its heading is above the visible part of the page. */
  #rise(): void {
    if (this.getBoundingClientRect().top < 0) this.scrollIntoView({ block: 'start' })
  }

  #plan(): void {
    this.#preloading?.abort()
    this.#preloading = new AbortController()
    if (this.preload)
      preloadOn(this, this.preload, () => preload(readFrameOrigin(this.frameOrigin)), this.#preloading.signal)
  }

  /** Returns the prepared opening, or a new one if there is none. */
  #begin(): Opening {
    if (!this.isConnected) throw setupError('NOT_CONNECTED')
    if (this.#prepared) return this.#prepared
    const origin = readFrameOrigin(this.frameOrigin)
    checkViewport()
    this.#opening?.stop()
    this.#view?.box.remove()
    const { display } = this
    const view = createView(display, {
      onRetry: () => {
        // Moves focus to another button, because the update removes the focused one.
        this.#dialog?.querySelector('button')?.focus()
        this.#current?.load()
      },
      onExit: () => this.#current?.leave(),
      onClosed: () => {
        // If the page has already reopened the dialog, does nothing. If the page prevents the exit, shows the dialog
        // again.
        if (!this.#dialog?.open && this.#current?.exit('user') === false) this.#dialog?.showModal()
      },
    })
    const opening: Opening = new Opening({
      origin,
      tokens: this.#tokens,
      timeout: this.timeout,
      init: () => ({
        mode: this.#mode,
        display,
        locale: this.#language,
        appearance: this.appearance,
        theme: readTheme(this.theme),
        hidden: opening.isHidden,
      }),
      dispatch: event => {
        if (display === 'inline' && event instanceof ElementEventEvent && STEP_EVENT.test(event.name)) this.#rise()
        return this.dispatchEvent(event)
      },
      onChange: () => this.requestUpdate(),
      onResize: height => {
        if (display === 'inline') opening.channel!.frame.style.height = `${height}px`
      },
      onReady: () => {
        if (this.#dialog) this.updateComplete.then(() => opening.channel?.frame.focus())
      },
      onEnd: () => {
        this.opened = false
        this.#dialog?.close()
      },
    })
    this.#view = view
    this.#opening = opening
    this.renderRoot.append(view.box)
    return opening
  }

  #show(opening: Opening): Opening {
    const { isHidden } = opening
    opening.isHidden = false
    this.opened = true
    // The frame starts to load before the dialog is rendered.
    if (!isHidden) opening.load()
    this.performUpdate()
    this.setAttribute('opened', COPIED_VALUE)
    this.#dialog?.showModal()
    this.dispatchEvent(new ElementOpenEvent())
    if (isHidden) opening.show()
    return opening
  }
}
