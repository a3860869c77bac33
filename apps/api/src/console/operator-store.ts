/** The queries of operators, and of OpenID providers, which span all teams. Each query uses an index to read a limited number of rows. */
import { ServiceError } from '@causeway/contract/errors'
import { type ExpressionBuilder, sql } from 'kysely'
import { repairCount, selectRepairs } from '../people/links/store.js'
import { OPERATOR, OPERATOR_ACTOR } from '../platform/audit/operator.js'
import type { Db } from '../platform/db/store.js'
import type { Tables } from '../platform/db/tables.js'
import { showTime } from '../platform/show.js'
import type { Team } from '../platform/team.js'

/** Rows per page. */
export const PAGE_SIZE = 50

/** Reads the parts of a cursor, which are separated by dots. Returns null for the first page. */
export function readCursor(text: string | null, pattern: RegExp): RegExpExecArray | null {
  if (text === null) return null
  const parts = pattern.exec(text)
  if (!parts)
    throw new ServiceError('INVALID_SEARCH_PARAMETERS', 'page_cursor must be the next_cursor of the previous page.')
  return parts
}

/** A row of a list that is sorted by time, after which the next page starts; null for the first page. */
export type Position = { readonly at: number; readonly id: string } | null

export const showPosition = ({ created_at, id }: { created_at: number; id: string }): string => `${created_at}.${id}`

/** Reads the cursor that {@link showPosition} wrote. Throws INVALID_SEARCH_PARAMETERS. */
export function readPosition(cursor: string | null): Position {
  const [, at, id] = readCursor(cursor, /^(\d{1,13})\.(\w{1,60})$/) ?? []
  return at !== undefined && id !== undefined ? { at: Number(at), id } : null
}

/** Matches the rows after a position, in a list that is sorted by time and then by id, latest first. */
export const isAfter =
  <Table extends 'audit' | 'console_approvals'>({ at, id }: NonNullable<Position>) =>
  (given: ExpressionBuilder<Tables, Table>) => {
    const is = given as unknown as ExpressionBuilder<Tables, 'audit'>
    return is.and([
      // This condition can use the index. The next one can't.
      is('created_at', '<=', at),
      is.or([is('created_at', '<', at), is.and([is('created_at', '=', at), is('id', '<', id)])]),
    ])
  }

/** Builds a page and the next page's cursor from the page's rows and, if there are more, one extra row. */
export function toPage<Row>(rows: readonly Row[], cursor: (row: Row) => string) {
  const data = rows.slice(0, PAGE_SIZE)
  return { data, next_cursor: rows.length > PAGE_SIZE ? cursor(data.at(-1)!) : null }
}

/** Counts the targets for which calls are currently paused. */
export async function countPausedLanes(db: Db, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('lanes')
    .select(query => query.fn.countAll<number>().as('count'))
    .where('paused_until', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function countStoppedTeams(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('teams')
    .select(query => query.fn.countAll<number>().as('count'))
    .where('payments_stopped_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Counts the people of all teams who must sign in to an institution again. */
export const countRepairs = async (db: Db) => repairCount(await selectRepairs(db).execute())

/**
 * Reads dead jobs, latest first.
 * @param before the last job of the previous page
 */
export const listDeadJobs = (db: Db, before: { id: string; team: string } | null) =>
  db
    .selectFrom('jobs')
    .select(['id', 'team_id', 'kind', 'attempts', 'last_error', 'request_id', 'created_at'])
    .where('state', '=', 'dead')
    .$if(before !== null, query =>
      // This condition can use the index. The next one can't.
      query
        .where('id', '<=', before!.id)
        .where(at =>
          at.or([at('id', '<', before!.id), at.and([at('id', '=', before!.id), at('team_id', '<', before!.team)])]),
        ),
    )
    .orderBy('id', 'desc')
    .orderBy('team_id', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute()

/**
 * Schedules a dead job to run again immediately.
 * @returns false if the team has no dead job with that id
 */
export async function retryDeadJob(db: Db, team: string, id: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable('jobs')
    .set({ state: 'ready', run_at: now, attempts: 0, failures: 0, takeovers: 0, lease_owner: null, lease_until: null })
    .where('team_id', '=', team)
    .where('id', '=', id)
    .where('state', '=', 'dead')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Conditions on audit entries. Times are in epoch ms; `to` is exclusive. */
export interface AuditFilter {
  readonly actor?: string
  /** The entry's action must be one of these. */
  readonly actions?: readonly string[]
  readonly resource?: string
  readonly from?: number
  readonly to?: number
}

/**
 * Reads a page of the audit log, latest first, and one entry more.
 * @param before the last entry of the previous page
 */
const auditPage = (db: Db, before: Position, { from, to }: AuditFilter) =>
  db
    .selectFrom('audit')
    .$if(from !== undefined, query => query.where('created_at', '>=', from!))
    .$if(to !== undefined, query => query.where('created_at', '<', to!))
    .$if(before !== null, query => query.where(isAfter(before!)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE + 1)

/**
 * Reads the entries of a team, at most one page for each action of the filter. Each action has its own part of an
 * index, so a query for all of them would read the whole log if few entries matched.
 * @param before the last entry of the previous page
 */
export async function listAuditEntries(
  db: Db,
  team: string,
  before: Position,
  { actions, ...filter }: AuditFilter = {},
) {
  const query = auditPage(db, before, filter)
    .select(['id', 'actor', 'actor_name', 'session_id', 'action', 'resource_id', 'reason', 'changes', 'created_at'])
    .where('team_id', '=', team)
    .$if(filter.actor !== undefined, query => query.where('actor', '=', filter.actor!))
    .$if(filter.resource !== undefined, query => query.where('resource_id', '=', filter.resource!))
  if (!actions) return query.execute()
  const pages = await Promise.all(actions.map(action => query.where('action', '=', action).execute()))
  return pages.flat()
}

/**
 * Reads the payment stops that apply to a team and are recorded for all teams or for a team above it, latest first. Each
 * entry has the form that the team may see: an operator acted, and nothing about other teams.
 * @param before the last entry of the previous page
 */
export async function listStopsFromAbove(
  db: Db,
  { id, path, createdAt }: Pick<Team, 'id' | 'path' | 'createdAt'>,
  before: Position,
  { actor, actions, resource, from = 0, to }: AuditFilter = {},
) {
  if (resource !== undefined || (actor !== undefined && actor !== OPERATOR_ACTOR)) return []
  if (actions && !actions.includes('payments.stop')) return []
  const rows = await auditPage(db, before, { from: Math.max(createdAt, from), ...(to !== undefined && { to }) })
    .select(['id', 'action', 'created_at'])
    .where('team_id', 'in', [OPERATOR, ...path.filter(each => each !== id)])
    // The index has the same condition, so it must not have parameters.
    .where(sql<boolean>`action in ('payments.stop', 'payments.start')`)
    .execute()
  const hidden = { actor: OPERATOR_ACTOR, actor_name: null, session_id: null, resource_id: null, reason: null }
  return rows.map(row => ({ ...row, ...hidden, changes: null }))
}

export async function listTeams(db: Db, after: string) {
  const rows = await db
    .selectFrom('teams')
    .select(['id', 'parent_id', 'name', 'payments_stopped_at', 'created_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE_SIZE + 1)
    .execute()
  return rows.map(row => ({
    ...row,
    payments_stopped_at: row.payments_stopped_at === null ? null : showTime(row.payments_stopped_at),
    created_at: showTime(row.created_at),
  }))
}

/** Selects the active console sessions of all teams, latest first. */
export const listAllSessions = (db: Db, now: number) =>
  db
    .selectFrom('console_sessions')
    .selectAll()
    .where('idle_until', '>', now)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** Selects the console sessions that a session at the OpenID provider started. @param sidHash the hash of its id */
export const findSessionsOfSid = (db: Db, sidHash: string) =>
  db.selectFrom('console_sessions').selectAll().where('provider_sid_hash', '=', sidHash).execute()

/** Selects the unused links of all teams, latest first. */
export const listAllLinks = (db: Db, now: number) =>
  db
    .selectFrom('console_links')
    .selectAll()
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('hash')
    .execute()

/** A notice's place in the order of {@link listNotices}. */
export interface NoticePlace {
  created_at: number
  payment_id: string
  code: string
  at: number
}

/**
 * Reads banks' notices of change, latest first, with the debts that their payments paid.
 * @param before the last notice of the previous page
 */
export const listNotices = (db: Db, before: NoticePlace | null) =>
  db
    .selectFrom('payment_notices as notice')
    .leftJoin('payments', join =>
      join.onRef('payments.team_id', '=', 'notice.team_id').onRef('payments.id', '=', 'notice.payment_id'),
    )
    .leftJoin('accounts', join =>
      join.onRef('accounts.team_id', '=', 'notice.team_id').onRef('accounts.id', '=', 'payments.destination'),
    )
    .selectAll('notice')
    .select(['payments.destination', 'accounts.mch_id'])
    .$if(before !== null, query =>
      query
        // This condition can use the index. The next one can't.
        .where('notice.created_at', '<=', before!.created_at)
        .where(is =>
          is(
            is.refTuple('notice.created_at', 'notice.payment_id', 'notice.code', 'notice.at'),
            '<',
            is.tuple(before!.created_at, before!.payment_id, before!.code, before!.at),
          ),
        ),
    )
    .orderBy('notice.created_at', 'desc')
    .orderBy('notice.payment_id', 'desc')
    .orderBy('notice.code', 'desc')
    .orderBy('notice.at', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute()

/** Returns the times at which the active payees of these merchants were confirmed, by merchant. */
export async function findConfirmations(db: Db, merchants: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (merchants.length === 0) return new Map()
  const rows = await db
    .selectFrom('payees')
    .select(['mch_id', 'decided_at'])
    .where('mch_id', 'in', merchants)
    .where('status', '=', 'active')
    .execute()
  return new Map(rows.map(({ mch_id, decided_at }) => [mch_id, decided_at ?? 0] as const))
}

/** Selects the console users of all teams. */
export const listAllUsers = (db: Db) =>
  db.selectFrom('console_users').selectAll().orderBy('team_id').orderBy('created_at').orderBy('id').execute()
