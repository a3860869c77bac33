/** Allows line breaks after dots and slashes in long names, which would otherwise break within a word. */
import { html, type TemplateResult } from 'lit'

export const withBreaks = (name: string): TemplateResult[] =>
  name.split(/(?<=[./])/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr />${part}`))
