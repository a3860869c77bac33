/** A card that shows one load: its skeleton, then its value or its error. */
import { html, nothing, type TemplateResult } from 'lit'
import type { Load } from '../load.js'
import type { Console } from '../page.js'
import type { Role } from '../shapes.js'
import { words } from '../words.js'
import { icon } from './icons.js'

type Content = unknown

interface PanelOptions<T> {
  title: string
  /** Content next to the title. */
  note?: Content
  /** Content at the end of the header. */
  tools?: Content
  /** The shape of the skeleton. */
  shape?: 'lines' | 'rows' | 'path' | 'chart'
  /** The role that the data requires. Users without this role see the role's name instead of the data. */
  needs?: Role | 'operator'
  /** Removes the padding around the body, for content such as tables. */
  flush?: boolean
  /** Omits the card's header if the page's header already has the same text. */
  bare?: boolean
  /** Returns the text for an empty value, or null if the value isn't empty. */
  empty?: (value: T) => Content | null
  body: (value: T) => Content
}

/** A card whose content is already loaded. */
export const card = (title: string, body: Content, { note, tools, flush }: Partial<PanelOptions<never>> = {}) =>
  html`<section class="card" aria-label=${title}>
    <div class="card-head">
      <h2>${title}</h2>
      ${note ? html`<small>${note}</small>` : nothing}<span class="grow"></span>${tools ?? nothing}
    </div>
    ${flush ? body : html`<div class="card-body">${body}</div>`}
  </section>`

/** Shows an error with a retry button and the request id to include when contacting support. */
export function loadFault(load: Load<unknown>, needs: Role | 'operator' = 'admin'): TemplateResult {
  const { panel } = words
  const { failure } = load
  const sentence =
    failure?.kind === 'forbidden'
      ? needs === 'operator'
        ? panel.operators
        : panel.forbidden(words.roles[needs])
      : failure?.kind === 'signed_out'
        ? panel.signedOut
        : failure?.kind === 'refused'
          ? failure.message || panel.refused
          : failure
            ? panel[failure.kind]
            : ''
  const again = failure?.kind !== 'forbidden' && failure?.kind !== 'signed_out' && failure?.kind !== 'missing'
  return html`<div class="fault" role="alert">
    ${icon(failure?.kind === 'forbidden' ? 'lock' : 'alert')}
    <div>
      <p>${sentence}</p>
      ${failure?.requestId ? html`<p class="id">${panel.requestId} ${failure.requestId}</p>` : nothing}
      ${again ? html`<button class="btn small" type="button" @click=${load.refresh}>${panel.retry}</button>` : nothing}
    </div>
  </div>`
}

/** A note that a value is stale. */
export const staleNote = (console: Console, load: Load<unknown>): Content =>
  load.stale
    ? html`<p class="stale" role="status">
        ${icon('clock')}<span>${words.panel.stale(console.format.text(load.asOf, 'clock'))}</span>
        <button class="text-button" @click=${load.refresh}>${words.panel.retry}</button>
      </p>`
    : nothing

const bars = { lines: 5, rows: 8, path: 1, chart: 1 }

export const skeleton = (shape: 'lines' | 'rows' | 'path' | 'chart', what: string): TemplateResult =>
  html`<div class="skeleton ${shape}" role="status">
    <span class="sr">${words.panel.loading(what)}</span>
    ${Array.from({ length: bars[shape] }, () => html`<i></i>`)}
  </div>`

export function panel<T>(console: Console, load: Load<T>, options: PanelOptions<T>): TemplateResult {
  const { title, shape = 'lines', needs, empty, body, flush, bare } = options
  const inside = (content: Content) => (flush ? content : html`<div class="card-body">${content}</div>`)
  const { value } = load
  const nothingHere = value === null ? null : (empty?.(value) ?? null)
  return html`<section class="card" aria-label=${title} aria-busy=${load.loading && value === null ? 'true' : 'false'}>
    ${
      bare
        ? nothing
        : html`<div class="card-head">
      <h2>${title}</h2>
      ${value !== null && options.note ? html`<small>${options.note}</small>` : nothing}<span class="grow"></span>
      ${value === null ? nothing : (options.tools ?? nothing)}
    </div>`
    }
    ${staleNote(console, load as Load<unknown>)}
    ${
      value === null
        ? load.failure
          ? loadFault(load as Load<unknown>, needs)
          : load.slow
            ? skeleton(shape, title)
            : html`<div class="waiting ${shape}"></div>`
        : nothingHere !== null
          ? html`<div class="empty">${nothingHere}</div>`
          : inside(body(value))
    }
  </section>`
}
