import type { OpalSession, Payment } from '@causeway/sdk'
import { html } from 'hono/html'
import { type Application, nameOfBorrower } from '../applications.js'
import { round, when } from './format.js'
import { layout, type Site, type View } from './layout.js'
import { badge, stageOf } from './stage.js'

interface Row {
  application: Application
  session: OpalSession | null
  payments: Payment[]
}

/** Lists the applications of borrowers whose names contain the search text. */
export function casesPage(site: Site, rows: readonly Row[], { told, search }: { told: number; search: string }): View {
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="Applications"><table>
      <thead><tr><th scope="col">Borrower</th><th scope="col" class="number">Loan</th><th scope="col">State</th><th scope="col" class="when">Applied</th></tr></thead>
      <tbody>${rows.map(
        ({ application, session, payments }) => html`<tr>
          <th scope="row"><a href="/operations/${application.id}">${nameOfBorrower(application)}</a></th>
          <td class="number">${round(application.loan_amount)}</td>
          <td>${badge(stageOf(session, payments))}</td>
          <td class="when">${when(application.created_at)}</td>
        </tr>`,
      )}</tbody>
    </table></div>`
  const empty = search
    ? html`<p class="lead">No borrower’s name contains “${search}”. <a href="/operations">Show all</a></p>`
    : html`<p class="lead">None yet. <a href="/">Apply as a borrower</a>, then come back.</p>`
  return layout(site, {
    title: 'Applications',
    area: 'operations',
    body: html`<h1 data-news="" data-told="${told}">Applications</h1>
      <form class="search" role="search" method="get" action="/operations">
        <label for="name">Borrower’s name</label>
        <div><input id="name" name="name" type="search" value="${search}" autocomplete="off"><button class="button quiet" type="submit">Search</button></div>
      </form>
      <div>${rows.length > 0 ? table : empty}</div>`,
  })
}
