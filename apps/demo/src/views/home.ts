import { html } from 'hono/html'
import type { Form, FormErrors } from '../applications.js'
import { LOAN_APR_PERCENT, LOAN_TERM_MONTHS, monthlyPayment } from '../loan.js'
import { codes, people } from '../sandbox/inputs.js'
import { about, local, money, percent, round } from './format.js'
import { layout, type Site, type View, wordsOf } from './layout.js'
import { offerFigures } from './offer.js'

/** The offer and its application form. */
export function homePage(site: Site, form: Form, errors: FormErrors = {}): View {
  const t = wordsOf(site)
  const field = (name: keyof Form, label: string, hint: string, attributes: View): View => {
    const error = errors[name]
    const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
    return html`<div class="field">
      <label for="${name}">${t(label)}</label>
      ${hint ? html`<p class="hint" id="${name}-hint">${t(hint)}</p>` : ''}
      <input id="${name}" name="${name}" value="${form[name]}" required aria-describedby="${described}"
        ${error ? html`aria-invalid="true"` : ''} ${attributes}>
      ${error ? html`<p class="error" id="${name}-error">${t(error)}</p>` : ''}
    </div>`
  }
  const wrong = Object.keys(errors).length > 0

  return layout(site, {
    title: wrong ? 'Check the form' : 'One loan instead of many debts',
    body: html`<div class="hero">
      <section class="pitch">
        <h1>${t('One loan. One payment. Your cards, paid by us.')}</h1>
        <p class="lead">${t('Bring your card and loan balances together at a fixed {rate} APR. You choose what to pay. We send the money straight to the accounts.', { rate: percent(LOAN_APR_PERCENT) })}</p>
        <ul class="points">
          <li><strong>${t('No statements to upload.')}</strong> ${t('Confirm your phone and we find what you owe.')}</li>
          <li><strong>${t('Your credit score doesn’t change.')}</strong> ${t('We run a soft check.')}</li>
          <li><strong>${t('You split the loan.')}</strong> ${t('Change the amounts until we release it.')}</li>
        </ul>
      </section>
      <form class="card" method="post" action="/applications">
        <h2>${t('Apply')}</h2>
        ${errors.form ? html`<p class="error" role="alert">${t(errors.form)}</p>` : ''}
        <input type="hidden" name="id" value="${form.id}">
        <div class="pair">
          ${field('first_name', 'First name', '', html`autocomplete="given-name"`)}
          ${field('last_name', 'Last name', '', html`autocomplete="family-name"`)}
        </div>
        ${field('phone', 'Mobile phone', 'We’ll text a code to it.', html`type="tel" inputmode="tel" autocomplete="tel-national"`)}
        ${field('amount', 'Loan amount, in dollars', '$1,000 to $50,000', html`inputmode="decimal" autocomplete="off"`)}
        <button class="button wide" type="submit">${t('Continue')}</button>
        <p class="small">${t('It takes about two minutes and doesn’t affect your credit score.')}</p>
      </form>
    </div>
    <section class="part" aria-labelledby="how">
      <h2 id="how">${t('How it works')}</h2>
      <ol class="how">
        <li><h3>${t('Link your accounts')}</h3><p>${t('Confirm your phone. We find your cards and loans with their balances and rates.')}</p></li>
        <li><h3>${t('Choose what the loan pays')}</h3><p>${t('Split the loan among your accounts and see what you could save.')}</p></li>
        <li><h3>${t('We pay your accounts')}</h3><p>${t('Each payment goes straight to the account. You can follow it until it arrives.')}</p></li>
      </ol>
    </section>
    <section class="part" aria-labelledby="rates">
      <h2 id="rates">${t('One rate, no fees')}</h2>
      <div class="card">${offerFigures(site, example)}</div>
      <p class="small" lang="en" dir="ltr">Example: you borrow ${round(example)} and make ${LOAN_TERM_MONTHS} monthly payments of ${money(monthlyPayment(example))}, about ${about(LOAN_TERM_MONTHS * monthlyPayment(example))} in total. There is no origination fee and no fee for paying early.</p>
    </section>`,
    tester: { body: testPeople, isOpen: false },
  })
}

/** The amount of the example loan, in cents. */
const example = 1_000_000

/** The sandbox's people, each with a link that fills in the form. */
const testPeople = html`<p>The phone number determines the scenario. You can use any name. Choose a number below to fill in the form.
    On the code screen, <code>${codes.right}</code> is accepted, <code>${codes.wrong}</code> is incorrect and
    <code>${codes.expired}</code> has expired. No text message is sent. <a href="/docs/sandbox.md">docs/sandbox.md</a> describes every person.</p>
  <div class="scroll" tabindex="0" role="region" aria-label="Test people"><table>
    <thead><tr><th scope="col">Phone</th><th scope="col">This person …</th></tr></thead>
    <tbody>
      ${people.map(
        (person, place) => html`<tr>
          <th scope="row"><a class="phone" href="/?person=${place}">${local(person.phone)}</a></th>
          <td>${person.what}</td>
        </tr>`,
      )}
    </tbody>
  </table></div>`
