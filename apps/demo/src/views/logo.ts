import { html } from 'hono/html'
import type { Debt } from '../debts.js'
import type { View } from './layout.js'

/**
 * Shows the logo of a debt's institution, or the first letter of its name. The logo has no alt text because the name is
 * next to it.
 */
export const logoOf = ({ logo, institution, name }: Debt): View =>
  logo
    ? html`<img class="logo" src="${logo}" alt="" width="36" height="36">`
    : html`<span class="logo" aria-hidden="true">${(institution || name).slice(0, 1).toUpperCase()}</span>`
