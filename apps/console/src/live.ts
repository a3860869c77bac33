/** Receives messages about new rows while the console is visible. */
import type { Api } from './api.js'

/** The message of an event: the names of the lists that have new rows. */
interface RowsMessage {
  lists: readonly string[]
}

interface Handlers {
  /** Lists have new rows. */
  rows: (lists: readonly string[]) => void
  /** The session ended, or its rights changed. */
  ended: () => void
}

/**
 * A stream of messages. If it breaks, it stays closed until {@link open} is called again. Pages refresh periodically
 * in any case.
 */
export class Live {
  private running: AbortController | null = null
  private readonly api: () => Api
  private readonly handlers: Handlers

  constructor(api: () => Api, handlers: Handlers) {
    this.api = api
    this.handlers = handlers
  }

  /** Opens the stream unless it is open. */
  open(): void {
    if (this.running) return
    const running = new AbortController()
    this.running = running
    void this.receive(running.signal)
      .catch(() => undefined)
      .then(() => {
        if (this.running === running) this.running = null
      })
  }

  close(): void {
    this.running?.abort()
    this.running = null
  }

  private async receive(signal: AbortSignal): Promise<void> {
    let event = ''
    for await (const line of this.api().lines('/console/live', signal)) {
      if (signal.aborted) return
      const [name, value] = line.split(/: (.*)/, 2)
      if (name === 'event') event = value ?? ''
      else if (name === 'data' && event === 'rows') this.handlers.rows((JSON.parse(value ?? '') as RowsMessage).lists)
      else if (name === 'data' && event === 'end') this.handlers.ended()
    }
  }
}
