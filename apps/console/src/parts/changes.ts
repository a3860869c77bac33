/** The values that changed, each as its path, its earlier value and its new value. */
import { html, nothing, type TemplateResult } from 'lit'
import { words } from '../words.js'
import { withBreaks } from './with-breaks.js'

export interface ShownChange {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
  /** True if the values are not shown. */
  readonly isHidden?: boolean
}

const { timeline: text } = words

const shownValue = (value: unknown): string => (value === null || value === undefined ? text.none : String(value))

const changeOf = ({ path, before, after, isHidden }: ShownChange): TemplateResult =>
  isHidden
    ? html`<span><code>${withBreaks(path)}</code>: ${text.hidden}</span>`
    : html`<span><code>${withBreaks(path)}</code>: ${shownValue(before)} <span aria-hidden="true">→</span><span class="sr">${text.changedTo}</span> ${shownValue(after)}</span>`

export const changeList = (changes: readonly ShownChange[]): unknown =>
  changes.length === 0 ? nothing : html`<small class="changes">${changes.map(changeOf)}</small>`
