import type { Account } from '@causeway/sdk'
import { html } from 'hono/html'
import type { Application } from '../applications.js'
import { codes } from '../sandbox/inputs.js'
import { money, nameOf, round, sum, when } from './format.js'
import { layout, type Site, type View } from './layout.js'

interface Facts {
  application: Application
  /** The news of it when these facts were read. */
  told: number
  debts: Account[]
  /** Confirmed cents by account, read from the service; null before. */
  allocations: Record<string, number> | null
  released: string | null
}

/** The borrower's own application: what is done, and the one thing to do next. */
export function applicationPage(site: Site, { application, told, debts, allocations, released }: Facts): View {
  const linked = debts.length > 0
  const next = released ? 'none' : allocations ? 'wait' : linked ? 'transfer' : 'connect'
  const count = `${debts.length} ${debts.length === 1 ? 'account' : 'accounts'}`
  const step = (state: 'done' | 'now' | 'later', title: string, body: View | string): View =>
    html`<li class="step ${state}" ${state === 'now' ? html`aria-current="step"` : ''}>
      <h2>${title}${state === 'done' ? html` <span class="tick">Done</span>` : ''}</h2>
      ${body}
    </li>`

  const connect = html`<p>Confirm your phone, and we find your cards and loans. It takes about a minute.</p>
    <p><button class="button" type="button" data-open="connect-element">Link my accounts</button></p>`

  const transfer = (
    label: string,
    quiet = false,
  ) => html`<p><button class="button ${quiet ? 'quiet' : ''}" type="button"
      data-open="opal-balance-transfer-element">${label}</button></p>
    <opal-balance-transfer-element frame-origin="${site.frameOrigin}" display="inline" appearance="system"></opal-balance-transfer-element>`

  const chosen =
    allocations &&
    html`<dl class="amounts">
      ${Object.entries(allocations)
        .filter(([, amount]) => amount > 0)
        .map(([id, amount]) => html`<div><dt>${nameOf(id, debts)}</dt><dd>${money(amount)}</dd></div>`)}
      <div class="rest"><dt>Not placed</dt><dd>${money(application.loan_amount - sum(allocations))}</dd></div>
      <div class="total"><dt>Loan</dt><dd>${money(application.loan_amount)}</dd></div>
    </dl>`

  return layout(site, {
    title: 'Your application',
    kit: true,
    body: html`<div class="narrow" data-application="${application.id}" data-told="${told}">
      <p class="eyebrow">Approved</p>
      <h1>${application.first_name}, your ${round(application.loan_amount)} loan is ready</h1>
      <p class="lead">${
        next === 'none'
          ? 'The loan is released and the payments are on their way.'
          : next === 'wait'
            ? 'Nothing is left for you to do. We release the loan next.'
            : 'Two short steps, then we send the money.'
      }</p>
      <p class="status" role="status" aria-live="polite" hidden></p>
      <ol class="steps">
        ${step(linked ? 'done' : 'now', 'Link your accounts', linked ? html`<p>We found ${count}.</p>` : connect)}
        ${step(
          allocations ? 'done' : linked ? 'now' : 'later',
          'Choose what the loan pays',
          allocations
            ? html`${chosen}${released ? '' : transfer('Change the amounts', true)}`
            : linked
              ? transfer('Choose the payments')
              : html`<p>You split the loan between your accounts.</p>`,
        )}
        ${step(
          released ? 'done' : allocations ? 'now' : 'later',
          'We send the money',
          released
            ? html`<p>Released on ${when(released)}. Payments take one to three business days.</p>`
            : html`<p>Once our staff release the loan, each account is paid directly.</p>`,
        )}
      </ol>
      <connect-element frame-origin="${site.frameOrigin}" display="modal" appearance="system"></connect-element>
      <aside class="note">
        <h2>Trying this out?</h2>
        <p>${
          next === 'wait' || next === 'none'
            ? html`You are the lender, too: <a href="/operations/${application.id}">open this application in Operations</a> to release the loan and watch the payments.`
            : html`Any six digits are a right code, such as <code>${codes.right}</code>. <code>${codes.wrong}</code> is wrong, <code>${codes.expired}</code> has expired.`
        }</p>
      </aside>
    </div>`,
  })
}
