/** A document's text: its translation, if there is one, above the English text that the person agrees to. */
import { html, type TemplateResult } from 'lit'
import type { DocumentText } from '../words/documents.js'
import type { Words } from '../words/en.js'

export function legal({ translated, english }: DocumentText, { consent }: Words): TemplateResult {
  const original = english.map(text => html`<p lang="en" dir="ltr">${text}</p>`)
  if (!translated) return html`${original}`
  return html`<p class="paper-kind">${consent.translation}</p>
    ${translated.map(text => html`<p>${text}</p>`)}
    <p class="paper-kind">${consent.original}</p>
    ${original}`
}
