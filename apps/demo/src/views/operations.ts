import type { Account, CausewayError, OpalSession, Payment } from '@causeway/sdk'
import { html } from 'hono/html'
import type { Application, RestReport } from '../applications.js'
import { paymentsOf, restOf } from '../network.js'
import { money, nameOf, round, sum, when } from './format.js'
import { layout, type Site, type View } from './layout.js'

interface Row {
  application: Application
  session: OpalSession | null
  payments: Payment[]
}

const nameOfBorrower = ({ first_name, last_name }: Application): string => `${first_name} ${last_name}`

/** Where a case stands. */
function stageOf({ session, payments }: Pick<Row, 'session' | 'payments'>): [label: string, tone: string] {
  if (session?.bt?.payout_status === 'released')
    return restOf(session, payments).length > 0 ? ['Partly paid', 'bad'] : ['Released', 'good']
  if (session?.bt?.completed) return ['Ready to release', 'busy']
  return [session ? 'Borrower is choosing' : 'Accounts not chosen', 'calm']
}

const badge = ([label, tone]: [string, string]): View => html`<span class="badge ${tone}">${label}</span>`

export function listPage(site: Site, rows: readonly Row[], told: number): View {
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="Applications"><table>
      <thead><tr><th scope="col">Borrower</th><th scope="col" class="number">Loan</th><th scope="col">State</th><th scope="col" class="when">Applied</th></tr></thead>
      <tbody>${rows.map(
        ({ application, ...row }) => html`<tr>
          <th scope="row"><a href="/operations/${application.id}">${nameOfBorrower(application)}</a></th>
          <td class="number">${round(application.loan_amount)}</td>
          <td>${badge(stageOf(row))}</td>
          <td class="when">${when(application.created_at)}</td>
        </tr>`,
      )}</tbody>
    </table></div>`
  return layout(site, {
    title: 'Applications',
    area: 'operations',
    body: html`<h1 data-news="" data-told="${told}">Applications</h1>
      ${rows.length > 0 ? table : html`<p class="lead">None yet. <a href="/">Apply as a borrower</a>, then come back.</p>`}`,
  })
}

/** What the status of a payment means to the lender. */
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

/** What the last press of "Pay the rest" did. */
function reportOf({ made, refused }: RestReport, debts: readonly Account[]): View {
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

interface Case extends Row {
  /** The news of it when these facts were read. */
  told: number
  debts: Account[]
  /** Confirmed cents by account; null before. */
  allocations: Record<string, number> | null
  funding: string
  /** What the service said to the last button. */
  refusal: CausewayError | null
}

/** One application with everything that the service knows of it, and the buttons that move it. */
export function casePage(
  site: Site,
  { application, told, session, debts, payments, allocations, funding, refusal }: Case,
): View {
  const bt = session?.bt ?? null
  const released = bt?.payout_status === 'released'
  const base = `/operations/${application.id}`
  const made = paymentsOf(session, payments)
  const rest = session ? restOf(session, payments) : []

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
    ? html`<div class="scroll" tabindex="0" role="region" aria-label="Allocations"><table>
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

  const release = html`<form method="post" action="${base}/release">
      <button class="button" type="submit" ${allocations ? '' : html`disabled`}>Release the loan</button>
      <p class="small">${allocations ? `Sends ${money(sum(allocations))} from our funding account.` : 'Possible once the borrower has confirmed.'}</p>
    </form>`

  const owed = sum(Object.fromEntries(rest.map(({ account, amount }) => [account, amount])))
  const payRest = html`<form method="post" action="${base}/rest">
      <input type="hidden" name="attempt" value="${application.rest?.attempt ?? 1}">
      <button class="button" type="submit">Pay the rest</button>
      <p class="small">Sends ${money(owed)} to ${rest.length === 1 ? 'the account that was' : `the ${rest.length} accounts that were`} not paid. Pressing twice pays once.</p>
    </form>`

  return layout(site, {
    title: nameOfBorrower(application),
    area: 'operations',
    body: html`<p class="eyebrow"><a href="/operations">Applications</a></p>
      <h1>${nameOfBorrower(application)}, ${round(application.loan_amount)} ${badge(stageOf({ session, payments }))}</h1>
      ${
        refusal
          ? html`<div class="alert" role="alert"><strong>${refusal.sub_type}</strong> ${refusal.message}
              ${refusal.request_id ? html`<span class="small">Request ${refusal.request_id}</span>` : ''}</div>`
          : ''
      }
      ${application.rest ? reportOf(application.rest, debts) : ''}
      <div class="desk" data-news="${application.id}" data-told="${told}">
        <section class="card" aria-labelledby="split"><h2 id="split">Allocations</h2>${split}</section>
        <aside class="card" aria-label="What to do">
          <h2>${released ? 'Released' : 'Release'}</h2>
          ${released && bt?.released_at ? html`<p>On ${when(bt.released_at)}. ${rest.length > 0 ? `${money(owed)} was not paid.` : 'Releasing again would change nothing.'}</p>${rest.length > 0 ? payRest : ''}` : release}
          <h2>Sandbox clock</h2>
          <form class="buttons" method="post" action="${base}/clock">
            <button class="button quiet" name="advance" value="P1D">One day passes</button>
            <button class="button quiet" name="advance" value="P7D">One week passes</button>
          </form>
          <p class="small">Payments move with the clock, on business days; this page follows. <a href="${base}">Refresh</a></p>
        </aside>
      </div>
      <section aria-labelledby="facts">
        <h2 id="facts">What the service says</h2>
        <dl class="facts">
          <div><dt>Entity</dt><dd><code>${application.entity_id}</code></dd></div>
          <div><dt>Session</dt><dd>${session ? html`<code>${session.id}</code>` : 'none yet'}</dd></div>
          <div><dt>Confirmed</dt><dd>${bt?.completed ? 'yes' : 'no'}</dd></div>
          <div><dt>Payout status</dt><dd>${bt ? html`<code>${bt.payout_status}</code>` : 'none yet'}</dd></div>
          <div><dt>Linked debts</dt><dd>${debts.length}</dd></div>
          <div><dt>Funding account</dt><dd><code>${funding}</code></dd></div>
        </dl>
      </section>`,
  })
}
