/**
 * A table with the amount for each account, the remainder, and the loan. The review screen, the last screen and the
 * printed copy all show this table.
 */
import { type Allocations, type Terms, total } from '@causeway/contract/allocations'
import type { AccountView } from '@causeway/contract/session'
import { html, nothing, svg, type TemplateResult } from 'lit'
import type { Language } from '../words/language.js'
import { maskOf } from './account.js'
import { icon } from './icons.js'

/** The icon on the button that changes the amounts. */
export const editIcon = () => icon(svg`<path d="m4 16 .8-3.3L13 4.5l2.5 2.5-8.2 8.2Z" />`)

export interface AmountRow {
  name: string
  note: string
  amount: string
  /** A sentence below the account's name. */
  next?: string
}

/** Describes an amount in relation to the debt: either the current balance or part of it. */
export function describeShare(account: AccountView, amount: number, language: Language): string {
  const { review } = language.words
  if (account.balance === null) return ''
  return amount >= account.balance ? review.current : review.part(language.money(account.balance))
}

export function accountsWithAmount(accounts: readonly AccountView[], allocations: Allocations): AccountView[] {
  return accounts.filter(account => (allocations[account.id] ?? 0) > 0)
}

export interface AmountTableOptions {
  accounts: readonly AccountView[]
  allocations: Allocations
  terms: Terms
  brand: string
  language: Language
  /** Content below an account's amount, such as the status of its payment. */
  under?: (account: AccountView) => TemplateResult | typeof nothing
  /** A sentence below an account's name, such as the next step. */
  note?: (account: AccountView) => string
}

export function amountTable({
  accounts,
  allocations,
  terms,
  brand,
  language,
  under,
  note,
}: AmountTableOptions): TemplateResult {
  const { review } = language.words
  const residual = terms.loan_amount - total(allocations)
  return html`<dl class="sums">
    ${accountsWithAmount(accounts, allocations).map(account => {
      const amount = allocations[account.id] ?? 0
      const part = describeShare(account, amount, language)
      return html`<div>
        <dt><span translate="no">${account.name}</span><small>${maskOf(account, language)}${account.mask && part ? ' · ' : ''}${part}</small></dt>
        <dd class="amount"><span translate="no">${language.money(amount)}</span>${under?.(account) ?? nothing}</dd>
        ${note ? html`<dd class="note">${note(account)}</dd>` : nothing}
      </div>`
    })}
    ${
      residual > 0
        ? html`<div class="quiet">
            <dt>${review.notPlaced}<small>${review.notPlacedNote(brand)}</small></dt>
            <dd class="amount" translate="no">${language.money(residual)}</dd>
          </div>`
        : nothing
    }
    <div class="total">
      <dt>${review.total}</dt>
      <dd class="amount" translate="no">${language.money(terms.loan_amount)}</dd>
    </div>
  </dl>`
}
