/** Keeps a browser's translation from changing data, such as amounts, names and countdowns. */
import { html, type TemplateResult } from 'lit'

/**
 * Renders a sentence whose data a translation leaves alone. The rest of the sentence can be translated, and is not
 * written again when only the data changes.
 * @param data texts in the sentence, in order
 */
export function untranslated(sentence: string, ...data: string[]): TemplateResult {
  const parts: unknown[] = []
  let rest = sentence
  for (const text of data) {
    const at = rest.indexOf(text)
    if (at < 0 || text === '') continue
    parts.push(rest.slice(0, at), html`<span translate="no">${text}</span>`)
    rest = rest.slice(at + text.length)
  }
  // The parts must stay one item in a flex container.
  return html`<span>${parts}${rest}</span>`
}
