/**
 * Makes the browser's Back button go back one step in an embedded flow instead of leaving the host page. The frame adds
 * one history entry after the first screen. Going back removes the entry. The frame then adds another entry if the flow
 * still needs one.
 */
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { State } from './machine.js'

/** The maximum time, in milliseconds, to wait for the browser to go back before closing the flow anyway. */
const BACK_TIMEOUT_MS = 300

/**
 * The state stored in the frame's history entries. The state includes the host's nonce, which is needed after a reload.
 */
type Entry = { n?: string; held?: true } | null

/** The part of the app that going back needs. */
export interface BackButtonApp extends Pick<ReactiveControllerHost, 'addController'> {
  readonly state: State
  readonly canGoBack: boolean
  readonly goBack: () => void
  askToLeave(): Promise<void>
  exit: () => void
}

export class BackButton implements ReactiveController {
  private readonly window: Window
  private readonly app: BackButtonApp
  private isHeld: boolean
  /** The length of the tab's history while the added entry is the last one. */
  private length = 0

  constructor(window: Window, app: BackButtonApp) {
    this.window = window
    this.app = app
    this.isHeld = (window.history.state as Entry)?.held === true
    this.length = window.history.length
    window.addEventListener('popstate', this.onPop)
    const { exit } = app
    app.exit = () => void this.release().then(exit)
    app.addController(this)
  }

  hostUpdated(): void {
    this.hold()
  }

  /** True while leaving the page would interrupt the person's progress. */
  private get isWanted(): boolean {
    const { phase, view } = this.app.state
    return phase === 'flow' && view !== null && !['consent', 'done', 'blocked'].includes(view.step)
  }

  private hold(): void {
    if (this.isHeld || !this.isWanted) return
    const { history } = this.window
    this.isHeld = true
    history.pushState({ ...(history.state as Entry), held: true }, '')
    this.length = history.length
  }

  private readonly onPop = ({ state }: PopStateEvent): void => {
    const wasHeld = this.isHeld
    this.isHeld = (state as Entry)?.held === true
    if (wasHeld && !this.isHeld) void this.goBack().catch(() => undefined)
  }

  private async goBack(): Promise<void> {
    if (!this.isWanted) return this.app.exit()
    if (this.app.canGoBack) this.app.goBack()
    else await this.app.askToLeave()
    this.hold()
  }

  /**
   * Removes the added entry before the flow closes, so that the next press of Back navigates the host page. At that
   * point, the host page has not yet been notified that the flow is closing. If the host page has changed the history
   * since the entry was added, the entry stays.
   */
  private async release(): Promise<void> {
    const { history } = this.window
    if (!this.isHeld || history.length !== this.length) return
    this.isHeld = false
    await new Promise<void>(resolve => {
      this.window.addEventListener('popstate', () => resolve(), { once: true })
      this.window.setTimeout(resolve, BACK_TIMEOUT_MS)
      history.back()
    })
  }
}
