/** The screen during the carrier's check: nothing to type, and a code for people who do not want to wait. */
import { html, type ReactiveController } from 'lit'
import { isOnMobileNetwork, openAddresses } from '../../parts/handset.js'
import type { Page, Screen } from '../screen.js'

type Ask = (action: 'silent' | 'resend') => void

export class Silent implements ReactiveController {
  private readonly screen: Screen<'code'>
  private readonly ask: Ask
  /** The addresses that were last seen; undefined where a code was sent. */
  private seen: string | undefined
  /** Identifies the current check: the end of an abandoned one is ignored. */
  private turn = 0

  constructor(screen: Screen<'code'>, ask: Ask) {
    this.screen = screen
    this.ask = ask
    screen.addController(this)
  }

  hostUpdated(): void {
    const { silent } = this.screen.view.data
    const addresses = silent?.join(' ')
    if (addresses === this.seen) return
    this.seen = addresses
    if (silent) void this.open(silent)
    else this.give()
  }

  hostDisconnected(): void {
    this.turn += 1
  }

  /** Another device that continues the session can say nothing of the phone. */
  private async open(addresses: readonly string[]): Promise<void> {
    const turn = ++this.turn
    const opened = isOnMobileNetwork() && (await openAddresses(addresses))
    if (turn === this.turn) this.ask(opened ? 'silent' : 'resend')
  }

  /** A code was sent after all: the same screen asks something else now. */
  private give(): void {
    this.turn += 1
    this.screen.querySelector<HTMLElement>('[data-first]')?.focus()
  }

  private readonly instead = (): void => {
    this.turn += 1
    this.ask('resend')
  }

  page(): Page {
    const { view, language } = this.screen
    const { code } = language.words
    return {
      title: code.checking,
      lead: code.checkingLead(view.data.last4),
      body: html`<div role="status">
        <ul class="asks">
          <li><span class="spinner"></span>${code.checkingNow}</li>
        </ul>
      </div>`,
      second: html`<button class="second wide" type="button" @click=${this.instead}>${code.instead}</button>`,
      trust: code.trustNetwork(view.brand.name),
    }
  }
}
