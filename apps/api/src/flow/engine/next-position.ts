import { type Facts, type Position, position } from '../session/facts.js'
import { loadSession } from '../session/load-session.js'
import type { LockedSession } from '../session/locked-session.js'
import { type Progress, readProgress, type SessionRow, sessionJson } from '../session/session.js'
import { transitionTo } from './transitions.js'

/**
 * Returns a locked session's position after a step. If the session moves to another step, adds the move's events to the
 * pending events. Reuses the data from before the step if it is still current.
 */
export async function nextPosition(
  held: LockedSession,
  before: Facts,
  bearer: string,
): Promise<{ facts: Facts; at: Position }> {
  const { tx, row } = held
  const progress = readProgress(row)
  const facts =
    held.isStale || restsOn(row, progress) !== restsOn(before.session, before.progress)
      ? await loadSession(
          tx,
          row,
          bearer,
          held.entity && {
            entity: held.entity,
            isProven: !before.phoneDue,
            connect: before.connect,
            read: { attempts: held.attempts },
          },
        )
      : { ...before, session: row, progress }
  const at = position(facts)
  const move = 'step' in at ? transitionTo(progress, at, row) : null
  if (move === null || move.events.length === 0) return { facts, at }
  const nextProgress = { ...progress, ...move.shown }
  held.events.push(...move.events)
  held.row = { ...row, progress: sessionJson.progress.write(nextProgress) }
  return { facts: { ...facts, session: held.row, progress: nextProgress }, at }
}

/** Joins the values in the session's row and progress that determine which data is read. */
const restsOn = ({ connect_id }: SessionRow, progress: Progress) =>
  [
    connect_id,
    progress.phone_session,
    progress.identity_session,
    progress.sending,
    progress.silent_bearer,
    progress.came,
  ].join()
