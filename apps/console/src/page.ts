/** The base class for all pages, and the functions that the shell provides to them. */
import { LitElement } from 'lit'
import { property, state } from 'lit/decorators.js'
import { type Api, sentenceOf } from './api.js'
import type { Format } from './format.js'
import { Load } from './load.js'
import type { Place } from './router.js'
import type { Session } from './shapes.js'
import type { UserNames } from './user-names.js'

/** The state and functions available to every page and panel. */
export interface Console {
  api: Api
  session: Session
  format: Format
  /** The team's time in milliseconds. In the sandbox, it can be ahead of real time. */
  now: () => number
  /** Reloads the session. Call this after a request that can change the team's clock or stop payments. */
  renew: () => Promise<void>
  /** @param replace true to replace the current history entry */
  go: (address: string, replace?: boolean) => void
  /** Announces text to screen readers and briefly displays it. */
  say: (text: string) => void
  /** The names of the console's users. */
  names: Pick<UserNames, 'nameOf'>
}

/**
 * Notifies the shell that the page was rendered again. The heading may have changed, or the session may have ended.
 */
class PageChanged extends Event {
  constructor() {
    super('page-changed', { bubbles: true })
  }
}

/** The base class for all pages. Pages render in the light DOM so that the shared stylesheet applies. */
export abstract class Page extends LitElement {
  @property({ attribute: false }) console!: Console
  @property({ attribute: false }) place!: Place
  /** True while {@link act} is running. */
  @state() protected busy = false
  private readonly loads: Load<unknown>[] = []

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  /** The page's title in the browser. */
  abstract get heading(): string

  protected load<T>(): Load<T> {
    const load = new Load<T>(this, () => this.console.now())
    this.loads.push(load as Load<unknown>)
    return load
  }

  /** Reloads everything on the page, keeping the current values until the responses arrive. */
  refresh(): void {
    for (const load of this.loads) if (!load.loading) void load.refresh()
  }

  /** Called when lists have new rows. */
  rowsAdded(_lists: readonly string[]): void {}

  /**
   * Runs one write at a time, announces its outcome, and refreshes the session and the page.
   * @param done the announcement, or a function that returns it
   * @returns the response, or undefined if the write failed
   */
  protected async act<T>(done: string | ((value: T) => string), run: () => Promise<T>): Promise<T | undefined> {
    if (this.busy) return undefined
    let value: T | undefined
    this.busy = true
    try {
      value = await run()
      this.console.say(typeof done === 'string' ? done : done(value))
      void this.console.renew()
      this.refresh()
    } catch (error) {
      this.console.say(sentenceOf(error))
    }
    this.busy = false
    return value
  }

  protected override updated(): void {
    this.dispatchEvent(new PageChanged())
  }

  /** True if a load failed because the session ended. The shell then asks the user to sign in again. */
  get signedOut(): boolean {
    return this.loads.some(({ failure }) => failure?.kind === 'signed_out')
  }
}
