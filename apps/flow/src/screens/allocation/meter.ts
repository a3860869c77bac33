/** Shows each account's share of the loan, in the color of the account's row. */
import { type Allocations, type Terms, total } from '@causeway/contract/allocations'
import type { AccountView } from '@causeway/contract/session'
import { vars } from '@causeway/ui/vars'
import { html, nothing, type TemplateResult } from 'lit'
import { untranslated } from '../../parts/untranslated.js'
import type { Language } from '../../words/language.js'
import { hueOf } from './hues.js'

export interface MeterOptions {
  accounts: readonly AccountView[]
  placed: Allocations
  terms: Terms
  /** A message about a problem with the totals; null if there is no problem. */
  say: string | null
  brand: string
  language: Language
}

export function meter({ accounts, placed, terms, say, brand, language }: MeterOptions): TemplateResult {
  const { allocation } = language.words
  const sum = total(placed)
  const residual = terms.loan_amount - sum
  const over = residual < 0
  const whole = Math.max(terms.loan_amount, sum)
  return html`<div class="meter stays ${over ? 'over' : ''}">
    <div class="meter-top">
      <span>${over ? allocation.over : allocation.left}</span>
      <strong class="num" translate="no">${language.money(Math.abs(residual))}</strong>
    </div>
    <div class="meter-bar" aria-hidden="true">
      ${accounts.map(({ id }, i) => {
        const share = ((placed[id] ?? 0) / whole) * 100
        return share > 0 ? html`<i ${vars({ '--share': `${share.toFixed(3)}%`, '--hue': hueOf(i) })}></i>` : nothing
      })}
    </div>
    <div class="meter-foot">
      <span class="num">${untranslated(allocation.placed(language.money(sum)), language.money(sum))}</span>
      <span>${may(terms, brand, language)}</span>
    </div>
    ${say ? html`<p class="meter-say" tabindex="-1">${say}</p>` : nothing}
  </div>`
}

function may({ loan_amount, residual_amount_max }: Terms, brand: string, language: Language): string {
  const { allocation } = language.words
  if (residual_amount_max === 0) return allocation.allPlaced
  return residual_amount_max >= loan_amount
    ? allocation.anyStay(brand)
    : allocation.mayStay(language.short(residual_amount_max))
}
