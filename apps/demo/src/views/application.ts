import type { Account, Payment } from '@causeway/sdk'
import { html } from 'hono/html'
import type { Application } from '../applications.js'
import { isLost } from '../network.js'
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
  /** The payment of each account once released; null where none was made. */
  made: Record<string, Payment | null>
}

/** How a payment stands, in the borrower's words. */
function standingOf(payment: Payment | null): [label: string, tone: string] {
  if (payment === null || payment.status === 'failed' || payment.status === 'canceled') return ['Not made', 'bad']
  if (isLost(payment)) return ['Sent back', 'bad']
  return ['posted', 'cashed', 'settled'].includes(payment.status) ? ['Paid', 'good'] : ['On its way', 'busy']
}

/** What the borrower reads once the loan is released. */
function outcomeOf(made: Record<string, Payment | null>): string {
  const all = Object.values(made)
  if (all.every(payment => standingOf(payment)[0] === 'Paid')) return 'The loan is released and every payment arrived.'
  return all.some(isLost)
    ? 'The loan is released, but not every payment went through. Keep paying the accounts marked below as usual. We will write to you about them.'
    : 'The loan is released and the payments are on their way.'
}

/** The borrower's own application: what is done, and the one thing to do next. */
export function applicationPage(site: Site, { application, told, debts, allocations, released, made }: Facts): View {
  const linked = debts.length > 0
  const isPart = Object.values(made).some(isLost)
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
        .map(([id, amount]) => {
          const [label, tone] = standingOf(made[id] ?? null)
          const standing = released ? html`<br><span class="badge ${tone}">${label}</span>` : ''
          return html`<div><dt>${nameOf(id, debts)}${standing}</dt><dd>${money(amount)}</dd></div>`
        })}
      <div class="rest"><dt>Not used for payoffs</dt><dd>${money(application.loan_amount - sum(allocations))}</dd></div>
      <div class="total"><dt>Loan</dt><dd>${money(application.loan_amount)}</dd></div>
    </dl>`

  const title = isPart ? 'there is news about your loan' : `your ${round(application.loan_amount)} loan is ready`
  return layout(site, {
    title: 'Your application',
    kit: true,
    body: html`<div class="narrow" data-application="${application.id}" data-told="${told}">
      <p class="eyebrow">Approved</p>
      <h1>${application.first_name}, ${title}</h1>
      <p class="lead">${
        next === 'none'
          ? outcomeOf(made)
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
          released && !isPart ? 'done' : allocations ? 'now' : 'later',
          'We send the money',
          released
            ? html`<p>Released on ${when(released)}. Payments usually take one to three business days.</p>`
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
