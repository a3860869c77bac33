/** Updates its host once a second while a countdown is running. */
import type { ReactiveController, ReactiveControllerHost } from 'lit'

export class Ticker implements ReactiveController {
  readonly #host: ReactiveControllerHost
  readonly #counting: () => boolean
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(host: ReactiveControllerHost, counting: () => boolean) {
    this.#host = host
    this.#counting = counting
    host.addController(this)
  }

  hostUpdated(): void {
    if (this.#counting()) this.#timer ??= setInterval(() => this.#host.requestUpdate(), 1000)
    else this.hostDisconnected()
  }

  hostDisconnected(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
