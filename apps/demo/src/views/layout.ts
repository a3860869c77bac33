import { html } from 'hono/html'
import { directionOf, type Language, languages, sentence, translate } from '../words/translate.js'

/** Settings that all pages of the site use. */
export interface Site {
  /** The URL of the kit's script. */
  kit: string
  frameOrigin: string
  /** The language of this response. */
  language: Language
  /** The path that the language switch returns to. */
  path: string
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

const borrowerNavigation = (t: Words): View => html`<nav aria-label="Site">
  <a href="/#how">${t('How it works')}</a>
  <a href="/#rates">${t('Rates')}</a>
</nav>`

/** Returns a sentence in the language of the page. */
type Words = (english: string, values?: Record<string, string>) => View
export const wordsOf =
  ({ language }: Site): Words =>
  (english, values) =>
    sentence(language, english, values)

/** Links to this page in the other languages. */
const languageSwitch = ({
  language,
  path,
}: Site): View => html`<p class="languages" role="group" aria-label="${translate(language, 'Language')}">
    ${Object.entries(languages).map(
      ([code, name]) =>
        html`<a href="${path}?lang=${code}" lang="${code}" ${code === language ? html`aria-current="true"` : ''}>${name}</a>`,
    )}
  </p>`

/** Renders the layout that every page uses. */
export function layout(site: Site, { title, kit = false, area = 'borrower', body, tester }: Page): View {
  const isBorrower = area === 'borrower'
  const t = wordsOf(site)
  const language = isBorrower ? site.language : 'en'
  const scripts = html`<script src="${site.kit}" crossorigin="anonymous" defer></script>
    <script src="/application.js" type="module"></script>`
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${translate(language, title)} · Northwind Lending</title>
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
    <a class="skip" href="#main">${isBorrower ? t('Skip to content') : 'Skip to content'}</a>
    <header class="top" aria-label="Northwind Lending">
      <a class="brand" href="/"><img src="/mark.svg" alt="" width="28" height="28">Northwind Lending</a>
      ${isBorrower ? borrowerNavigation(t) : html`<span class="area">Back office</span>`}
    </header>
    <main id="main">${body}</main>
    ${
      tester
        ? html`<aside class="tester" aria-label="Demo"><details ${tester.isOpen ? html`open` : ''}>
            <summary>${t('Test this demo')}</summary><div lang="en" dir="ltr">${tester.body}</div></details></aside>`
        : ''
    }
    <footer>
      ${isBorrower ? languageSwitch(site) : ''}
      <p lang="en">Northwind Lending isn’t a real lender. This demo shows how a lender can use Causeway, with a test network and no real money.</p>
      <p><a href="/help">${isBorrower ? t('Help') : 'Help'}</a> · <a href="/privacy">${isBorrower ? t('Privacy') : 'Privacy'}</a> · ${isBorrower ? html`<a href="/operations" lang="en">Back office (demo)</a>` : html`<a href="/">Borrower’s site</a>`}</p>
    </footer>
  </body>
</html>`
}

/** A page with a heading and one sentence. */
export const messagePage = (site: Site, title: string, text: string): View =>
  layout(site, {
    title,
    body: html`<section class="narrow" lang="en" dir="ltr"><h1>${title}</h1><p class="lead">${text}</p><p><a class="button" href="/">Go to the home page</a></p></section>`,
  })
