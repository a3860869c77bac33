/**
 * The screen shown while the carrier checks the phone. There is nothing to type, but a button lets the person request a
 * text message with a code instead.
 */
import { html, type ReactiveController } from 'lit'
import { openCarrierUrls } from '../../parts/carrier.js'
import { isOnMobileNetwork } from '../../parts/mobile-network.js'
import type { Screen, ScreenParts } from '../screen.js'

type RequestCheck = (action: 'silent' | 'resend') => void

export class SilentAuth implements ReactiveController {
  private readonly screen: Screen<'code'>
  private readonly ask: RequestCheck
  /** The URLs in the last view; undefined if a code was sent. */
  private seen: string | undefined
  /** The number of the current check, used to ignore the results of abandoned checks. */
  private turn = 0

  constructor(screen: Screen<'code'>, ask: RequestCheck) {
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

  /**
   * Opens the carrier's URLs. Without a mobile connection, the carrier can't verify the device's number, so the
   * screen requests a code instead.
   */
  private async open(addresses: readonly string[]): Promise<void> {
    const turn = ++this.turn
    const opened = isOnMobileNetwork() && (await openCarrierUrls(addresses))
    if (turn === this.turn) this.ask(opened ? 'silent' : 'resend')
  }

  /** Abandons the check and moves focus to the code input, because a code was sent instead. */
  private give(): void {
    this.turn += 1
    this.screen.querySelector<HTMLElement>('[data-first]')?.focus()
  }

  private readonly instead = (): void => {
    this.turn += 1
    this.ask('resend')
  }

  page(): ScreenParts {
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
