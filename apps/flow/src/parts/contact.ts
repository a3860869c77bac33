/** A link to the customer's support page. */
import type { SessionView } from '@causeway/contract/session'
import { html, nothing, type TemplateResult } from 'lit'
import type { Words } from '../words/en.js'

/** Renders the link as a button below the primary action, if the customer has a support page. */
export const contact = (
  { support_url, name }: SessionView['brand'],
  { blocked, app }: Words,
): TemplateResult | typeof nothing =>
  support_url
    ? html`<a class="second wide" href=${support_url} target="_blank" rel="noopener noreferrer"
        >${blocked.contact(name)}<span class="sr"> ${app.newTab}</span></a
      >`
    : nothing
