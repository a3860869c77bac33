/** Lets long names without spaces break after a dot or a slash before they break inside a word. */
import { html, type TemplateResult } from 'lit'

export const breakable = (name: string): TemplateResult[] =>
  name.split(/(?<=[./])/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr />${part}`))
