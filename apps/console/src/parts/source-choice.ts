/** The choice of the account that pays, in settings and dialogs. */
import { html, nothing, type TemplateResult } from 'lit'
import { sourceName } from '../accounts.js'
import type { Api } from '../api.js'
import type { Source, Sources } from '../shapes.js'
import { wordOf, words } from '../words.js'

const { sources: text } = words

export const readSources = (api: Api, signal?: AbortSignal): Promise<Sources> =>
  api.get<Sources>('/console/sources', {}, signal)

export const isUsable = ({ why_not }: Source): boolean => why_not === null

const whyNot = ({ verified, why_not }: Source): string =>
  why_not === 'INVALID_SOURCE_CAPABILITIES' && !verified ? text.unverified : wordOf(text.whyNot, why_not ?? '')

/** Renders the accounts that can't pay, each with the reason, or nothing if all of them can. */
export function unusableList({ data, more }: Sources): unknown {
  const unusable = data.filter(source => !isUsable(source))
  return html`${
    unusable.length === 0
      ? nothing
      : html`<ul class="unusable" aria-label=${text.unusable}>
          ${unusable.map(source => html`<li>${text.unusable}: ${sourceName(source)} (${whyNot(source)})</li>`)}
        </ul>`
  }${more ? html`<p class="soft">${text.more}</p>` : nothing}`
}

/** Renders an option for each account that can pay, and for the chosen account, even if it can't pay. */
export const sourceOptions = (
  data: readonly Source[],
  chosen: string,
  noteOf: (source: Source) => string,
): TemplateResult[] =>
  data
    .filter(source => isUsable(source) || source.id === chosen)
    .map(source => {
      const note = noteOf(source) || (isUsable(source) ? '' : whyNot(source))
      return html`<option value=${source.id} ?selected=${source.id === chosen}>
        ${sourceName(source)}${note && ` (${note})`}
      </option>`
    })
