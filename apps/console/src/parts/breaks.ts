/** Allows line breaks after the dots and slashes of long names, which would otherwise break inside a word. */
import { html, type TemplateResult } from 'lit'

export const breakable = (name: string): TemplateResult[] =>
  name.split(/(?<=[./])/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr />${part}`))
