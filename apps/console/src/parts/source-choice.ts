/** The choice of the account that pays, in settings and dialogs. */
import type { Account, Entity } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { accountName, ofHolder, personName, sourceName } from '../accounts.js'
import type { Api } from '../api.js'
import type { Source, Sources } from '../shapes.js'
import { wordOf, words } from '../words.js'

const { sources: text } = words

/** The number of accounts that can't pay that a dialog lists. */
const MAX_UNUSABLE = 5

export const readSources = (api: Api, signal?: AbortSignal): Promise<Sources> =>
  api.get<Sources>('/console/sources', {}, signal)

/** Returns the name of an account with its holder's, as {@link sourceName} formats it. */
export async function readSourceName(api: Api, id: string, signal: AbortSignal): Promise<string> {
  const account = await api.get<Account>(`/accounts/${id}`, {}, signal)
  const holder = await api.get<Entity>(`/entities/${account.holder_id}`, {}, signal)
  return ofHolder(accountName(account), personName(holder))
}

export const isUsable = ({ why_not }: Source): boolean => why_not === null

const whyNot = ({ verified, why_not }: Source): string =>
  why_not === 'INVALID_SOURCE_CAPABILITIES' && !verified ? text.unverified : wordOf(text.whyNot, why_not ?? '')

/**
 * Renders the accounts that can't pay, each with the reason, or nothing if all of them can.
 * @param max the number of accounts that are listed
 */
export function unusableList({ data, more }: Sources, max = data.length): unknown {
  const unusable = data.filter(source => !isUsable(source))
  const rest = unusable.length - max
  return html`${
    unusable.length === 0
      ? nothing
      : html`<ul class="unusable" aria-label=${text.unusable}>
          ${unusable
            .slice(0, max)
            .map(source => html`<li>${text.unusable}: ${sourceName(source)} (${whyNot(source)})</li>`)}
          ${rest > 0 ? html`<li>${text.others(rest)}</li>` : nothing}
        </ul>`
  }${more ? html`<p class="soft">${text.more}</p>` : nothing}`
}

/** Renders an option for each account that can pay, and for the chosen account, even if it can't pay. */
export const sourceOptions = (
  data: readonly Source[],
  chosen: string,
  noteOf: (source: Source) => string,
): TemplateResult[] => {
  const offered = data.filter(source => isUsable(source) || source.id === chosen)
  const isAlone = (source: Source) => offered.filter(each => sourceName(each) === sourceName(source)).length === 1
  return offered.map(source => {
    const notes = [noteOf(source) || (isUsable(source) ? '' : whyNot(source)), isAlone(source) ? '' : source.id]
    const note = notes.filter(Boolean).join(', ')
    return html`<option value=${source.id} .selected=${live(source.id === chosen)}>
      ${sourceName(source)}${note && ` (${note})`}
    </option>`
  })
}

/**
 * Returns the field of a dialog with which a user chooses the account that pays. Its name is `source`.
 * @param noteOf returns what to say about an account, such as that it is the default
 * @param preferred the account that is chosen at first if it can pay, in place of the default
 * @returns `only`: the account, if only one can pay. The field is then not shown
 */
export function sourceField(
  sources: Sources,
  noteOf: (source: Source) => string,
  preferred: string | null = null,
): { field: TemplateResult; only: Source | null } {
  const usable = sources.data.filter(isUsable)
  const [first] = usable
  const only = usable.length === 1 && first ? first : null
  if (only) return { only, field: html`<input type="hidden" name="source" value=${only.id} />` }
  const chosen = usable.find(({ id }) => id === preferred) ?? usable.find(({ is_default }) => is_default)
  return {
    only,
    field: html`<label class="field"
        ><span>${text.label}</span
        ><select class="input" name="source" required>
          ${chosen ? nothing : html`<option value="" selected>${text.choose}</option>`}
          ${sourceOptions(usable, chosen?.id ?? '', noteOf)}
        </select></label
      >${unusableList(sources, MAX_UNUSABLE)}`,
  }
}
