import { html } from 'hono/html'
import type { Form, FormErrors } from '../applications.js'
import { codes, people } from '../sandbox/inputs.js'
import { local } from './format.js'
import { layout, type Site, type View } from './layout.js'

/** The offer and its form. */
export function homePage(site: Site, form: Form, errors: FormErrors = {}): View {
  const field = (name: keyof Form, label: string, hint: string, attributes: View): View => {
    const error = errors[name]
    const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
    return html`<div class="field">
      <label for="${name}">${label}</label>
      ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : ''}
      <input id="${name}" name="${name}" value="${form[name]}" required aria-describedby="${described}"
        ${error ? html`aria-invalid="true"` : ''} ${attributes}>
      ${error ? html`<p class="error" id="${name}-error">${error}</p>` : ''}
    </div>`
  }
  const wrong = Object.keys(errors).length > 0

  return layout(site, {
    title: wrong ? 'Check the form' : 'One loan instead of many debts',
    body: html`<div class="hero">
      <section class="pitch">
        <h1>One loan. One payment. Your cards, paid by us.</h1>
        <p class="lead">Bring your card and loan balances together. You choose what is paid; we send the money straight to the accounts.</p>
        <ul class="points">
          <li><strong>No statements to upload.</strong> Confirm your phone and we find what you owe.</li>
          <li><strong>Your score stays as it is.</strong> Looking is a soft check.</li>
          <li><strong>You split the loan.</strong> Change the amounts until we release it.</li>
        </ul>
      </section>
      <form class="card" method="post" action="/applications">
        <h2>Apply</h2>
        ${errors.form ? html`<p class="error" role="alert">${errors.form}</p>` : ''}
        <input type="hidden" name="id" value="${form.id}">
        <div class="pair">
          ${field('first_name', 'First name', '', html`autocomplete="given-name"`)}
          ${field('last_name', 'Last name', '', html`autocomplete="family-name"`)}
        </div>
        ${field('phone', 'Mobile phone', 'We text a code to it.', html`type="tel" inputmode="tel" autocomplete="tel-national"`)}
        ${field('amount', 'Loan amount, in dollars', '$1,000 to $50,000', html`inputmode="decimal" autocomplete="off"`)}
        <button class="button wide" type="submit">Continue</button>
        <p class="small">No text is sent: this is a sandbox.</p>
      </form>
    </div>
    <section class="try" aria-labelledby="try">
      <h2 id="try">Things to try</h2>
      <p>The phone number decides what happens, any name will do; a number below fills in the form. Where a code is asked for, <code>${codes.right}</code> is right,
        <code>${codes.wrong}</code> is wrong and <code>${codes.expired}</code> has expired. Every person is described in <a href="/docs/sandbox.md">docs/sandbox.md</a>.</p>
      <table>
        <thead><tr><th scope="col">Phone</th><th scope="col">This person …</th></tr></thead>
        <tbody>
          ${people.map(
            (person, place) => html`<tr>
              <th scope="row"><a class="phone" href="/?person=${place}">${local(person.phone)}</a></th>
              <td>${person.what}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </section>`,
  })
}
