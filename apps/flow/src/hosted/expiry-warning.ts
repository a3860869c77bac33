/**
 * Warns a person on a hosted page before their session ends. Unlike an embedded frame, a hosted page cannot reopen the
 * session.
 */
import type { SessionView } from '@causeway/contract/session'
import type { ReactiveController } from 'lit'
import type { FlowApp } from '../app.js'

/** The time, in milliseconds, between the warning and the end of the session. */
export const WARNING_LEAD_MS = 120_000
/** The delay, in milliseconds, before the warning reappears if the session was not extended. */
const WARNING_REPEAT_MS = 20_000

export class ExpiryWarning implements ReactiveController {
  readonly #app: FlowApp
  #view: SessionView | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #dialog: HTMLDialogElement | null = null
  /** True once the person has seen the final warning, which is shown when the session can't be extended any further. */
  #told = false

  constructor(app: FlowApp) {
    this.#app = app
    app.addController(this)
  }

  hostUpdated(): void {
    const { phase, view } = this.#app.state
    const live = phase === 'flow' && view?.step !== 'done' ? view : null
    if (live === this.#view) return
    this.#view = live
    this.#stop()
    if (!live) return
    // If no more than `WARNING_LEAD_MS` remains when the view arrives, the session is near its maximum length and can't be
    // extended.
    const last = this.#left <= WARNING_LEAD_MS
    if (last && this.#told) this.#timer = setTimeout(this.#renew, this.#left)
    else this.#timer = setTimeout(() => void this.#warn(last), Math.max(0, this.#left - WARNING_LEAD_MS))
  }

  hostDisconnected(): void {
    this.#view = null
    this.#stop()
  }

  get #left(): number {
    return this.#view ? Date.parse(this.#view.expires_at) - this.#app.now() : 0
  }

  readonly #renew = (): void => this.#app.dispatch({ type: 'refresh' })

  #stop(): void {
    clearTimeout(this.#timer)
    this.#dialog?.close()
  }

  async #warn(last: boolean): Promise<void> {
    const view = this.#view
    const { openExpiryDialog } = await import('./expiry-dialog.js')
    if (view !== this.#view || !this.#app.isConnected) return
    // The device must have been asleep. Let the service decide whether the session is over.
    if (this.#left <= 0) return this.#renew()
    this.#told = last
    const dialog = await openExpiryDialog(this.#app, last, () => this.#left)
    this.#dialog = dialog
    dialog.addEventListener('close', () => {
      this.#dialog = null
      if (view !== this.#view) return
      this.#renew()
      if (!last && this.#left > 0) this.#timer = setTimeout(() => void this.#warn(false), WARNING_REPEAT_MS)
    })
  }
}
