import type { CausewayError, OpalSession, Payment } from '@causeway/sdk'
import { html } from 'hono/html'
import { type Application, nameOfBorrower, type RestReport } from '../applications.js'
import { type Debt, nameOf, titleOf } from '../debts.js'
import { LOAN_APR_PERCENT, LOAN_TERM_MONTHS, monthlyPayment } from '../loan.js'
import { paymentsOf, unpaidOf } from '../network.js'
import type { Moment } from '../timeline.js'
import { moment, money, percent, round, sum, when } from './format.js'
import { layout, type Site, type View } from './layout.js'
import { logoOf } from './logo.js'
import { badge, stageOf } from './stage.js'

/** The color of each payment status on the lender's pages. */
const tones: Partial<Record<Payment['status'], string>> = {
  pending: 'calm',
  canceled: 'bad',
  failed: 'bad',
  reversal_required: 'bad',
  reversal_processing: 'bad',
  reversed: 'bad',
  settled: 'good',
  posted: 'good',
  cashed: 'good',
}

/**
 * Shows the result of the last click on "Pay the rest".
 * @param unpaid the accounts that are unpaid now. A refused account may have been paid since.
 */
function reportOf({ made, refused: all }: RestReport, debts: readonly Debt[], unpaid: ReadonlySet<string>): View {
  const refused = all.filter(({ account }) => unpaid.has(account))
  if (made.length + refused.length === 0) return html``
  const paid = made.map(({ account, amount }) => html`<li>Sent ${money(amount)} to ${nameOf(account, debts)}.</li>`)
  const not = refused.map(
    ({ account, amount, sub_type, message }) =>
      html`<li>${money(amount)} to ${nameOf(account, debts)} was refused again. <strong>${sub_type}</strong> ${message}</li>`,
  )
  return refused.length > 0
    ? html`<div class="alert" role="alert"><ul>${paid}${not}</ul>
        <p class="small">Try again later, pay the borrower another way, or open a new session with new terms.</p></div>`
    : html`<div class="status" role="status"><ul>${paid}</ul></div>`
}

interface Case {
  application: Application
  session: OpalSession | null
  payments: Payment[]
  /** The number of changes recorded when this data was read. */
  told: number
  debts: Debt[]
  /** The confirmed amounts in cents, keyed by account; null before confirmation. */
  allocations: Record<string, number> | null
  timeline: Moment[]
  funding: string
  /** The service's error for the last button pressed; null if there was none. */
  refusal: CausewayError | null
}

/** Shows one application with all of the service's data about it, and buttons for the next actions. */
export function casePage(
  site: Site,
  { application, told, session, debts, payments, allocations, timeline, funding, refusal }: Case,
): View {
  const bt = session?.bt ?? null
  const released = bt?.payout_status === 'released'
  const base = `/operations/${application.id}`
  const made = paymentsOf(session, payments)
  const rest = session ? unpaidOf(session, payments) : []

  const paymentOf = (account: string): View => {
    const payment = made[account]
    if (payment) {
      const later =
        payment.id === bt?.payment_ids[account] ? '' : html` <span class="why">Paid after the release.</span>`
      const status = badge([payment.status.replaceAll('_', ' '), tones[payment.status] ?? 'busy'])
      return html`${status}${payment.error ? html` <span class="why">${payment.error.message}</span>` : ''}${later}<br><code class="id">${payment.id}</code>`
    }
    const error = bt?.payment_errors?.[account]
    return html`${badge(['not made', 'bad'])} <span class="why">${error ? `${error.sub_type}: ${error.message}` : ''}</span>`
  }

  const split = allocations
    ? html`<div class="scroll" tabindex="0" role="region" aria-label="Allocations"><table class="split">
        <thead><tr><th scope="col">Pays</th><th scope="col" class="number">Amount</th>${released ? html`<th scope="col">Payment</th>` : ''}</tr></thead>
        <tbody>
          ${Object.entries(allocations)
            .filter(([, amount]) => amount > 0)
            .map(
              ([id, amount]) =>
                html`<tr><th scope="row">${nameOf(id, debts)}</th><td class="number">${money(amount)}</td>${released ? html`<td>${paymentOf(id)}</td>` : ''}</tr>`,
            )}
          <tr class="rest"><th scope="row">Not allocated</th><td class="number">${money(application.loan_amount - sum(allocations))}</td>${released ? html`<td></td>` : ''}</tr>
        </tbody>
      </table></div>`
    : html`<p>The borrower has not confirmed the payments yet.</p>`

  const amount = money(sum(allocations ?? {}))
  const paid = Object.entries(allocations ?? {}).filter(([, cents]) => cents > 0)
  const dialog = html`<dialog id="release" aria-labelledby="release-title">
    <h2 id="release-title">Release ${amount}?</h2>
    <p>This sends ${paid.length === 1 ? 'one payment' : `${paid.length} payments`} for ${nameOfBorrower(application)} from our funding account. You can’t undo it.</p>
    <ul>${paid.map(([id, cents]) => html`<li>${money(cents)} to ${nameOf(id, debts)}</li>`)}</ul>
    <div class="buttons">
      <form method="dialog"><button class="button quiet" autofocus>Cancel</button></form>
      <form method="post" action="${base}/release"><button class="button" type="submit">Yes, release ${amount}</button></form>
    </div>
  </dialog>`
  const release = html`<button class="button" type="button" data-dialog="release" ${allocations ? '' : html`disabled`}>Release the loan</button>
    <p class="small">${allocations ? `Sends ${amount} from our funding account.` : 'Available after the borrower confirms the payments.'}</p>
    ${allocations ? dialog : ''}`

  const accounts =
    debts.length > 0
      ? html`<div class="scroll" tabindex="0" role="region" aria-label="Linked accounts"><table>
          <thead><tr><th scope="col">Account</th><th scope="col" class="number">Balance</th><th scope="col" class="number">APR</th></tr></thead>
          <tbody>${debts.map(
            debt => html`<tr><th scope="row"><div class="account">${logoOf(debt)}<span>${titleOf(debt)}<br><span class="small">${debt.institution}</span></span></div></th>
              <td class="number">${debt.balance === null ? 'unknown' : money(debt.balance)}</td>
              <td class="number">${debt.apr === null ? 'unknown' : percent(debt.apr)}</td></tr>`,
          )}</tbody>
        </table></div>`
      : html`<p>The borrower has not linked any accounts yet.</p>`

  const owed = sum(Object.fromEntries(rest.map(({ account, amount }) => [account, amount])))
  const payRest = html`<form method="post" action="${base}/rest">
      <input type="hidden" name="attempt" value="${application.rest?.attempt ?? 1}">
      <button class="button" type="submit">Pay the rest</button>
      <p class="small">Sends ${money(owed)} to ${rest.length === 1 ? 'the account that was' : `the ${rest.length} accounts that were`} not paid. Pressing the button twice pays only once.</p>
    </form>`

  return layout(site, {
    title: nameOfBorrower(application),
    area: 'operations',
    body: html`<p class="eyebrow"><a href="/operations">Applications</a></p>
      <h1>${nameOfBorrower(application)}, ${round(application.loan_amount)} ${badge(stageOf(session, payments))}</h1>
      <p class="lead">${percent(LOAN_APR_PERCENT)} APR, ${LOAN_TERM_MONTHS} months, ${money(monthlyPayment(application.loan_amount))} a month</p>
      ${
        refusal
          ? html`<div class="alert" role="alert"><strong>${refusal.sub_type}</strong> ${refusal.message}
              ${refusal.request_id ? html`<span class="small">Request ${refusal.request_id}</span>` : ''}</div>`
          : ''
      }
      ${application.rest ? reportOf(application.rest, debts, new Set(rest.map(({ account }) => account))) : ''}
      <div class="desk" data-news="${application.id}" data-told="${told}">
        <div class="card"><h2>Allocations</h2>${split}</div>
        <section class="card actions" aria-label="What to do">
          <h2>${released ? 'Released' : 'Release'}</h2>
          ${released && bt?.released_at ? html`<p>On ${when(bt.released_at)}. ${rest.length > 0 ? `${money(owed)} was not paid.` : 'Releasing it again would have no effect.'}</p>${rest.length > 0 ? payRest : ''}` : release}
          <h2>Sandbox clock</h2>
          <form class="buttons" method="post" action="${base}/clock">
            <button class="button quiet" name="advance" value="P1D">One day passes</button>
            <button class="button quiet" name="advance" value="P7D">One week passes</button>
          </form>
          <p class="small">Payments progress with the clock on business days. This page updates automatically. <a href="${base}">Refresh</a></p>
        </section>
        <div class="card"><h2>Linked accounts</h2>${accounts}</div>
        <section class="card" aria-labelledby="timeline"><h2 id="timeline">Timeline <span class="small">in UTC</span></h2>
          <ol class="timeline">${timeline.map(({ at, text }) => html`<li><span>${text}</span> <time datetime="${new Date(at).toISOString()}">${moment(at)}</time></li>`)}</ol>
        </section>
      </div>
      <section aria-labelledby="facts">
        <h2 id="facts">What the service returns</h2>
        <dl class="facts">
          <div><dt>Entity</dt><dd><code>${application.entity_id}</code></dd></div>
          <div><dt>Session</dt><dd>${session ? html`<code>${session.id}</code>` : 'none yet'}</dd></div>
          <div><dt>Confirmed</dt><dd>${bt?.completed ? 'yes' : 'no'}</dd></div>
          <div><dt>Payout status</dt><dd>${bt ? html`<code>${bt.payout_status}</code>` : 'none yet'}</dd></div>
          <div><dt>Funding account</dt><dd><code>${funding}</code></dd></div>
        </dl>
      </section>`,
  })
}
