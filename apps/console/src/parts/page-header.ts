/** A page's header: its breadcrumb, title and status. */
import { html, nothing, type TemplateResult } from 'lit'
import type { Load } from '../load.js'
import type { Console } from '../page.js'
import type { Role } from '../shapes.js'
import { idWithCopy } from './copy.js'
import { icon } from './icons.js'
import { loadFault, skeleton } from './panel.js'

interface PageHeaderOptions {
  /** The list that contains the resource, and the resource's id. */
  crumb?: { text: string; href: string; id: string }
  title: unknown
  mark?: unknown
  tools?: unknown
  lead?: unknown
}

export const pageHeader = (console: Console, { crumb, title, mark, tools, lead }: PageHeaderOptions): TemplateResult =>
  html`<header>
    ${
      crumb
        ? html`<nav class="crumb" aria-label=${crumb.text}>
            <a href=${crumb.href}>${crumb.text}</a>${icon('next')}${idWithCopy(console, crumb.id)}
          </nav>`
        : nothing
    }
    <div class="head">
      <h1 tabindex="-1">${title}</h1>
      ${mark ?? nothing}<span class="grow"></span>${tools ?? nothing}
    </div>
    ${lead ? html`<p class="lead">${lead}</p>` : nothing}
  </header>`

/** Renders a page whose resource is still loading or can't be shown. Returns null once the resource has loaded. */
export function loadingPage<T>(
  console: Console,
  load: Load<T>,
  { crumb, title, missing, needs }: PageHeaderOptions & { missing: string; needs?: Role },
): TemplateResult | null {
  if (load.value !== null) return null
  const headed = (content: unknown) =>
    html`${pageHeader(console, { ...(crumb ? { crumb } : {}), title })}
      <div class="card">${content}</div>`
  if (load.failure?.kind === 'missing') return headed(html`<div class="empty"><p>${missing}</p></div>`)
  if (load.failure) return headed(loadFault(load as Load<unknown>, needs))
  return load.slow
    ? headed(skeleton('lines', String(title)))
    : html`${pageHeader(console, { ...(crumb ? { crumb } : {}), title })}`
}
