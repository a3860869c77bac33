/** The ways out where the flow can't continue: contact the customer, or return to its page. */
import type { SessionView } from '@causeway/contract/session'
import { html, nothing, type TemplateResult } from 'lit'
import { ExitRequest } from '../requests.js'
import type { Words } from '../words/en.js'

type Brand = SessionView['brand']

/** Renders a link to the customer's support page below the primary action, if the customer has such a page. */
export const supportLink = ({ support_url, name }: Brand, { blocked, app }: Words): TemplateResult | typeof nothing =>
  support_url
    ? html`<a class="second wide" href=${support_url} target="_blank" rel="noopener noreferrer"
        >${blocked.contact(name)}<span class="sr"> ${app.newTab}</span></a
      >`
    : nothing

/** Returns the primary action: to contact the customer or, if it has no support page, to return to its page. */
export const exitAction = ({ support_url, name }: Brand, { blocked }: Words): { label: string; href?: string } =>
  support_url ? { label: blocked.contact(name), href: support_url } : { label: blocked.goBack(name) }

/** Renders a button that returns to the customer's page. */
export const exitButton = ({ name }: Brand, { blocked }: Words): TemplateResult =>
  html`<button
    class="second wide"
    type="button"
    @click=${(event: Event) => event.currentTarget!.dispatchEvent(new ExitRequest())}
  >
    ${blocked.goBack(name)}
  </button>`

/** Renders a button that returns to the customer's page, unless {@link exitAction} is that action. */
export const returnButton = (brand: Brand, words: Words): TemplateResult | typeof nothing =>
  brand.support_url ? exitButton(brand, words) : nothing
