import { html } from 'hono/html'
import { codes } from '../sandbox/inputs.js'
import { layout, type Site, type View } from './layout.js'

/** The support page. The flow links to it wherever a borrower can't continue. */
export const helpPage = (site: Site): View =>
  layout(site, {
    title: 'Help',
    body: html`<section class="narrow" lang="en" dir="ltr">
      <h1>How can we help?</h1>
      <p class="lead">This is a demo without a support team. A real lender shows its phone number and chat on this page.</p>
      <section class="card"><h2>We couldn’t find your accounts</h2>
        <p>Check that your name, date of birth and address are right. If you know an account’s number, we can add the account for you.</p></section>
      <section class="card"><h2>Your balances are too low</h2>
        <p>Link other accounts, or ask us for a smaller loan.</p></section>
      <section class="card"><h2>Your code doesn’t work</h2>
        <p>In this demo, use <code>${codes.right}</code>. No text message is sent.</p></section>
      <p><a class="button" href="/">Go to the home page</a></p>
    </section>`,
  })

/** The privacy page, which the flow also links to. */
export const privacyPage = (site: Site): View =>
  layout(site, {
    title: 'Privacy',
    body: html`<section class="narrow" lang="en" dir="ltr">
      <h1>Privacy</h1>
      <p class="lead">This is a demo with fictional people. Don’t enter real personal data.</p>
      <section class="card"><h2>What is stored</h2>
        <p>The demo keeps applications, and the sandbox keeps the names and phone numbers that you enter. Both are in files
          on this machine.</p></section>
      <section class="card"><h2>On a real site</h2>
        <p>A real lender describes here what it collects, why, and how long it keeps it.</p></section>
      <p><a class="button" href="/">Go to the home page</a></p>
    </section>`,
  })
