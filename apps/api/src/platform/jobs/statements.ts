/** Statements about jobs. Those that run for every job are compiled once. */
import type { ExpressionBuilder } from 'kysely'
import { compiled } from '../db/compiled-query.js'
import { writeJson } from '../db/json.js'
import type { Tables } from '../db/tables.js'
import type { Db } from '../db/types.js'
import type { Deps, NewJob, Scope, Team } from '../scope.js'

const insert = (db: Db, rows: Tables['jobs'] | readonly Tables['jobs'][]) =>
  db
    .insertInto('jobs')
    .values(rows)
    .onConflict(conflict => conflict.columns(['unique_key', 'team_id']).doNothing())
const insertJob = compiled((db, row: Tables['jobs']) => insert(db, row))

export async function insertJobs({ db }: Scope, rows: readonly Tables['jobs'][]): Promise<void> {
  const [row] = rows
  if (row && rows.length === 1) await insertJob.later(db, row)
  // If several rows have the same key, inserts only the row that is due first.
  else
    await insert(
      db,
      [...rows].sort((one, other) => one.run_at - other.run_at),
    ).execute()
}

/** A job that a process has claimed. */
export interface OwnClaim {
  team: string
  id: string
  owner: string
  /** The number of claims, including the one by which the process holds the job. */
  claims: number
}

/** Matches a job only if no other process has since claimed it. */
export const matchesClaim =
  ({ team, id, owner, claims }: OwnClaim) =>
  (job: ExpressionBuilder<Tables, 'jobs'>) =>
    job.and([job('team_id', '=', team), job('id', '=', id), job('lease_owner', '=', owner), job('claims', '=', claims)])

/** Deletes a job, unless another process has since claimed it. */
export const deleteClaimed = compiled((db, claim: OwnClaim) =>
  db.deleteFrom('jobs').where(matchesClaim(claim)).returning('id'),
)

/**
 * Returns the statement that reschedules a job, unless another process has since claimed it. The statement reads the
 * team's clock, because the clock may have been moved during the job's external call.
 * @param isLocking true to also lock the clock, so that it isn't moved before the commit
 */
export const rescheduleClaimed = (isLocking: boolean) =>
  compiled((db, { kind, again, next, ...claim }: OwnClaim & { kind: string; again: number; next: number }) =>
    db
      .updateTable('jobs')
      .set(set => {
        const clock = set.selectFrom('teams').select('clock_offset').where('id', '=', claim.team)
        return {
          kind,
          run_at: set(set.val(again), '-', (isLocking ? clock.forShare() : clock).$asScalar().$notNull()),
          lease_owner: null,
          lease_until: null,
          attempts: next,
          failures: 0,
          takeovers: 0,
        }
      })
      .where(matchesClaim(claim))
      .returning('id'),
  )

export const selectState = compiled((db, { team, id }: { team: string; id: string }) =>
  db.selectFrom('jobs').select('state').where('team_id', '=', team).where('id', '=', id),
)

/** Returns true if a team still has due jobs, including those that another process is running. */
export async function hasDueJobs(db: Db, now: number, team: string, lanes: boolean): Promise<boolean> {
  let query = db
    .selectFrom('jobs')
    .select('id')
    .where('team_id', '=', team)
    .where('state', '=', 'ready')
    .where('run_at', '<=', now)
  // Jobs in a paused lane are not claimed, so a job with a lane counts only if its lease is current.
  if (lanes) query = query.where(at => at.or([at('lane', 'is', null), at('lease_until', '>', now)]))
  else query = query.where('lane', 'is', null)
  return (await query.orderBy('run_at').limit(1).executeTakeFirst()) !== undefined
}

/** Builds a new job's row. @param lease set if the process claims the job when inserting it */
export const newJob = (
  { deps, team }: { deps: Pick<Deps, 'requestId'>; team: Pick<Team, 'id'> },
  job: NewJob,
  {
    id,
    now,
    run_at,
    lease,
  }: { id: string; now: number; run_at: number; lease: { owner: string; until: number } | null },
): Tables['jobs'] => ({
  id,
  team_id: team.id,
  kind: job.kind,
  payload: writeJson(job.payload),
  state: 'ready',
  run_at,
  clocked: (job.clocked ?? true) ? 1 : 0,
  lease_owner: lease?.owner ?? null,
  lease_until: lease?.until ?? null,
  attempts: lease ? 1 : 0,
  claims: lease ? 1 : 0,
  failures: 0,
  takeovers: 0,
  last_error: null,
  unique_key: job.unique ?? null,
  lane: job.lane ?? null,
  request_id: deps.requestId ?? null,
  created_at: now,
})
