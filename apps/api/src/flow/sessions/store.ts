import { readHandle } from '@causeway/contract/frame'
import type { Db } from '../../platform/db/store.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Scope } from '../../platform/scope.js'
import { type Progress, readProgress, type SessionRow } from './session.js'

export type TokenRow = Tables['tokens']

export async function findSession(scope: Scope, id: string): Promise<SessionRow | undefined> {
  return scope.db
    .selectFrom('sessions')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The same, held until the transaction ends. */
export async function lockSession(scope: Scope, id: string): Promise<SessionRow | undefined> {
  const query = scope.db.selectFrom('sessions').selectAll().where('team_id', '=', scope.team.id).where('id', '=', id)
  return scope.deps.store.lock(query).executeTakeFirst()
}

/** Changes a session's progress, under its lock. */
export async function saveProgress(
  scope: Scope,
  id: string,
  change: (progress: Progress, row: SessionRow) => Partial<Progress> | null,
  more: Partial<SessionRow> = {},
): Promise<void> {
  const row = await lockSession(scope, id)
  if (!row) return
  const progress = readProgress(row)
  const changed = change(progress, row)
  if (changed === null) return
  await scope.db
    .updateTable('sessions')
    .set({
      ...more,
      progress: JSON.stringify({ ...progress, ...changed }),
      revision: row.revision + 1,
      updated_at: scope.now,
    })
    .where('id', '=', id)
    .execute()
}

/** Whoever had closed the flow, or waited for what was sent to them, goes on with it. Under the session's lock. */
export async function comeBack(scope: Scope, row: SessionRow): Promise<void> {
  const progress = readProgress(row)
  // Who said that they are somebody else stays gone.
  if (progress.not_me !== null || (progress.exited === null && progress.awaited === null)) return
  await scope.db
    .updateTable('sessions')
    .set({ progress: JSON.stringify({ ...progress, exited: null, awaited: null }) })
    .where('id', '=', row.id)
    .execute()
}

/** Returns a token by its handle. An unspent one counts as revoked once the key that created it is revoked. */
export async function tokenByHandle(db: Db, handle: string): Promise<TokenRow | undefined> {
  const row = await db.selectFrom('tokens').selectAll().where('handle', '=', handle).executeTakeFirst()
  if (!row || row.consumed_at !== null || row.revoked_at !== null || row.created_by === null) return row
  const key = await db.selectFrom('api_keys').select('revoked_at').where('id', '=', row.created_by).executeTakeFirst()
  return { ...row, revoked_at: key?.revoked_at ?? null }
}

/** The row of a token, or of its handle alone, for the team. */
export async function findToken(scope: Scope, text: string): Promise<TokenRow | undefined> {
  const handle = readHandle(text) ?? (/^[0-9A-Za-z]{16}$/.test(text) ? text : null)
  if (handle === null) return undefined
  return scope.db
    .selectFrom('tokens')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('handle', '=', handle)
    .executeTakeFirst()
}
