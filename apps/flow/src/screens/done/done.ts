/** The end: what was confirmed and what happens next; after the release, how each payment stands. */
import type { AccountView } from '@causeway/contract/session'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { balanceOf, monogram, title as nameOf } from '../../parts/account.js'
import { icons } from '../../parts/icons.js'
import { paid, sums } from '../../parts/sums.js'
import { ExitRequest } from '../requests.js'
import { type Page, Screen } from '../screen.js'
import { receipt } from './receipt.js'

const arrived = new Set(['posted', 'cashed', 'settled'])
const lost = new Set([
  'failed',
  'canceled',
  'reversal_required',
  'reversal_processing',
  'reversed',
  'partial_reversal_processing',
  'partially_reversed',
])
/** Whether a payment was never made, or does not reach its account in whole. */
const isLost = (status: string | null | undefined) => !status || lost.has(status)

@customElement('screen-done')
export class DoneScreen extends Screen<'done'> {
  protected override act(): void {
    this.dispatchEvent(new ExitRequest())
  }

  protected override page(): Page {
    const { done } = this.words
    const { terms, payout_status } = this.view.data
    const page = terms === null ? this.connected() : payout_status === 'released' ? this.released() : this.confirmed()
    return { mark: html`<span class="badge good">${icons.check()}</span>`, action: { label: done.action }, ...page }
  }

  private connected(): Page {
    const { done } = this.words
    const { accounts } = this.view.data
    const brand = this.view.brand.name
    const [title, lead] = this.ended(brand)
    return {
      title,
      lead,
      body: html`<div class="stack">
        ${
          accounts.length === 0
            ? nothing
            : html`<ul class="rows">
                ${accounts.map(
                  account => html`<li class="row plain">
                    ${monogram(account)}<span>${nameOf(account, this.language)}</span>${balanceOf(account, this.language)}
                  </li>`,
                )}
              </ul>`
        }
        <div class="links">${this.copy()}</div>
      </div>`,
      trust: done.trustConnect(brand),
    }
  }

  private ended(brand: string): [title: string, lead: string] {
    const { done } = this.words
    const count = this.view.data.accounts.length
    switch (this.view.mode) {
      case 'identity_verification':
        return [done.titleIdentity, done.leadIdentity(brand)]
      case 'account_verification':
        return [done.titleAccount, done.leadAccount(brand)]
      case 'card_connect':
        return [done.titleCards(count), done.leadCards(count, brand)]
      case 'transactions':
        return [done.titleCards(count), done.leadTransactions(count, brand)]
      default:
        return [done.titleConnect(count), done.leadConnect(count, brand)]
    }
  }

  private confirmed(): Page {
    const { done } = this.words
    const brand = this.view.brand.name
    const { editable } = this.view.data
    return {
      title: done.titleConfirmed,
      lead: done.leadConfirmed(brand),
      body: html`<section class="stack">
          <h2>${done.nextTitle}</h2>
          <ol class="next">
            <li><span class="next-mark past">${icons.check()}</span><span>${done.nextConfirmed}</span></li>
            <li>
              <span class="next-mark">2</span
              ><span>${done.nextRelease(brand)}${editable ? html`<small>${done.nextReleaseNote}</small>` : nothing}</span>
            </li>
            <li>
              <span class="next-mark">3</span><span>${done.nextArrive}<small>${done.nextArriveNote}</small></span>
            </li>
          </ol>
        </section>
        ${this.summary()}`,
      trust: done.trust,
    }
  }

  private released(): Page {
    const { done } = this.words
    const { accounts, allocations, payments, released_at } = this.view.data
    const each = paid(accounts, allocations).map(({ id }) => payments[id] ?? null)
    const [title, lead] = this.outcome(each)
    const released = this.language.date(released_at ?? new Date(this.now()).toISOString())
    return {
      ...(each.some(isLost) ? { mark: html`<span class="badge warn">${icons.alert()}</span>` } : {}),
      title,
      lead: lead(released),
      body: this.summary(account => this.payment(account)),
      trust: done.trustReleased,
    }
  }

  /** How the payments went as a whole: a lost one is said at once, and not when the others have arrived. */
  private outcome(each: readonly (string | null)[]): [string, (date: string) => string] {
    const { done } = this.words
    if (each.every(status => status === null)) return [done.titleNone, done.leadNone]
    if (each.every(isLost)) return [done.titleFailed, done.leadFailed]
    if (each.some(isLost)) return [done.titleSome, done.leadFailed]
    return each.every(status => arrived.has(status ?? ''))
      ? [done.titleArrived, done.leadArrived]
      : [done.titleReleased, done.leadReleased]
  }

  private payment(account: AccountView): TemplateResult {
    const { payment, done } = this.words
    const status = this.view.data.payments[account.id]
    if (!status) return html`<span class="state-tag bad">${done.missing}</span>`
    return html`<span class="state-tag ${isLost(status) ? 'bad' : ''}"
      >${payment[status as keyof typeof payment] ?? payment.other}</span
    >`
  }

  private summary(under?: (account: AccountView) => TemplateResult): TemplateResult {
    const { done } = this.words
    const { accounts, allocations, editable, payments, payout_status, terms } = this.view.data
    if (!terms) return html``
    const brand = this.view.brand.name
    const missing = payout_status === 'released' && paid(accounts, allocations).some(({ id }) => isLost(payments[id]))
    return html`<div class="stack">
      ${missing ? html`<div class="alert warn">${icons.alert()}<span>${done.missingNote(brand)}</span></div>` : nothing}
      ${sums({ accounts, allocations, terms, brand, language: this.language, ...(under ? { under } : {}) })}
      <div class="links">
        ${
          editable
            ? html`<button class="textlink" type="button" @click=${() => this.ask({ action: 'edit' })}>
                ${icons.edit()}${done.edit}
              </button>`
            : nothing
        }
        ${this.copy()}
      </div>
    </div>`
  }

  private copy(): TemplateResult {
    return html`<button class="textlink" type="button" @click=${this.print}>
      ${icons.print()}${this.words.done.receipt}
    </button>`
  }

  private readonly print = async (): Promise<void> => {
    const { openPaper } = await import('../../parts/paper.js')
    const paper = receipt(this.view, this.page().title, this.now(), this.language)
    openPaper(window, paper, this.view.brand.name, this.language)
  }
}
