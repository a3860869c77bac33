import type { Payment } from '@causeway/sdk'
import { html } from 'hono/html'
import type { Application } from '../applications.js'
import { type Debt, nameOf, titleOf } from '../debts.js'
import { type LoanFit, loanFitOf, MIN_LOAN_CENTS } from '../loan.js'
import { isLost } from '../network.js'
import { codes } from '../sandbox/inputs.js'
import { day, money, percent, round, sum } from './format.js'
import { layout, type Site, type View, wordsOf } from './layout.js'
import { logoOf } from './logo.js'
import { offerFigures, savingsNote } from './offer.js'
import { outcomeOf, paymentList } from './payments.js'

interface Facts {
  application: Application
  /** The number of changes recorded when this data was read. */
  told: number
  debts: Debt[]
  /** The confirmed amounts in cents, keyed by account, as read from the service; null before confirmation. */
  allocations: Record<string, number> | null
  released: string | null
  /** The payments made since the release, keyed by account; null for an account without a payment. */
  made: Record<string, Payment | null>
}

/**
 * The borrower's page for an application: the offer, followed by the next step. After the release, the payments come
 * first, because one of them may have failed.
 */
export function applicationPage(site: Site, facts: Facts): View {
  const { application, told, debts, allocations, released, made } = facts
  const { id, first_name, loan_amount } = application
  const outcome = released ? outcomeOf(made) : null
  const short = shortOf(facts)
  const t = wordsOf(site)
  const title = outcome
    ? t(`{name}, ${outcome.title}`, { name: first_name })
    : t('{name}, your {amount} loan is ready', { name: first_name, amount: round(loan_amount) })
  const lead =
    outcome?.text ??
    (short
      ? 'Your linked balances are too low for this loan. Here is what you can do.'
      : allocations
        ? 'You’re all done. Next, we’ll release your loan.'
        : 'Complete two short steps, and we’ll pay your accounts directly.')

  const offer = html`<section class="card offer" aria-labelledby="offer">
    <h2 id="offer">${t('Your loan')}</h2>
    ${offerFigures(site, loan_amount)}
    ${savingsNote(site, debts, loan_amount, allocations && { amounts: paidOf(facts, allocations), isReleased: released !== null })}
  </section>`

  return layout(site, {
    title: 'Your application',
    kit: true,
    body: html`<div class="narrow" data-news="${id}" data-told="${told}">
      <p class="eyebrow">${released ? t('Released on {day}', { day: day(released) }) : t('Approved')}</p>
      <h1>${title}</h1>
      <div role="status"><p class="lead">${t(lead)}</p></div>
      <p class="status" role="status" lang="en" dir="ltr" hidden></p>
      ${released && allocations ? html`${progress(site, facts, allocations)}${offer}` : html`${offer}${steps(site, facts)}`}
      ${debts.length > 0 ? manage(site, application) : ''}
      <connect-element frame-origin="${site.frameOrigin}" display="modal" appearance="system" preload="idle"></connect-element>
    </div>`,
    tester: {
      isOpen: true,
      body: html`<p>Any six digits are accepted as the code, such as <code>${codes.right}</code>; <code>${codes.wrong}</code> is incorrect
          and <code>${codes.expired}</code> has expired. No text message is sent.</p>
        <p>You’re also the lender. <a href="/operations/${id}" ${allocations && !released ? next : ''}>Open this application in the back office</a> to release the loan and advance the clock.
          This page follows.</p>`,
    },
  })
}

/**
 * Returns the amounts from which the savings are calculated. After the release, a payment counts only if it was made
 * and not returned.
 */
const paidOf = ({ released, made }: Facts, allocations: Record<string, number>): Record<string, number> =>
  released
    ? Object.fromEntries(Object.entries(allocations).filter(([account]) => !isLost(made[account] ?? null)))
    : allocations

/** Marks the next action, which the page shows and focuses when it loads. */
const next = html`data-next`

/** The link to the borrower's own page. */
const manage = (site: Site, { id }: Application): View =>
  html`<form class="manage" method="post" action="/applications/${id}/manage">
    <button class="link" type="submit">${wordsOf(site)('See what you share, or stop sharing')}</button>
  </form>`

/** Shown after the release: each payment, and the part of the loan that was not used. */
const progress = (site: Site, { application, debts, made }: Facts, allocations: Record<string, number>): View =>
  html`<section class="card" aria-labelledby="payments">
    <h2 id="payments">${wordsOf(site)('Your payments')}</h2>
    <div lang="en" dir="ltr">${paymentList(allocations, made, debts)}</div>
    <dl class="amounts">${totals(site, application, allocations)}</dl>
  </section>`

const totals = (site: Site, { loan_amount }: Application, allocations: Record<string, number>): View =>
  html`<div class="rest"><dt>${wordsOf(site)('Not used for payoffs')}</dt><dd>${money(loan_amount - sum(allocations))}</dd></div>
    <div class="total"><dt>${wordsOf(site)('Loan')}</dt><dd>${money(loan_amount)}</dd></div>`

/** Returns the amounts if the linked debts are too small for the loan; null if they aren't, or after the choice. */
const shortOf = ({ application, debts, allocations }: Facts): LoanFit | null =>
  debts.length === 0 || allocations ? null : loanFitOf(debts, application.loan_amount)

/** Shown in place of the choice of payments if the linked debts are too small for the loan. */
function waysOut(site: Site, { id, loan_amount }: Application, { most, least, largest }: LoanFit): View {
  const t = wordsOf(site)
  const amounts = { most: money(most), least: money(least), loan: round(loan_amount) }
  return html`<p>${t('Your linked accounts owe {most}. At least {least} of a {loan} loan must go to them.', amounts)}</p>
    ${
      largest === null
        ? html`<p>${t('Our smallest loan is {amount}, which is more than they can take.', { amount: round(MIN_LOAN_CENTS) })}</p>`
        : html`<form method="post" action="/applications/${id}/smaller">
            <button class="button" type="submit" ${next}>${t('Change the loan to {amount}', { amount: round(largest) })}</button></form>`
    }
    <p><button class="button quiet" type="button" data-open="connect-element">${t('Link other accounts')}</button></p>
    <p><a href="/help">${t('Contact us')}</a></p>`
}

/** Shown before the release: the completed steps and the next step. */
function steps(site: Site, facts: Facts): View {
  const { application, debts, allocations } = facts
  const t = wordsOf(site)
  const short = shortOf(facts)
  const linked = debts.length > 0
  const step = (state: 'done' | 'now' | 'later', title: string, body: View): View =>
    html`<li class="step ${state}" ${state === 'now' ? html`aria-current="step"` : ''}>
      <h2>${t(title)}${state === 'done' ? html` <span class="tick">${t('Done')}</span>` : ''}</h2>
      ${body}
    </li>`

  const connect = html`<p>${t('Confirm your phone, and we’ll find your cards and loans. It takes about two minutes.')}</p>
    <p><button class="button" type="button" data-open="connect-element" ${next}>${t('Link my accounts')}</button></p>`

  const accounts = html`<ul class="accounts">
    ${debts.map(
      debt => html`<li>${logoOf(debt)}<span><strong>${titleOf(debt)}</strong><br><span class="small">${about(debt)}</span></span>
        <span class="number">${debt.balance === null ? t('Balance unknown') : money(debt.balance)}</span></li>`,
    )}
  </ul>`

  const transfer = (
    label: string,
    quiet = false,
  ) => html`<p><button class="button ${quiet ? 'quiet' : ''}" type="button"
      data-open="opal-balance-transfer-element" ${quiet ? '' : next}>${t(label)}</button></p>
    <opal-balance-transfer-element frame-origin="${site.frameOrigin}" display="inline" appearance="system" preload="idle"></opal-balance-transfer-element>`

  const chosen =
    allocations &&
    html`<dl class="amounts">
      ${Object.entries(allocations)
        .filter(([, amount]) => amount > 0)
        .map(([id, amount]) => html`<div><dt>${nameOf(id, debts)}</dt><dd>${money(amount)}</dd></div>`)}
      ${totals(site, application, allocations)}
    </dl>`

  return html`<ol class="steps">
    ${step(linked ? 'done' : 'now', 'Link your accounts', linked ? accounts : connect)}
    ${step(
      allocations ? 'done' : linked ? 'now' : 'later',
      'Choose what the loan pays',
      allocations
        ? html`${chosen}${transfer('Change the amounts', true)}`
        : short
          ? waysOut(site, application, short)
          : linked
            ? html`<p>${t('Split the loan among your accounts. You can change the amounts until we release it.')}</p>${transfer('Choose the payments')}`
            : html`<p>${t('You’ll choose how to split the loan among your accounts.')}</p>`,
    )}
    ${step(
      allocations ? 'now' : 'later',
      'We send the money',
      html`<p>${t('After we release the loan, we pay each account directly. Payments usually take one to three business days.')}</p>`,
    )}
  </ol>`
}

/** Describes a debt by its institution and rate. */
const about = ({ institution, apr }: Debt): string =>
  [institution, apr === null ? '' : `${percent(apr)} APR`].filter(Boolean).join(' · ')
