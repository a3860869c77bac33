/** Explains why the flow can't continue, what that means, and what the person can do. */
import type { BlockedReason } from '@causeway/contract/session'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { exitAction, returnButton, supportLink } from '../../parts/exits.js'
import { icons } from '../../parts/icons.js'
import { Ticker } from '../../parts/ticker.js'
import { untranslated } from '../../parts/untranslated.js'
import { ExitRequest } from '../../requests.js'
import { Screen, type ScreenParts } from '../screen.js'

interface Said {
  title: string
  text: string
  /** The steps that the person can take, in order. */
  steps: (string | TemplateResult)[]
}

/** Formats a US phone number the way people write it. */
const showPhone = (phone: string) => phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '1-$1-$2-$3')

@customElement('screen-blocked')
export class BlockedScreen extends Screen<'blocked'> {
  constructor() {
    super()
    new Ticker(this, () => this.wait > 0)
  }

  /** The number of seconds until a retry can succeed; 0 if a retry can succeed now or can never succeed. */
  private get wait(): number {
    const { retry_at } = this.view.data
    return retry_at === null ? 0 : Math.max(0, (Date.parse(retry_at) - this.now()) / 1000)
  }

  protected override act(): void {
    const { can_retry } = this.view.data
    if (can_retry && this.wait === 0) this.ask({ action: 'retry' })
    else if (!can_retry) this.dispatchEvent(new ExitRequest())
  }

  private said(reason: BlockedReason): Said {
    const { blocked } = this.words
    const brand = this.view.brand.name
    switch (reason) {
      case 'no_accounts':
        return {
          title: blocked.noAccountsTitle,
          text: this.view.recipients.bureau === undefined ? blocked.noneFound : blocked.noAccounts,
          steps: [blocked.checkDetails(brand), blocked.addByNumber(brand)],
        }
      case 'none_eligible':
        return { title: blocked.noneEligibleTitle, text: blocked.noneEligible(brand), steps: [] }
      case 'thin_file':
        return { title: blocked.thinTitle, text: blocked.thin, steps: [blocked.comeBack] }
      case 'credit_freeze':
        return {
          title: blocked.freezeTitle,
          text: blocked.freeze(this.view.data.bureau?.name ?? null),
          steps: [this.unfreeze(), blocked.freezeStep2, blocked.freezeStep3],
        }
      case 'too_many_codes':
        return { title: blocked.codesTitle, text: blocked.codes, steps: [] }
      case 'too_many_attempts':
        return { title: blocked.attemptsTitle, text: blocked.attempts, steps: [] }
      case 'identity_failed':
        return { title: blocked.identityTitle, text: blocked.identity(brand), steps: [] }
      case 'not_me':
        return { title: blocked.notMeTitle, text: blocked.notMe(brand), steps: [] }
      case 'infeasible_terms': {
        const { least, shortfall } = this.view.data
        const { money, short } = this.language
        return {
          title: blocked.infeasibleTitle,
          text: blocked.infeasible(money(least - shortfall), short(least)),
          steps: [blocked.askSmaller(brand), blocked.addMissing(brand)],
        }
      }
      case 'account_unverified':
        return { title: blocked.unverifiedTitle, text: blocked.unverified(brand), steps: [] }
      case 'deposits_locked':
        return { title: blocked.lockedTitle, text: blocked.locked(brand), steps: [] }
      case 'deposits_returned':
        return { title: blocked.returnedTitle, text: blocked.returned(brand), steps: [] }
      case 'disabled':
        return { title: blocked.disabledTitle, text: blocked.disabled(brand), steps: [] }
      case 'unavailable':
        return { title: blocked.unavailableTitle, text: blocked.unavailable, steps: [] }
    }
  }

  protected override page(): ScreenParts {
    const { blocked } = this.words
    const { reason, can_retry, retry_at } = this.view.data
    const { title, text, steps } = this.said(reason)
    const waits = this.wait > 0
    const time = this.language.countdown(this.wait)
    return {
      mark: html`<span class="badge warn">${waits ? icons.clock() : icons.alert()}</span>`,
      title,
      lead: text,
      body: html`${
        steps.length
          ? html`<section class="stack">
              <h2>${blocked.whatTitle}</h2>
              ${
                reason === 'credit_freeze'
                  ? html`<ol class="next">
                      ${steps.map((step, i) => html`<li><span class="next-mark" translate="no">${i + 1}</span><span>${step}</span></li>`)}
                    </ol>`
                  : html`<ul class="bullets">
                      ${steps.map(step => html`<li>${step}</li>`)}
                    </ul>`
              }
            </section>`
          : nothing
      }
      ${waits && retry_at ? html`<p class="note">${this.when(retry_at)}</p>` : nothing}`,
      action: can_retry
        ? {
            label: waits ? untranslated(blocked.retryIn(time), time) : blocked.retry,
            look: waits ? 'idle' : '',
          }
        : reason === 'not_me'
          ? { label: blocked.close }
          : exitAction(this.view.brand, this.words),
      second:
        can_retry || reason === 'not_me'
          ? supportLink(this.view.brand, this.words)
          : returnButton(this.view.brand, this.words),
      trust: blocked.trust,
    }
  }

  /** Returns the first step in lifting a credit freeze: how to contact the bureau. */
  private unfreeze(): string | TemplateResult {
    const { blocked, app } = this.words
    const { bureau } = this.view.data
    if (!bureau?.url && !bureau?.phone) return blocked.freezeStep1
    const { name, phone, url } = bureau
    return html`${blocked.freezeContact(name)}<span class="ways">${
      url
        ? html`<a href=${url} target="_blank" rel="noopener noreferrer"
            >${blocked.freezeSite(name)}<span class="sr"> ${app.newTab}</span></a
          >`
        : nothing
    }${phone ? html`<a href="tel:${phone}">${blocked.freezeCall(showPhone(phone))}</a>` : nothing}</span>`
  }

  private when(retry_at: string): string {
    return this.words.blocked.retryAt(this.moment(retry_at))
  }
}
