import type { Db } from '../../platform/db/store.js'
import { showTime } from '../../platform/show.js'

/** The maximum number of rows of each kind in a result. */
const MAX_ROWS_PER_KIND = 1_000

const showRows = <T extends { created_at: number }>(rows: readonly T[]) =>
  rows.map(({ created_at, ...row }) => ({ ...row, created_at: showTime(created_at) }))

/**
 * Lists everything that a request caused, directly or through its jobs, oldest first. Returns only ids, types and
 * states, with at most 1,000 rows of each kind. Completed jobs are deleted, so only waiting and failed jobs are listed.
 */
export async function listRequestEffects(db: Db, request: string) {
  const events = await db
    .selectFrom('events')
    .select(['id', 'team_id', 'type', 'resource_id', 'created_at'])
    .where('request_id', '=', request)
    .orderBy('id')
    .limit(MAX_ROWS_PER_KIND)
    .execute()
  const deliveries = await db
    .selectFrom('deliveries')
    .select(['id', 'team_id', 'webhook_id', 'event_id', 'status', 'attempts', 'response_status', 'fault', 'created_at'])
    .where('request_id', '=', request)
    .orderBy('id')
    .limit(MAX_ROWS_PER_KIND)
    .execute()
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'team_id', 'kind', 'state', 'attempts', 'last_error', 'run_at', 'created_at'])
    .where('request_id', '=', request)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_ROWS_PER_KIND)
    .execute()
  const audit = await db
    .selectFrom('audit')
    .select(['id', 'team_id', 'actor', 'action', 'resource_id', 'created_at'])
    .where('request_id', '=', request)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_ROWS_PER_KIND)
    .execute()
  return {
    request_id: request,
    events: showRows(events),
    deliveries: showRows(deliveries),
    jobs: showRows(jobs).map(({ run_at, ...job }) => ({ ...job, run_at: showTime(run_at) })),
    audit: showRows(audit),
  }
}
