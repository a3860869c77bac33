/** The queries that find due jobs. Those that run for every claim are compiled once. */
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { compiled } from '../db/compiled-query.js'
import type { Tables } from '../db/tables.js'
import type { Db } from '../db/types.js'

/** The number of teams that are read together. */
export const TEAM_BATCH_SIZE = 64

export type JobKey = Pick<Tables['jobs'], 'id' | 'team_id'>

/**
 * Matches the given jobs by their primary keys. Compares whole keys, because PostgreSQL could otherwise use only the
 * condition on the team and, without statistics, read all of that team's jobs.
 */
export const isAmong = (rows: readonly JobKey[]) =>
  sql<boolean>`(team_id, id) in (values ${sql.join(rows.map(row => sql`(${row.team_id}, ${row.id})`))})`

/**
 * Creates the queries that find the due jobs that this process can run.
 * @param kinds the kinds that this process can run; jobs of other kinds wait for a process of a later version
 */
export function createClaimQueries(kinds: readonly string[]) {
  /** Matches the jobs, except dead ones, that this process can claim now. */
  const isFree = (now: number) => (job: ExpressionBuilder<Tables, 'jobs'>) =>
    job.and([
      job('run_at', '<=', now),
      job('kind', 'in', kinds),
      job.or([job('lease_until', 'is', null), job('lease_until', '<', now)]),
    ])
  const isDue = (now: number) => (job: ExpressionBuilder<Tables, 'jobs'>) =>
    job.and([job('state', '=', 'ready'), isFree(now)(job)])

  const claimable = (db: Db) => db.selectFrom('jobs').select(['id', 'team_id', 'lease_owner', 'takeovers'])
  const due = (db: Db, now: number) => claimable(db).where(isDue(now))

  /**
   * Finds those of the given jobs that are due. Does not ask for the state `ready`, because PostgreSQL could then read an
   * index of all ready jobs instead of the primary key.
   */
  const dueAmong = (db: Db, now: number, rows: readonly JobKey[]) =>
    claimable(db).where(isAmong(rows)).where('state', '!=', 'dead').where(isFree(now))

  const dueWithoutLane = (db: Db, now: number) => due(db, now).where('lane', 'is', null).orderBy('run_at').orderBy('id')
  /** Finds all teams' due jobs without a lane, oldest first. */
  const dueOfAll = compiled(
    (db, { now, limit }: { now: number; limit: number }) => dueWithoutLane(db, now).limit(limit),
    { isSlow: true },
  )
  /** Finds a team's due jobs without a lane, oldest first. */
  const dueOf = (db: Db, now: number, team: string) => dueWithoutLane(db, now).where('team_id', '=', team)

  /** Finds the lanes that are not paused, with the time at which each lane's oldest due job became due. */
  const openLanes = compiled(
    (db, { now, team }: { now: number; team: string | undefined }) => {
      const query = db
        .selectFrom('lanes')
        .select(from => [
          'lane',
          'failures',
          from
            .selectFrom('jobs')
            .select('run_at')
            .whereRef('jobs.team_id', '=', 'lanes.team_id')
            .whereRef('jobs.lane', '=', 'lanes.lane')
            .where(isDue(now))
            .orderBy('run_at')
            .limit(1)
            .as('oldest'),
        ])
        .where('paused_until', '<=', now)
      return team === undefined ? query : query.where('team_id', '=', team)
    },
    { isSlow: true },
  )

  /** @param order `desc` to find the latest first */
  const dueIn = (db: Db, now: number, lane: string, order: 'asc' | 'desc') =>
    due(db, now).where('lane', '=', lane).orderBy('run_at', order).orderBy('id', order)

  /** Selects the next team that has jobs without a lane. To compute a minimum, PostgreSQL might read all these jobs. */
  const nextAfter = (team: RawBuilder<string>) => sql`
    select team_id from jobs where state = 'ready' and lane is null and team_id > ${team} order by team_id limit 1`

  /**
   * Finds the `TEAM_BATCH_SIZE` teams after a given one that have jobs without a lane, with the time at which each team's oldest
   * such job became due. Finds each team with one lookup, however many jobs the team has.
   */
  const teamsAfter = compiled((db, { now, last }: { now: number; last: string }) =>
    db
      .withRecursive(
        'turn(team, number)',
        () => sql<{ team: string; number: number }>`
          (select (${nextAfter(sql.val(last))}), 1
          union all
          select (${nextAfter(sql.ref('turn.team'))}), number + 1 from turn where team is not null and number < ${TEAM_BATCH_SIZE})`,
      )
      .selectFrom('turn')
      .select(from => [
        'team',
        from
          .selectFrom('jobs')
          .select('run_at')
          .whereRef('team_id', '=', 'team')
          .where('lane', 'is', null)
          .where(isDue(now))
          .orderBy('run_at')
          .limit(1)
          .as('oldest'),
      ])
      .where('team', 'is not', null),
  )

  return { dueAmong, dueOf, dueOfAll, dueIn, openLanes, teamsAfter }
}

export type ClaimQueries = ReturnType<typeof createClaimQueries>
