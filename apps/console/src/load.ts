/** Loads the data for one panel. Holds the value, the error, and a flag for a slow load. */
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { Failure } from './api.js'

/** The delay before a skeleton is shown, which prevents flicker on fast loads. */
const SLOW_MS = 150

export class Load<T> implements ReactiveController {
  value: T | null = null
  failure: Failure | null = null
  loading = false
  /** True if the load has taken so long that a loading state is shown. */
  slow = false
  /** The time at which `value` was loaded. */
  asOf = 0
  private key: string | null = null
  private fetch: ((signal: AbortSignal) => Promise<T>) | null = null
  private running: AbortController | null = null
  private timer = 0
  private readonly host: ReactiveControllerHost
  private readonly now: () => number

  constructor(host: ReactiveControllerHost, now: () => number = Date.now) {
    this.host = host
    this.now = now
    host.addController(this)
  }

  /** True if the value is stale because the latest attempt to load it failed. */
  get stale(): boolean {
    return this.value !== null && this.failure !== null
  }

  /**
   * Loads the data unless `key` matches the key of the last load. A new key first discards the old value, so that
   * rows from the previous filter are never shown for a new one.
   */
  read(key: string, fetch: (signal: AbortSignal) => Promise<T>): void {
    if (key === this.key) return
    this.key = key
    this.fetch = fetch
    this.value = null
    this.failure = null
    void this.refresh()
  }

  /** Reloads the data, keeping the current value until the response arrives. */
  readonly refresh = async (): Promise<void> => {
    const { fetch } = this
    if (!fetch) return
    this.stop()
    const running = new AbortController()
    this.running = running
    this.loading = true
    this.timer = window.setTimeout(() => {
      this.slow = true
      this.host.requestUpdate()
    }, SLOW_MS)
    this.host.requestUpdate()
    try {
      const value = await fetch(running.signal)
      if (this.running !== running) return
      this.value = value
      this.failure = null
      this.asOf = this.now()
    } catch (error) {
      if (this.running !== running) return
      this.failure = error instanceof Failure ? error : new Failure('unavailable')
    }
    this.stop()
    this.host.requestUpdate()
  }

  /** Makes a page reload its data when the page is shown again. */
  hostConnected(): void {
    this.host.requestUpdate()
  }

  hostDisconnected(): void {
    this.stop()
    this.key = null
    this.failure = null
  }

  private stop(): void {
    this.running?.abort()
    this.running = null
    this.loading = false
    this.slow = false
    clearTimeout(this.timer)
  }
}
