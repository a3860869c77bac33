/** The base of all pages, and the tools that the shell gives them. */
import { LitElement } from 'lit'
import { property, state } from 'lit/decorators.js'
import { type Api, sentenceOf } from './api.js'
import type { Format } from './format.js'
import { Load } from './load.js'
import type { Place } from './router.js'
import type { Session } from './shapes.js'

/** The tools of every page and panel. */
export interface Console {
  api: Api
  session: Session
  format: Format
  /** The team's time in ms: in the sandbox, ahead of the real time by what the bench moved it. */
  now: () => number
  /** Reads the session again, after a request that changes the team's clock or stops payments. */
  renew: () => Promise<void>
  /** @param replace leaves no entry in the history */
  go: (address: string, replace?: boolean) => void
  /** Says something to a screen reader, and shows it for a moment. */
  say: (text: string) => void
}

/** Says to the shell that the page drew itself anew: its heading may have changed, or its session ended. */
class PageChanged extends Event {
  constructor() {
    super('page-changed', { bubbles: true })
  }
}

/** A page, drawn in the light DOM so that the one stylesheet applies. */
export abstract class Page extends LitElement {
  @property({ attribute: false }) console!: Console
  @property({ attribute: false }) place!: Place
  /** True while {@link act} runs. */
  @state() protected busy = false
  private readonly loads: Load<unknown>[] = []

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  /** The title of the document. */
  abstract get heading(): string

  protected load<T>(): Load<T> {
    const load = new Load<T>(this, () => this.console.now())
    this.loads.push(load as Load<unknown>)
    return load
  }

  /** Reads everything on the page again and keeps what is there until the answers come. */
  refresh(): void {
    for (const load of this.loads) if (!load.loading) void load.refresh()
  }

  /** Runs one write at a time, says how it ended, and reads the session and the page again. */
  protected async act(done: string, run: () => Promise<unknown>): Promise<void> {
    if (this.busy) return
    this.busy = true
    try {
      await run()
      this.console.say(done)
      void this.console.renew()
      this.refresh()
    } catch (error) {
      this.console.say(sentenceOf(error))
    }
    this.busy = false
  }

  protected override updated(): void {
    this.dispatchEvent(new PageChanged())
  }

  /** True if a read was rejected because the session ended, so that the shell asks for a new sign-in. */
  get signedOut(): boolean {
    return this.loads.some(({ failure }) => failure?.kind === 'signed_out')
  }
}
