/** Explains why the flow can't continue, what that means, and what the person can do. */
import type { BlockedReason, ViewOf } from '@causeway/contract/session'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { exitAction, exitButton, returnButton, supportLink } from '../../parts/exits.js'
import { icons } from '../../parts/icons.js'
import { Ticker } from '../../parts/ticker.js'
import { untranslated } from '../../parts/untranslated.js'
import { Announcement, ExitRequest } from '../../requests.js'
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
    if (this.offersLoan) this.ask({ action: 'request_loan' })
    else if (this.view.data.can_add_card && !can_retry) this.addCard()
    else if (can_retry && this.wait === 0) this.ask({ action: 'retry' })
    else if (!can_retry) this.dispatchEvent(new ExitRequest())
  }

  private addCard(): void {
    this.ask({ action: 'add_card' })
  }

  /** True if the person can ask for a smaller loan, which they have not done yet. */
  private get offersLoan(): boolean {
    return this.view.data.feasible > 0 && !this.isRequested
  }

  /** True if the person asked for the loan that their accounts can take. */
  private get isRequested(): boolean {
    const { feasible, requested } = this.view.data
    return feasible > 0 && feasible === requested
  }

  /** Announces to screen readers that the request for a smaller loan was sent. */
  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get('view') as ViewOf<'blocked'> | undefined
    if (before && before.data.requested === null && this.isRequested)
      this.dispatchEvent(new Announcement(this.page().title))
  }

  private said(reason: BlockedReason): Said {
    const { blocked } = this.words
    const brand = this.view.brand.name
    switch (reason) {
      case 'no_accounts':
        return {
          title: blocked.noAccountsTitle,
          text: this.view.recipients.bureau === undefined ? blocked.noneFound : blocked.noAccounts,
          steps: [
            ...(this.view.data.can_add_card ? [blocked.enterCard] : []),
            blocked.checkDetails(brand),
            ...(this.view.data.can_add_card ? [] : [blocked.addByNumber(brand)]),
          ],
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
        const { least, shortfall, feasible } = this.view.data
        const { money, short } = this.language
        if (this.isRequested)
          return {
            title: blocked.requestedTitle(short(feasible)),
            text: blocked.requested(brand),
            steps: [],
          }
        return {
          title: blocked.infeasibleTitle,
          text: blocked.infeasible(money(least - shortfall), short(least)),
          steps: [
            feasible > 0 ? blocked.requestFirst(brand, short(feasible)) : blocked.askSmaller(brand),
            blocked.addMissing(brand),
          ],
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
    const { reason, retry_at } = this.view.data
    const { title, text, steps } = this.said(reason)
    const waits = this.wait > 0
    const time = this.language.countdown(this.wait)
    return {
      mark: this.isRequested
        ? html`<span class="badge good">${icons.check()}</span>`
        : html`<span class="badge warn">${waits ? icons.clock() : icons.alert()}</span>`,
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
      ...this.actions(waits ? untranslated(blocked.retryIn(time), time) : blocked.retry, waits),
      trust: blocked.trust,
    }
  }

  /**
   * Returns the buttons: the way forward, if there is one, and the ways out.
   * @param retry the label of the button that tries again
   */
  private actions(retry: string | TemplateResult, waits: boolean): Pick<ScreenParts, 'action' | 'second'> {
    const { brand, data } = this.view
    const { blocked } = this.words
    const support = supportLink(brand, this.words)
    const way = support === nothing ? exitButton(brand, this.words) : support
    if (this.offersLoan) return { action: { label: blocked.request(this.language.short(data.feasible)) }, second: way }
    if (data.can_add_card && !data.can_retry) return { action: { label: blocked.addCard }, second: way }
    const other = data.can_add_card
      ? html`<button class="second wide" type="button" @click=${() => this.addCard()}>${blocked.addCard}</button>`
      : way
    if (data.can_retry) return { action: { label: retry, look: waits ? 'idle' : '' }, second: other }
    if (data.reason === 'not_me') return { action: { label: blocked.close }, second: way }
    return { action: exitAction(brand, this.words), second: returnButton(brand, this.words) }
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
