import { type FlowEvent, type Step, steps } from '@causeway/contract/session'
import { createId } from '../../platform/crypto/random.js'
import type { Tables } from '../../platform/db/tables.js'
import { type Scope, type Writer, writeRows } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { Facts } from './facts.js'
import { eventData, readProgress, type SessionRow, type ShownProgress, sessionJson } from './session.js'

const insertEvents: Writer<Tables['session_events']> = async ({ db }, rows) => {
  await db.insertInto('session_events').values(rows).execute()
}

/**
 * Marks a failed attempt in the timeline. The event is not sent to the host page and is not part of the token's
 * results.
 */
const ATTEMPT_FAILED = 'opal.attempt.failed'

/** The maximum number of events to read from a session, earliest first. */
const MAX_EVENTS = 1_000

export type NewFlowEvent = { type: string; data: Record<string, unknown> | null }

/** The event that the host page receives once the person opens the session. */
export const SESSION_STARTED: NewFlowEvent = { type: 'opal.session.started', data: null }

/** Stores a session's events for the host page, for `/opal/events` and for a token's results. */
export async function recordEvents(
  scope: Scope,
  session: SessionRow,
  handle: string,
  events: readonly NewFlowEvent[],
): Promise<FlowEvent[]> {
  if (events.length === 0) return []
  const rows = events.map(event => ({
    id: createId('event', scope.now),
    team_id: scope.team.id,
    session_id: session.id,
    handle,
    type: event.type,
    data: event.data && eventData.write(event.data),
    created_at: scope.now,
  }))
  await writeRows(scope, insertEvents, rows)
  return events.map(event => ({ ...event, timestamp: showTime(scope.now) }))
}

/**
 * Records that the person's input at a step was wrong. The record contains nothing that the person typed.
 * @param account the account that the person tried to verify
 */
export async function recordFailedAttempt(
  scope: Scope,
  { session, handle, step, account }: { session: SessionRow; handle: string; step: Step; account?: string },
): Promise<void> {
  await recordEvents(scope, session, handle, [{ type: ATTEMPT_FAILED, data: { step, ...(account && { account }) } }])
}

/** Returns the step of a failed attempt, and its account if it has one; undefined for any other event. */
export function readFailedAttempt({
  type,
  data,
}: Pick<Tables['session_events'], 'type' | 'data'>): { step: Step | null; account: string | null } | undefined {
  if (type !== ATTEMPT_FAILED || data === null) return undefined
  const { step, account } = eventData.read(data)
  return { step: steps.find(known => known === step) ?? null, account: typeof account === 'string' ? account : null }
}

/**
 * Records a session's events and, if known, the step that was shown. `shown` affects only the detailed stream, so the
 * revision does not change.
 * @returns undefined if the progress changed after the data was read; nothing is recorded in that case
 */
export async function recordShown(
  scope: Scope,
  facts: Facts,
  handle: string,
  { shown, events }: { shown: ShownProgress | null; events: readonly NewFlowEvent[] },
): Promise<{ facts: Facts; told: FlowEvent[] } | undefined> {
  const { session: row } = facts
  const progress = { ...readProgress(row), ...shown }
  const text = sessionJson.progress.write(progress)
  if (shown !== null) {
    const noted = await scope.db
      .updateTable('sessions')
      .set({ progress: text })
      .where('team_id', '=', scope.team.id)
      .where('id', '=', row.id)
      .where('progress', '=', row.progress)
      .returning('id')
      .executeTakeFirst()
    if (!noted) return undefined
  }
  const session = shown === null ? row : { ...row, progress: text }
  return { facts: { ...facts, session, progress }, told: await recordEvents(scope, row, handle, events) }
}

export async function listEvents(scope: Scope, handle: string, since = ''): Promise<FlowEvent[]> {
  const rows = await scope.db
    .selectFrom('session_events')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('handle', '=', handle)
    .where('id', '>', since)
    .where('type', '!=', ATTEMPT_FAILED)
    .orderBy('id')
    .limit(MAX_EVENTS)
    .execute()
  return rows.map(row => ({
    type: row.type,
    timestamp: showTime(row.created_at),
    data: row.data === null ? null : eventData.read(row.data),
  }))
}
