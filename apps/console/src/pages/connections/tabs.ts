import { html, nothing, type TemplateResult } from 'lit'
import type { Place } from '../../router.js'
import { words } from '../../words.js'

const { tabs: text } = words.connections

const pages = [
  ['/connections', text.providers],
  ['/connections/payees', text.payees],
  ['/connections/notices', text.notices],
  ['/connections/reconciliation', text.reconciliation],
] as const

/** The links between the pages about providers. */
export const connectionTabs = ({ path }: Place): TemplateResult =>
  html`<nav class="tabs" aria-label=${text.label}>
    ${pages.map(([href, name]) => html`<a href=${href} aria-current=${path === href ? 'page' : nothing}>${name}</a>`)}
  </nav>`
