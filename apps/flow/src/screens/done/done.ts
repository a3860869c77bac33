/**
 * The last screen of the flow: the confirmed choices, the next steps, and, once the loan is released, the status of
 * each payment.
 */
import { isLost, type Outcome, outcomeOf } from '@causeway/contract/outcome'
import type { AccountView } from '@causeway/contract/session'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { accountLogo, balanceOf, accountTitle as nameOf } from '../../parts/account.js'
import { type AmountTableOptions, accountsWithAmount, amountTable, editIcon } from '../../parts/amount-table.js'
import { supportLink } from '../../parts/exits.js'
import { icons } from '../../parts/icons.js'
import { Announcement, ExitRequest } from '../../requests.js'
import { Screen, type ScreenParts } from '../screen.js'
import { receipt } from './receipt.js'

@customElement('screen-done')
export class DoneScreen extends Screen<'done'> {
  private said = ''

  /** Announces the title to screen readers when a payment update changes it. */
  protected override updated(): void {
    const { title } = this.page()
    if (this.said !== '' && this.said !== title) this.dispatchEvent(new Announcement(title))
    this.said = title
  }

  protected override act(): void {
    this.dispatchEvent(new ExitRequest())
  }

  protected override page(): ScreenParts {
    const { done } = this.words
    const { terms, payout_status } = this.view.data
    const page = terms === null ? this.connected() : payout_status === 'released' ? this.released() : this.confirmed()
    return { mark: html`<span class="badge good">${icons.check()}</span>`, action: { label: done.action }, ...page }
  }

  private connected(): ScreenParts {
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
                  account => html`<li class="row">
                    ${accountLogo(account)}<span>${nameOf(account, this.language)}</span>${balanceOf(account, this.language)}
                  </li>`,
                )}
              </ul>`
        }
        <div class="links">${this.copy()}</div>
      </div>`,
      ...(this.view.mode === 'manage' ? {} : { trust: done.trustConnect(brand) }),
    }
  }

  private ended(brand: string): [title: string, lead: string] {
    const { done } = this.words
    const count = this.view.data.accounts.length
    switch (this.view.mode) {
      case 'manage':
        return [done.titleWithdrawn(brand), done.leadWithdrawn(brand)]
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

  private confirmed(): ScreenParts {
    const { done } = this.words
    const brand = this.view.brand.name
    const { editable } = this.view.data
    return {
      title: done.titleConfirmed,
      lead: done.leadConfirmed,
      body: html`<section class="stack">
          <h2>${done.nextTitle}</h2>
          <ol class="next">
            <li><span class="next-mark past">${icons.check()}</span><span>${done.nextConfirmed}</span></li>
            <li>
              <span class="next-mark" translate="no">2</span
              ><span>${done.nextRelease(brand)}${editable ? html`<small>${done.nextReleaseNote}</small>` : nothing}</span>
            </li>
            <li>
              <span class="next-mark" translate="no">3</span><span>${done.nextArrive}<small>${done.nextArriveNote}</small></span>
            </li>
          </ol>
        </section>
        ${this.summary()}`,
      trust: done.trust,
    }
  }

  private released(): ScreenParts {
    const { done } = this.words
    const { accounts, allocations, released_at } = this.view.data
    const each = accountsWithAmount(accounts, allocations).map(account => this.outcome(account))
    const [title, lead] = this.together(each)
    const released = this.language.date(released_at ?? new Date(this.now()).toISOString())
    return {
      ...(each.some(isLost)
        ? {
            mark: html`<span class="badge warn">${icons.alert()}</span>`,
            second: supportLink(this.view.brand, this.words),
          }
        : {}),
      title,
      lead: lead(released),
      body: this.summary({
        under: account => this.payment(account),
        note: account => this.words.paymentNext[this.outcome(account)](this.view.brand.name),
      }),
      trust: done.trustReleased,
    }
  }

  private outcome({ id }: AccountView): Outcome {
    return outcomeOf(this.view.data.payments[id] ?? null)
  }

  /**
   * Returns a title and a lead that cover all payments. A failed payment is reported even before the other payments
   * arrive.
   */
  private together(each: readonly Outcome[]): [string, (date: string) => string] {
    const { done } = this.words
    if (each.every(outcome => outcome === 'not_made')) return [done.titleNone, done.leadNone]
    if (each.every(isLost)) return [done.titleFailed, done.leadFailed]
    if (each.some(isLost)) return [done.titleSome, done.leadFailed]
    return each.every(outcome => outcome === 'paid')
      ? [done.titleArrived, done.leadArrived]
      : [done.titleReleased, done.leadReleased]
  }

  private payment(account: AccountView): TemplateResult {
    const outcome = this.outcome(account)
    const tone = isLost(outcome) ? 'bad' : outcome === 'paid' ? '' : 'wait'
    return html`<span class="state-tag ${tone}">${this.words.payment[outcome]}</span>`
  }

  private summary(more: Pick<AmountTableOptions, 'under' | 'note'> = {}): TemplateResult {
    const { done } = this.words
    const { accounts, allocations, editable, terms } = this.view.data
    if (!terms) return html``
    return html`<div class="stack">
      ${amountTable({ accounts, allocations, terms, brand: this.view.brand.name, language: this.language, ...more })}
      <div class="links">
        ${
          editable
            ? html`<button class="textlink" type="button" @click=${() => this.ask({ action: 'edit' })}>
                ${editIcon()}${done.edit}
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
    const { openPrintableCopy } = await import('../../parts/printable-copy.js')
    const paper = receipt(this.view, this.page().title, this.now(), this.language)
    await openPrintableCopy(window, paper, this.view, this.language)
  }
}
