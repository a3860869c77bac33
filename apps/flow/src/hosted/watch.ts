/** Warns a person on a hosted page before their session ends: the page cannot open it again, as an embedded frame can. */
import type { SessionView } from '@causeway/contract/session'
import type { ReactiveController } from 'lit'
import type { FlowApp } from '../app.js'

/** The time between the warning and the end, in ms. */
export const WARNING = 120_000
/** When it comes again if the network did not let the person stay, in ms. */
const AGAIN = 20_000

export class Watch implements ReactiveController {
  readonly #app: FlowApp
  #view: SessionView | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #dialog: HTMLDialogElement | null = null
  /** True once the person saw the warning of an end that nothing puts off. */
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
    // A session that is this short when its view comes is near the end of its hour.
    const last = this.#left <= WARNING
    if (last && this.#told) this.#timer = setTimeout(this.#renew, this.#left)
    else this.#timer = setTimeout(() => void this.#warn(last), Math.max(0, this.#left - WARNING))
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
    const { createWarning } = await import('./warning.js')
    if (view !== this.#view || !this.#app.isConnected) return
    // A device that slept: the service says whether the session is over.
    if (this.#left <= 0) return this.#renew()
    this.#told = last
    const dialog = await createWarning(this.#app, last, () => this.#left)
    this.#dialog = dialog
    dialog.addEventListener('close', () => {
      this.#dialog = null
      if (view !== this.#view) return
      this.#renew()
      if (!last && this.#left > 0) this.#timer = setTimeout(() => void this.#warn(false), AGAIN)
    })
  }
}
