import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { compiled } from '../db/compiled-query.js'
import { lockedUnlessHeld } from '../db/row-locks.js'
import type { Tables } from '../db/tables.js'
import type { Db } from '../db/types.js'
import type { Deps } from '../scope.js'
import { isFailing, type LaneState, share } from './lanes.js'
import { MAX_TAKEOVERS, retryDelay } from './retry.js'

/** The number of teams in a turn, and the maximum number of turns in a claim. */
const TURN = 64
const TURNS = 32

type Row = Tables['jobs']
type Picked = Pick<Row, 'id' | 'team_id'>
type Claimable = Pick<Row, 'id' | 'team_id' | 'lease_owner' | 'takeovers'>

/**
 * Matches the given jobs by their primary keys. Compares whole keys, because PostgreSQL could otherwise use only the
 * condition on the team and, without statistics, read all of that team's jobs.
 */
export const isAmong = (rows: readonly Picked[]) =>
  sql<boolean>`(team_id, id) in (values ${sql.join(rows.map(row => sql`(${row.team_id}, ${row.id})`))})`

/**
 * Creates the functions that claim due jobs for this process, so that no other process runs them at the same time.
 * @param kinds the kinds that this process can run; jobs of other kinds wait for a process of a later version
 * @param lease the length of a lease, in ms
 */
export function createClaims(
  deps: Pick<Deps, 'store' | 'clock'>,
  kinds: readonly string[],
  owner: string,
  lease: number,
) {
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
  const dueAmong = (db: Db, now: number, rows: readonly Picked[]) =>
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

  /** Returns true if the process that ran the job died, or lost its lease, during the run. */
  const isAbandoned = ({ lease_owner }: Claimable) => lease_owner !== null && lease_owner !== owner

  /**
   * Claims the jobs that the queries find, in a single transaction. A job that was abandoned before waits for a random
   * time first. The job that ends its processes is then rarely running together with the same other jobs, whose own
   * takeovers would otherwise count up to the limit.
   */
  const take = (now: number, queries: (db: Db) => ReturnType<typeof due>[]): Promise<Row[]> =>
    deps.store.write(async tx => {
      const found: Claimable[] = []
      for (const query of queries(tx)) found.push(...(await lockedUnlessHeld(tx, query).execute()))
      const delayed = found.filter(job => isAbandoned(job) && job.takeovers > 0 && job.takeovers + 1 < MAX_TAKEOVERS)
      for (const job of delayed)
        await tx
          .updateTable('jobs')
          .set({
            run_at: now + Math.round(retryDelay(job.takeovers) * (0.5 + Math.random())),
            lease_owner: null,
            lease_until: null,
            takeovers: job.takeovers + 1,
          })
          .where('team_id', '=', job.team_id)
          .where('id', '=', job.id)
          .execute()
      const claimed = found.filter(job => !delayed.includes(job))
      if (claimed.length === 0) return []
      return tx
        .updateTable('jobs')
        .set(set => ({
          lease_owner: owner,
          lease_until: now + lease,
          attempts: set('attempts', '+', 1),
          claims: set('claims', '+', 1),
          takeovers: set
            .case()
            .when('lease_owner', '!=', owner)
            .then(set('takeovers', '+', 1))
            .else(set.ref('takeovers'))
            .end(),
        }))
        .where(isAmong(claimed))
        .returningAll()
        .execute()
    })

  /** The last team that had a turn, or an empty string if the next turn begins with the first team. */
  let lastTeam = ''

  /** Selects the next team that has jobs without a lane. To compute a minimum, PostgreSQL might read all these jobs. */
  const nextAfter = (team: RawBuilder<string>) => sql`
    select team_id from jobs where state = 'ready' and lane is null and team_id > ${team} order by team_id limit 1`

  /**
   * Finds the `TURN` teams after a given one that have jobs without a lane, with the time at which each team's oldest
   * such job became due. Finds each team with one lookup, however many jobs the team has.
   */
  const turnAfter = compiled((db, { now, last }: { now: number; last: string }) =>
    db
      .withRecursive(
        'turn(team, number)',
        () => sql<{ team: string; number: number }>`
          (select (${nextAfter(sql.val(last))}), 1
          union all
          select (${nextAfter(sql.ref('turn.team'))}), number + 1 from turn where team is not null and number < ${TURN})`,
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

  /** Reads the teams of the next turn, and returns those for which a job without a lane is due. */
  async function nextTeams(now: number): Promise<string[]> {
    const rows = await turnAfter.all(deps.store.reader, { now, last: lastTeam })
    lastTeam = rows.length < TURN ? '' : rows.at(-1)!.team
    return rows.filter(({ oldest }) => oldest !== null).map(({ team }) => team)
  }

  /**
   * Finds the oldest due jobs without a lane or, if those jobs' teams have no capacity, the due jobs of the next teams.
   * Limits each team's jobs to its free capacity, so that a team with thousands of due jobs doesn't delay other teams.
   */
  async function fairly(limit: number, now: number, roomOf: (team: string) => number): Promise<Picked[]> {
    const picked = new Map<string, Picked>()
    const rooms = new Map<string, number>()
    const pick = (rows: readonly Picked[]) => {
      for (const { id, team_id } of rows) {
        const room = rooms.get(team_id) ?? roomOf(team_id)
        const isFree = room > 0 && picked.size < limit && !picked.has(id)
        if (isFree) picked.set(id, { id, team_id })
        rooms.set(team_id, isFree ? room - 1 : room)
      }
    }
    const oldest = await dueOfAll.all(deps.store.reader, { now, limit })
    pick(oldest)
    if (oldest.length < limit || picked.size === limit) return [...picked.values()]
    const start = lastTeam
    let isWrapped = start === ''
    for (let turn = 0; turn < TURNS; turn++) {
      for (const team of await nextTeams(now)) {
        if ((rooms.get(team) ?? roomOf(team)) <= 0) continue
        pick(await dueOf(deps.store.reader, now, team).limit(limit).execute())
        if (picked.size < limit) continue
        lastTeam = team
        return [...picked.values()]
      }
      if (isWrapped && (lastTeam === '' || (start !== '' && lastTeam >= start))) break
      // After the last team, the turns continue with the first.
      isWrapped ||= lastTeam === ''
    }
    return [...picked.values()]
  }

  return {
    /**
     * Claims jobs without a lane.
     * @param roomOf returns the number of jobs that this process can still start for a team
     */
    async claim(limit: number, roomOf: (team: string) => number): Promise<Row[]> {
      const now = deps.clock()
      const found = await fairly(limit, now, roomOf)
      return found.length === 0 ? [] : take(now, tx => [dueAmong(tx, now, found)])
    },

    /** Claims the due job with the given id. Without an id, claims a team's due jobs that have no lane, oldest first. */
    async claimOf(limit: number, only: { team: string; id?: string }): Promise<Row[]> {
      const now = deps.clock()
      const { team, id } = only
      const wanted = (db: Db) =>
        id === undefined ? dueOf(db, now, team).limit(limit) : dueAmong(db, now, [{ team_id: team, id }])
      if ((await wanted(deps.store.reader).execute()).length === 0) return []
      return take(now, tx => [wanted(tx)])
    },

    /**
     * Claims each lane's fair share of jobs.
     * @param running the number of each lane's jobs that are already running in this process
     */
    async claimLanes(running: ReadonlyMap<string, number>, team?: string): Promise<Row[]> {
      const now = deps.clock()
      const waiting = (await openLanes.all(deps.store.reader, { now, team })).filter(
        (row): row is LaneState => row.oldest !== null,
      )
      const shares = share(waiting, running)
      if (shares.size === 0) return []
      // In a failing lane, the job that became due most recently comes first. That job has been attempted before, so it
      // quickly shows whether the target responds, even if many jobs are waiting.
      const failing = new Set(waiting.filter(isFailing).map(({ lane }) => lane))
      return take(now, tx =>
        [...shares].map(([lane, count]) => dueIn(tx, now, lane, failing.has(lane) ? 'desc' : 'asc').limit(count)),
      )
    },
  }
}
