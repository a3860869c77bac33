import { html } from 'hono/html'
import { type Debt, titleOf } from '../debts.js'
import { estimatePayments, LOAN_APR_PERCENT, LOAN_TERM_MONTHS, monthlyPayment, savingsOf } from '../loan.js'
import { about, money, percent, round, sum } from './format.js'
import { type Site, type View, wordsOf } from './layout.js'

/** Shows a loan's key figures. */
export function offerFigures(site: Site, loan_amount: number): View {
  const t = wordsOf(site)
  return html`<dl class="figures">
    <div><dt>${t('Loan amount')}</dt><dd>${round(loan_amount)}</dd></div>
    <div><dt>${t('APR, fixed')}</dt><dd>${percent(LOAN_APR_PERCENT)}</dd></div>
    <div><dt>${t('Term')}</dt><dd>${t('{count} months', { count: String(LOAN_TERM_MONTHS) })}</dd></div>
    <div><dt>${t('Monthly payment')}</dt><dd>${money(monthlyPayment(loan_amount))}</dd></div>
  </dl>`
}

/**
 * Estimates a loan's savings and shows the calculation. Renders nothing if the loan doesn't save any money.
 * @param payments the confirmed payments, or those actually made once the loan is released; null before confirmation
 */
export function savingsNote(
  site: Site,
  debts: readonly Debt[],
  loan_amount: number,
  payments: { amounts: Record<string, number>; isReleased: boolean } | null,
): View {
  const t = wordsOf(site)
  const savings = savingsOf(debts, payments?.amounts ?? estimatePayments(debts, loan_amount))
  const total = savings.reduce((all, { saved }) => all + saved, 0)
  if (total <= 0) return html``
  const paid = sum(Object.fromEntries(savings.map(({ debt, amount }) => [debt.id, amount])))
  const assumption = payments
    ? `based on the payments ${payments.isReleased ? 'we made' : 'you confirmed'}`
    : 'assuming that the loan pays off the balances with the highest rates first'
  return html`<div class="savings">
    <p><strong>${t('Estimated savings: about {amount} in the first year', { amount: about(total) })}</strong></p>
    <p lang="en" dir="ltr">Interest on ${money(paid)} at your accounts’ current rates, compared with ${percent(LOAN_APR_PERCENT)}, ${assumption}.
      We assume that balances and rates stay the same for a year and that you make no new purchases.</p>
    <details>
      <summary>${t('See the calculation')}</summary>
      <p lang="en" dir="ltr">For each account, the balance paid times the difference between the two rates:</p>
      <dl class="amounts">
        ${savings.map(
          ({ debt, amount, apr, saved }) =>
            html`<div><dt>${titleOf(debt)}<br>${money(amount)} × (${percent(apr)} − ${percent(LOAN_APR_PERCENT)})</dt><dd>${money(saved)}</dd></div>`,
        )}
        <div class="total"><dt>${t('Estimated savings')}</dt><dd>${money(total)}</dd></div>
      </dl>
    </details>
  </div>`
}
