import type { EventType } from '@causeway/contract/events'
import { createId } from '../crypto/random.js'
import { type Scope, sealer } from '../scope.js'

/** Fields that never stand in an event, whatever the resource. */
const HIDDEN = new Set(['ach', 'individual', 'corporation', 'address', 'number'])

/** A resource as an event may hold it. */
function harmless(value: Record<string, unknown> | null): Record<string, unknown> | null {
  return value && Object.fromEntries(Object.entries(value).filter(([key]) => !HIDDEN.has(key)))
}

/**
 * Records that something changed, in the transaction that changed it.
 * @param after the resource as its GET shows it; @param before the same before the change, null for a new one
 */
export async function emit(
  scope: Scope,
  type: EventType,
  after: Record<string, unknown> & { id: string },
  before: Record<string, unknown> | null = null,
): Promise<void> {
  const id = createId('event', scope.now)
  const { seal } = sealer(scope)
  const data = harmless(after)
  const old = harmless(before)
  const diff = { before: old && changed(old, data), after: data && (old ? changed(data, old) : data) }
  await scope.db
    .insertInto('events')
    .values({
      id,
      team_id: scope.team.id,
      type,
      resource_id: after.id,
      resource_type: type.split('.')[0] ?? type,
      data: seal({ id, field: 'data' }, JSON.stringify(data)),
      diff: seal({ id, field: 'diff' }, JSON.stringify(diff)),
      created_at: scope.now,
    })
    .execute()
}

function changed(body: Record<string, unknown>, other: Record<string, unknown> | null): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(other?.[key])),
  )
}
