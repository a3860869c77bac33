import type { Version } from '@causeway/contract/versions'
import type { Tables } from '../db/tables.js'
import { type Scope, sealer } from '../scope.js'
import { showTime } from '../show.js'
import { showAt } from '../versions/chain.js'
import { type Diff, diffOf, wholeBefore } from './event.js'

export type EventRow = Tables['events']
type Body = Record<string, unknown>

/** An event as a version shows it. The resource before and after is turned into that version's first, then compared. */
export function showEvent(scope: Scope, row: EventRow, version: Version): Body {
  const { open } = sealer(scope)
  const data = JSON.parse(open({ id: row.id, field: 'data' }, row.data)) as Body
  const kept = JSON.parse(open({ id: row.id, field: 'diff' }, row.diff)) as Diff
  // Of what was withdrawn its id is left, and nothing to compare.
  const isScrubbed = kept.after === null
  const then = (body: Body | null) => (isScrubbed ? body : body && (showAt(version, body) as Body))
  const after = then(data)
  const diff = isScrubbed ? kept : diffOf(then(wholeBefore(data, kept)), after)
  const { type, resource_type } = showAt(version, {
    id: row.id,
    type: row.type,
    resource_type: row.resource_type,
  }) as Body
  return {
    id: row.id,
    type,
    resource_id: row.resource_id,
    resource_type,
    data: after,
    diff,
    created_at: showTime(row.created_at),
    updated_at: showTime(row.created_at),
  }
}

/** How a version names a type of event. */
export const typeAt = (version: Version, type: string): string =>
  (showAt(version, { id: 'evt_0', type }) as { type: string }).type

/** How a version names the resource of a type of event. */
export const nounAt = (version: Version, noun: string): string =>
  (showAt(version, { id: 'evt_0', resource_type: noun }) as { resource_type: string }).resource_type
