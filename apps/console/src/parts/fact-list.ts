/** Renders lists of labeled values, and JSON. */
import { html, nothing, type TemplateResult } from 'lit'

export type Fact = [name: string, value: unknown] | null

/** Renders a list of labeled values, omitting empty ones. */
export const factList = (...list: Fact[]): TemplateResult =>
  html`<dl class="facts">
    ${list.map(fact =>
      fact === null || fact[1] === null || fact[1] === undefined || fact[1] === ''
        ? nothing
        : html`<dt>${fact[0]}</dt>
            <dd>${fact[1]}</dd>`,
    )}
  </dl>`

/** Renders JSON for users who work with the API. */
export const jsonBlock = (value: unknown): TemplateResult =>
  html`<pre class="json" tabindex="0">${JSON.stringify(value, null, 2)}</pre>`
