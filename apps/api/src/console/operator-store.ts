/** Operators' queries, which span all teams. Each query uses an index to read a limited number of rows. */
import type { Db } from '../platform/db/store.js'
import { showTime } from '../platform/show.js'

/** Rows per page. */
export const PAGE_SIZE = 50

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

/**
 * Reads audit log entries, latest first.
 * @param before the last entry of the previous page
 */
export const listAuditEntries = (db: Db, team: string, before: { at: number; id: string } | null) =>
  db
    .selectFrom('audit')
    .select(['id', 'actor', 'actor_name', 'session_id', 'action', 'resource_id', 'reason', 'created_at'])
    .where('team_id', '=', team)
    .$if(before !== null, query =>
      // This condition can use the index. The next one can't.
      query
        .where('created_at', '<=', before!.at)
        .where(is =>
          is.or([
            is('created_at', '<', before!.at),
            is.and([is('created_at', '=', before!.at), is('id', '<', before!.id)]),
          ]),
        ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute()

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

/** Selects the unused links of all teams, latest first. */
export const listAllLinks = (db: Db, now: number) =>
  db
    .selectFrom('console_links')
    .selectAll()
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('hash')
    .execute()
