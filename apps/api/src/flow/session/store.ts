import { readHandle } from '@causeway/contract/frame'
import type { Step } from '@causeway/contract/session'
import { sql } from 'kysely'
import type { LoadedFacts } from '../../people/entities/sessions.js'
import type { AccountRow } from '../../people/holders/account.js'
import type { EntityRow } from '../../people/holders/entity.js'
import type { RecordRow } from '../../people/holders/product.js'
import { columnsOf, joinedRow, rowOf } from '../../platform/db/columns.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Db, Engine } from '../../platform/db/store.js'
import type { Tables } from '../../platform/db/tables.js'
import { findRow, lockRow } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import { readTeamWithStop, selectTeams } from '../../team/teams/store.js'
import { selectProof } from './bearer-proof.js'
import { accountColumns, entityColumns, recordColumns, sessionColumns, tokenColumns } from './columns.js'
import { type Progress, readProgress, type SessionRow, sessionJson } from './session.js'

export type TokenRow = Tables['tokens']

/** SQL for the step that a session last showed, written exactly as in the indexes so that queries can use them. */
export const shownStep = (engine: Engine) =>
  engine === 'postgres'
    ? sql<Step | null>`(cast(progress as json) ->> 'shown')`
    : sql<Step | null>`json_extract(progress, '$.shown')`

/** SQL for the sessions that a release paid only in part, written exactly as in the index so that queries can use it. */
export const partlyPaid = sql<boolean>`payment_errors <> '{}'`

/** SQL for the loans that wait for their release, written exactly as in the index so that queries can use it. */
export const unreleased = sql<boolean>`completed_at is not null and payout_status = 'pending_release' and mode = 'balance_transfer'`

/** A session with its person and its account search. */
export interface SessionRows {
  session: SessionRow
  entity: EntityRow
  /** True if the bearer verified the phone. */
  isProven: boolean
  /** The record that `connect_id` points to, if any. */
  connect: RecordRow | undefined
  /** Data about the person that the transaction has read since it locked the person's row. */
  read?: LoadedFacts
}

const selectSessionRows = (scope: Scope, id: string, bearer: string | undefined) =>
  scope.db
    .selectFrom('sessions')
    .innerJoin('entities', on =>
      on.onRef('entities.team_id', '=', 'sessions.team_id').onRef('entities.id', '=', 'sessions.entity_id'),
    )
    .leftJoin('records', on =>
      on.onRef('records.team_id', '=', 'sessions.team_id').onRef('records.id', '=', 'sessions.connect_id'),
    )
    .select(columnsOf('sessions', sessionColumns))
    .select(columnsOf('entities', entityColumns))
    .select(columnsOf('records', recordColumns))
    .select(selectProof(scope, bearer ?? '').as('proved'))
    .where('sessions.team_id', '=', scope.team.id)
    .where('sessions.id', '=', id)

function readSessionRows(row: NonNullable<Awaited<ReturnType<typeof firstStanding>>>): SessionRows {
  const session = rowOf('sessions', sessionColumns, row)
  const connect = joinedRow('records', recordColumns, row)
  return {
    session,
    entity: rowOf('entities', entityColumns, row),
    isProven: row.proved !== null,
    // If the query waited for a lock, the session may now refer to another record.
    connect: connect?.id === session.connect_id ? connect : undefined,
  }
}
const heldTables = { person: ['entities', 'sessions'], session: ['sessions'] } as const
const firstStanding = (query: ReturnType<typeof selectSessionRows>) => query.executeTakeFirst()

/**
 * Finds a session with its person, its connect record and the bearer's proof, in one query.
 * @param bearer the hash of the bearer
 * @param hold rows to lock until the transaction ends: the session's row, or the person's row and then the session's
 */
export async function findSessionRows(
  scope: Scope,
  id: string,
  bearer: string | undefined,
  hold?: 'session' | 'person',
): Promise<SessionRows | undefined> {
  const query = selectSessionRows(scope, id, bearer)
  const row = await firstStanding(hold ? lockRows(scope.db, query, heldTables[hold]) : query)
  return row && readSessionRows(row)
}

/**
 * Finds a session as {@link findSessionRows} does, along with an account and its verification session, in one query. Locks
 * the person, the session, the account and its verification session, in this order, until the transaction ends.
 * @param verification the id of the verification session
 */
export async function findSessionRowsWithAccount(
  scope: Scope,
  id: string,
  bearer: string,
  verification: string,
): Promise<
  { standing: SessionRows; account: AccountRow; verification: Pick<RecordRow, 'status' | 'data'> } | undefined
> {
  const query = selectSessionRows(scope, id, bearer)
    .innerJoin('records as tried', on =>
      on.onRef('tried.team_id', '=', 'sessions.team_id').on('tried.id', '=', verification),
    )
    .innerJoin('accounts', on =>
      on.onRef('accounts.team_id', '=', 'tried.team_id').onRef('accounts.id', '=', 'tried.holder_id'),
    )
    .select(columnsOf('accounts', accountColumns))
    .select(['tried.status as tried_status', 'tried.data as tried_data'])
  const row = await lockRows(scope.db, query, ['entities', 'sessions', 'accounts', 'tried']).executeTakeFirst()
  if (!row) return undefined
  const { tried_status, tried_data } = row
  return {
    standing: readSessionRows(row),
    account: rowOf('accounts', accountColumns, row),
    verification: { status: tried_status!, data: tried_data },
  }
}

/** Maps a token's handle or a bearer's hash to its team. */
export async function addToDirectory({ db, team }: Scope, key: string): Promise<void> {
  await db.insertInto('directory').values({ key, team_id: team.id }).execute()
}

/** Finds a bearer by its hash, with its token, session and team, in one query. */
export async function findBearer(db: Db, hash: string) {
  const row = await selectTeams(db)
    .innerJoin('directory', 'directory.team_id', 'teams.id')
    .innerJoin('bearers', on =>
      on.onRef('bearers.team_id', '=', 'directory.team_id').onRef('bearers.hash', '=', 'directory.key'),
    )
    .innerJoin('tokens', on =>
      on.onRef('tokens.team_id', '=', 'bearers.team_id').onRef('tokens.handle', '=', 'bearers.handle'),
    )
    .innerJoin('sessions', on =>
      on.onRef('sessions.team_id', '=', 'bearers.team_id').onRef('sessions.id', '=', 'bearers.session_id'),
    )
    .select(columnsOf('tokens', tokenColumns))
    .select(columnsOf('sessions', sessionColumns))
    .select(['bearers.idle_until', 'bearers.expires_at', 'bearers.revoked_at'])
    .where('directory.key', '=', hash)
    .executeTakeFirst()
  if (!row) return undefined
  const { idle_until, expires_at, revoked_at } = row
  return {
    bearer: { hash, idle_until, expires_at, revoked_at },
    team: readTeamWithStop(row),
    token: rowOf('tokens', tokenColumns, row),
    session: rowOf('sessions', sessionColumns, row),
  }
}

export const findSession = (scope: Scope, id: string): Promise<SessionRow | undefined> => findRow(scope, 'sessions', id)

/** Finds a session and locks it until the transaction ends. */
export const lockSession = (scope: Scope, id: string): Promise<SessionRow | undefined> => lockRow(scope, 'sessions', id)

/** Computes a change to a session's progress; returns null for no change. */
export type ProgressChange = (progress: Progress, row: SessionRow) => Partial<Progress> | null

/** Returns a session's row after a change to its progress, with the next revision. Pure. */
export function withProgress(scope: Scope, row: SessionRow, change: ProgressChange): SessionRow {
  const progress = readProgress(row)
  const changed = change(progress, row)
  if (changed === null) return row
  const text = sessionJson.progress.write({ ...progress, ...changed })
  return { ...row, progress: text, revision: row.revision + 1, updated_at: scope.now }
}

/**
 * Changes a session's progress, under its lock.
 * @param session the session's id, or its row if the caller has locked it
 * @returns the changed row
 */
export async function saveProgress(
  scope: Scope,
  session: string | SessionRow,
  change: ProgressChange,
  more: Partial<SessionRow> = {},
): Promise<SessionRow | undefined> {
  const row = typeof session === 'string' ? await lockSession(scope, session) : session
  if (!row) return undefined
  const next = withProgress(scope, row, change)
  if (next === row) return row
  const { progress, revision, updated_at } = next
  await scope.db
    .updateTable('sessions')
    .set({ ...more, progress, revision, updated_at })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', row.id)
    .execute()
  return { ...next, ...more }
}

/**
 * Returns a session's progress, updated for a person who returns after closing the flow or waiting for deposits. Pure.
 */
export function progressOnReturn(row: SessionRow): string {
  const progress = readProgress(row)
  // The session stays ended once a visitor has said that they are someone else.
  if (progress.not_me !== null || (progress.exited === null && progress.awaited === null)) return row.progress
  return sessionJson.progress.write({ ...progress, exited: null, awaited: null })
}

/** Returns a token by its handle. An unused token counts as revoked once the key that created it is revoked. */
export async function findTokenByHandle(db: Db, handle: string): Promise<TokenRow | undefined> {
  const row = await db
    .selectFrom('directory')
    .innerJoin('tokens', on =>
      on.onRef('tokens.team_id', '=', 'directory.team_id').onRef('tokens.handle', '=', 'directory.key'),
    )
    .leftJoin('api_keys', 'api_keys.id', 'tokens.created_by')
    .selectAll('tokens')
    .select('api_keys.revoked_at as key_revoked_at')
    .where('directory.key', '=', handle)
    .executeTakeFirst()
  if (!row) return undefined
  const { key_revoked_at, ...token } = row
  const isUnspent = token.consumed_at === null && token.revoked_at === null
  return isUnspent ? { ...token, revoked_at: key_revoked_at } : token
}

/** Returns a token by its handle, with its team and its session's mode, in one query. */
export async function findTokenWithTeam(db: Db, handle: string) {
  const row = await selectTeams(db)
    .innerJoin('directory', 'directory.team_id', 'teams.id')
    .innerJoin('tokens', on =>
      on.onRef('tokens.team_id', '=', 'directory.team_id').onRef('tokens.handle', '=', 'directory.key'),
    )
    .innerJoin('sessions', on =>
      on.onRef('sessions.team_id', '=', 'tokens.team_id').onRef('sessions.id', '=', 'tokens.session_id'),
    )
    .select(columnsOf('tokens', tokenColumns))
    .select('sessions.mode')
    .where('directory.key', '=', handle)
    .executeTakeFirst()
  return row && { token: rowOf('tokens', tokenColumns, row), team: readTeamWithStop(row), mode: row.mode }
}

/** Finds one of the team's tokens, given the token or its handle. */
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
