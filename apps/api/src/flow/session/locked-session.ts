import type { FlowEvent } from '@causeway/contract/session'
import type { RemainingAttempts } from '../../people/entities/attempts.js'
import type { EntityRow } from '../../people/holders/entity.js'
import type { Scope } from '../../platform/scope.js'
import { type NewFlowEvent, recordEvents } from './events.js'
import { type Progress, readProgress, type SessionRow, sessionJson } from './session.js'
import { progressOnReturn } from './store.js'

/** A session that is locked while a call changes it. The row and the events are written once, at the end. */
export interface LockedSession {
  readonly tx: Scope
  /** The row to write. */
  row: SessionRow
  /** The row as stored. */
  stored: SessionRow
  readonly events: NewFlowEvent[]
  /** True if the call changed more than the session's row. The session's data must then be read again. */
  isStale: boolean
  /** The person's row, if the call changed it. */
  entity?: EntityRow
  /** The person's remaining attempts, if the call used one. */
  attempts?: RemainingAttempts
}

/**
 * Prepares a locked session for a call that changes it. Increments the revision, so that no other call can act on the
 * same revision.
 */
export function beginChange(tx: Scope, row: SessionRow): LockedSession {
  const next = { ...row, progress: progressOnReturn(row), revision: row.revision + 1 }
  return { tx, row: next, stored: row, events: [], isStale: false }
}

/** Changes a locked session's progress. */
export function changeLockedSession(
  held: LockedSession,
  change: (progress: Progress, row: SessionRow) => Partial<Progress> | null,
  more: Partial<SessionRow> = {},
): void {
  const progress = readProgress(held.row)
  const changed = change(progress, held.row)
  if (changed === null) return
  held.row = {
    ...held.row,
    ...more,
    progress: sessionJson.progress.write({ ...progress, ...changed }),
    updated_at: held.tx.now,
  }
}

/** Writes the changes that a call made to a locked session, together with the session's events. */
export async function writeLockedSession(
  { tx, row, stored, events }: LockedSession,
  handle: string,
): Promise<FlowEvent[]> {
  const names = Object.keys(row) as (keyof SessionRow)[]
  const changed = Object.fromEntries(names.filter(name => row[name] !== stored[name]).map(name => [name, row[name]]))
  if (Object.keys(changed).length > 0)
    await tx.db
      .updateTable('sessions')
      .set(changed)
      .where('team_id', '=', tx.team.id)
      .where('id', '=', row.id)
      .execute()
  return recordEvents(tx, row, handle, events)
}
