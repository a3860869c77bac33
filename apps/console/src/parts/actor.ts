/** The name of whoever did something: a user, a key, an operator or a provider. */
import { html, type TemplateResult } from 'lit'
import { shortId } from '../format.js'
import type { Console } from '../page.js'
import { words } from '../words.js'

/** Returns a name for an id, or null if there is none. */
export const actorName = ({ names }: Pick<Console, 'names'>, id: string): string | null =>
  names.nameOf(id) ?? words.actors[id] ?? null

/**
 * Renders the name of an actor, with the id as a tooltip, or the id.
 * @param options.name the name, if the data has it
 * @param options.isWhole true to show the whole id
 */
export function actorMark(
  console: Pick<Console, 'names'>,
  id: string,
  { name = null, isWhole = false }: { name?: string | null; isWhole?: boolean } = {},
): TemplateResult {
  const userName = name !== null && id.startsWith('csess_') ? words.linkUser(name) : name
  const displayName = userName ?? actorName(console, id)
  return displayName === null
    ? html`<span class="id" title=${id}>${isWhole ? id : shortId(id)}</span>`
    : html`<span title=${id}>${displayName}</span>`
}
