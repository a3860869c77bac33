import type { EventType } from '@causeway/contract/events'
import { createId } from '../platform/crypto/random.js'
import { compiled } from '../platform/db/compiled-query.js'
import type { Tables } from '../platform/db/tables.js'
import { type Scope, sealer, writeRows } from '../platform/scope.js'
import { eventJson, omitHiddenFields, pathAndRefsOf } from './events/event.js'
import { sealErased, sealStates } from './events/states.js'
import { queueEvents } from './webhooks/outbox.js'
import { eraseResponses } from './webhooks/request.js'

const insertEvent = compiled((db, row: Tables['events']) => db.insertInto('events').values(row))

/**
 * A change that emits an event: the resource as GET returns it, before and after the change. `before` is null for a new
 * resource.
 */
export interface ResourceChange {
  type: EventType
  after: Record<string, unknown> & { id: string }
  before: Record<string, unknown> | null
}

/**
 * Records a change and queues its deliveries, in the same transaction as the change.
 * @param after the resource as GET returns it
 * @param before the resource before the change; null for a new resource
 */
export const emit = (
  scope: Scope,
  type: EventType,
  after: ResourceChange['after'],
  before: ResourceChange['before'] = null,
): Promise<void> => emitAll(scope, [{ type, after, before }])

/** Records several changes in order, with no more statements than a single change requires. */
export async function emitAll(scope: Scope, changes: readonly ResourceChange[]): Promise<void> {
  if (changes.length === 0) return
  const teamSealer = sealer(scope)
  const rows = changes.map(({ type, after, before }) => {
    const id = createId('event', scope.now)
    const { path, refs } = pathAndRefsOf(type, after)
    return {
      id,
      ...sealStates(teamSealer, id, { data: omitHiddenFields(after), before: omitHiddenFields(before) }),
      team_id: scope.team.id,
      type,
      resource_id: after.id,
      resource_type: type.split('.')[0] ?? type,
      path,
      refs: refs && eventJson.refs.write(refs),
      request_id: scope.deps.requestId ?? null,
      created_at: scope.now,
    }
  })
  await writeRows(
    scope,
    insertEvents,
    rows.map(row => ({ row, now: scope.now })),
  )
}

/** An event and the time at which it was emitted. If a job was delayed, that time is later than the event's own. */
interface EmittedEvent {
  row: Tables['events']
  now: number
}

async function insertEvents(scope: Scope, emitted: readonly EmittedEvent[]): Promise<void> {
  const rows = emitted.map(({ row }) => row)
  const [first] = rows
  if (first && rows.length === 1) await insertEvent.later(scope.db, first)
  else await scope.db.insertInto('events').values(rows).execute()
  await queueEvents(
    scope,
    emitted.map(({ row: { id, type, created_at }, now }) => ({ id, type, created_at, now })),
  )
}

/** Removes the data from all events about these resources. Only the event types and the ids remain. */
export async function eraseEventData(scope: Scope, resources: readonly string[]): Promise<void> {
  const teamSealer = sealer(scope)
  const rows = await scope.db
    .selectFrom('events')
    .select(['id', 'resource_id'])
    .where('team_id', '=', scope.team.id)
    .where('resource_id', 'in', resources)
    .execute()
  for (const { id, resource_id } of rows)
    await scope.db
      .updateTable('events')
      .set(sealErased(teamSealer, id, resource_id))
      .where('team_id', '=', scope.team.id)
      .where('id', '=', id)
      .execute()
  await eraseResponses(
    scope,
    rows.map(({ id }) => id),
  )
}
