import { html } from 'hono/html'

/** Settings that all pages of the site use. */
export interface Site {
  /** The URL of the kit's script. */
  kit: string
  frameOrigin: string
}

export type View = ReturnType<typeof html>

interface Page {
  title: string
  /** True if the page embeds an element. */
  kit?: boolean
  area?: 'borrower' | 'operations'
  body: View
  /** Help for a person who is testing the demo. A real lender's page has no such panel. */
  tester?: { body: View; isOpen: boolean }
}

const borrowerNavigation = html`<nav aria-label="Site">
  <a href="/#how">How it works</a>
  <a href="/#rates">Rates</a>
</nav>`

/** Renders the layout that every page uses. */
export function layout(site: Site, { title, kit = false, area = 'borrower', body, tester }: Page): View {
  const isBorrower = area === 'borrower'
  const scripts = html`<script src="${site.kit}" crossorigin="anonymous" defer></script>
    <script src="/application.js" type="module"></script>`
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} · Northwind Lending</title>
    <link rel="icon" href="/mark.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/site.css">
    <link rel="stylesheet" href="/parts.css">
    ${isBorrower ? html`<link rel="stylesheet" href="/home.css">` : ''}
    <link rel="stylesheet" href="/${area}.css">
    ${kit ? scripts : ''}
    ${isBorrower ? '' : html`<script src="/dialog.js" type="module"></script>`}
    <script src="/news.js" type="module"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to content</a>
    <header class="top" aria-label="Northwind Lending">
      <a class="brand" href="/"><img src="/mark.svg" alt="" width="28" height="28">Northwind Lending</a>
      ${isBorrower ? borrowerNavigation : html`<span class="area">Back office</span>`}
    </header>
    <main id="main">${body}</main>
    ${
      tester
        ? html`<aside class="tester" aria-label="Demo"><details ${tester.isOpen ? html`open` : ''}>
            <summary>Test this demo</summary>${tester.body}</details></aside>`
        : ''
    }
    <footer>
      <p>Northwind Lending isn’t a real lender. This demo shows how a lender can use Causeway, with a test network and no real money.</p>
      <p><a href="/help">Help</a> · <a href="/privacy">Privacy</a> · ${isBorrower ? html`<a href="/operations">Back office (demo)</a>` : html`<a href="/">Borrower’s site</a>`}</p>
    </footer>
  </body>
</html>`
}

/** A page with a heading and one sentence. */
export const messagePage = (site: Site, title: string, text: string): View =>
  layout(site, {
    title,
    body: html`<section class="narrow"><h1>${title}</h1><p class="lead">${text}</p><p><a class="button" href="/">Go to the home page</a></p></section>`,
  })
