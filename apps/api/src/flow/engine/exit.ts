import { type Deps, type Scope, transact } from '../../platform/scope.js'
import { recordEvents } from '../session/events.js'
import { readProgress, sessionJson } from '../session/session.js'
import { lockSession } from '../session/store.js'
import { emitUpdate, updateSession } from '../session/update-session.js'
import { extendIdleLimit, type Visitor } from '../tokens/bearer.js'

/**
 * Records that the person closed the flow early. Sends the customer at most one such event before the person returns.
 */
export async function recordExit(deps: Deps, visitor: Visitor): Promise<void> {
  const { team, session, token } = visitor
  await transact(deps, team, async tx => {
    const row = await lockSession(tx, session)
    await extendIdleLimit(tx.db, visitor)
    if (!row || row.completed_at !== null) return
    const progress = readProgress(row)
    if (progress.exited !== null || !(await isNewest(tx, session, token.handle))) return
    const after = await updateSession(tx, row, {
      progress: sessionJson.progress.write({ ...progress, exited: tx.now }),
      // The page's view stays current, because the person may return to it.
      revision: row.revision,
    })
    await emitUpdate(tx, after, row)
    await recordEvents(tx, row, token.handle, [{ type: 'opal.session.exited', data: { session_id: row.id } }])
  })
}

/**
 * Returns true if no later token was redeemed. Closing a page after switching to another device does not count as an
 * exit.
 */
async function isNewest(scope: Scope, session: string, handle: string): Promise<boolean> {
  const newest = await scope.db
    .selectFrom('bearers')
    .select('handle')
    .where('team_id', '=', scope.team.id)
    .where('session_id', '=', session)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.handle === handle
}
