import type { Version } from '@causeway/contract/versions'
import type { Tables } from '../../platform/db/tables.js'
import { type Scope, sealer } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { absentFields, showAt } from '../../versions/chain.js'
import { type Diff, diffOf, eventJson } from './event.js'
import { openStates } from './states.js'

export type EventRow = Tables['events']
type Body = Record<string, unknown>

/** The difference shown for an event whose data was deleted. */
const noDiff: Diff = { before: null, after: null }

/** Returns events in a version's format. Converts both states of a resource to that version before comparing them. */
export async function showEvents(scope: Scope, rows: readonly EventRow[], version: Version): Promise<Body[]> {
  const teamSealer = sealer(scope)
  const events = rows.map(row => ({ row, ...openStates(teamSealer, row) }))
  const convert = await scope.deps.versions.showing(
    scope,
    version,
    events.map(({ data }) => data),
  )
  const lacksRelated = absentFields(version, 'event').includes('related_ids')
  return events.map(({ row, data, before, erased }) => {
    // In an erased event, only the resource's id remains, so there is nothing to compare.
    const showState = (body: Body | null) => (erased ? body : body && (convert(body) as Body))
    const after = showState(data)
    return {
      id: row.id,
      type: typeInVersion(version, row.type),
      resource_id: row.resource_id,
      resource_type: nounInVersion(version, row.resource_type),
      data: after,
      diff: erased ? noDiff : diffOf(showState(before), after),
      ...(lacksRelated ? {} : { related_ids: Object.values(row.refs === null ? {} : eventJson.refs.read(row.refs)) }),
      created_at: showTime(row.created_at),
      updated_at: showTime(row.created_at),
    }
  })
}

/** Returns an event type's name in a version. */
export const typeInVersion = (version: Version, type: string): string =>
  (showAt(version, { id: 'evt_0', type }) as { type: string }).type

/** Returns the noun that a version uses for an event type's resource. */
export const nounInVersion = (version: Version, noun: string): string =>
  (showAt(version, { id: 'evt_0', resource_type: noun }) as { resource_type: string }).resource_type
