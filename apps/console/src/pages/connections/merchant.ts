import { html, type TemplateResult } from 'lit'
import { wordOf, words } from '../../words.js'

const { payees: text } = words

/** Renders a merchant's name, or its id if the network doesn't know it. */
export const merchantName = ({ id, name }: { id: string; name: string | null }): TemplateResult =>
  name === null ? html`<span class="id">${id}</span>` : html`<b>${name}</b> <span class="id">${id}</span>`

/** Renders the details of a route, which contain only masked numbers. */
export const detailList = (details: Readonly<Record<string, string>>): string =>
  Object.entries(details)
    .map(
      ([name, value]) =>
        `${wordOf(text.details, name)} ${name === 'account' && value === 'number' ? text.ownNumber : value}`,
    )
    .join(' · ')
