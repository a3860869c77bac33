import type { FlowEvent } from '@causeway/contract/session'
import { createId } from '../../platform/crypto/random.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { SessionRow } from './session.js'

export type NewFlowEvent = { type: string; data: Record<string, unknown> | null }

/** Keeps what happened in a session: for the host page, for `/opal/events` and for a token's results. */
export async function record(
  scope: Scope,
  session: SessionRow,
  handle: string,
  events: readonly NewFlowEvent[],
): Promise<FlowEvent[]> {
  if (events.length === 0) return []
  await scope.db
    .insertInto('session_events')
    .values(
      events.map(event => ({
        id: createId('event', scope.now),
        team_id: scope.team.id,
        session_id: session.id,
        handle,
        type: event.type,
        data: event.data && JSON.stringify(event.data),
        created_at: scope.now,
      })),
    )
    .execute()
  return events.map(event => ({ ...event, timestamp: showTime(scope.now) }))
}

export async function eventsOf(scope: Scope, handle: string, since = ''): Promise<FlowEvent[]> {
  const rows = await scope.db
    .selectFrom('session_events')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('handle', '=', handle)
    .where('id', '>', since)
    .orderBy('id')
    .limit(1_000)
    .execute()
  return rows.map(row => ({
    type: row.type,
    timestamp: showTime(row.created_at),
    data: row.data === null ? null : (JSON.parse(row.data) as Record<string, unknown>),
  }))
}
