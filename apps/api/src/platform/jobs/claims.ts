import { lockFreeRows } from '../db/row-locks.js'
import type { Tables } from '../db/tables.js'
import type { Db, Store } from '../db/types.js'
import type { Deps } from '../scope.js'
import { type ClaimQueries, createClaimQueries, isAmong, type JobKey, TEAM_BATCH_SIZE } from './claim-queries.js'
import { allocateSlots, isFailing, type LaneState } from './lanes.js'
import { MAX_TAKEOVERS, retryDelay } from './retry.js'

/** The maximum number of batches of teams that one claim reads. */
const MAX_TEAM_BATCHES = 32

type Row = Tables['jobs']
type Claimable = Pick<Row, 'id' | 'team_id' | 'lease_owner' | 'takeovers'>

interface Claim {
  owner: string
  now: number
  /** The length of the lease, in ms. */
  lease: number
}

/**
 * Claims the jobs that the queries find, in a single transaction. A job that was abandoned before waits for a random
 * time first. The job that ends its processes is then rarely running together with the same other jobs, whose own
 * takeovers would otherwise count up to the limit.
 */
function claimDue(
  store: Store,
  { owner, now, lease }: Claim,
  queries: (db: Db) => ReturnType<ClaimQueries['dueAmong']>[],
): Promise<Row[]> {
  /** Returns true if the process that ran the job died, or lost its lease, during the run. */
  const isAbandoned = ({ lease_owner }: Claimable) => lease_owner !== null && lease_owner !== owner
  return store.write(async tx => {
    const due: Claimable[] = []
    for (const query of queries(tx)) due.push(...(await lockFreeRows(tx, query).execute()))
    const delayed = due.filter(job => isAbandoned(job) && job.takeovers > 0 && job.takeovers + 1 < MAX_TAKEOVERS)
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
    const claimed = due.filter(job => !delayed.includes(job))
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
}

/** Creates the function that picks due jobs without a lane so that teams with many jobs don't delay the others. */
function createFairPick(store: Pick<Store, 'reader'>, queries: ClaimQueries) {
  /** The last team whose jobs were considered, or an empty string to begin with the first team. */
  let lastTeam = ''

  /** Reads the next teams, and returns those for which a job without a lane is due. */
  async function nextTeams(now: number): Promise<string[]> {
    const rows = await queries.teamsAfter.all(store.reader, { now, last: lastTeam })
    lastTeam = rows.length < TEAM_BATCH_SIZE ? '' : rows.at(-1)!.team
    return rows.filter(({ oldest }) => oldest !== null).map(({ team }) => team)
  }

  /**
   * Finds the oldest due jobs without a lane or, if those jobs' teams have no capacity, the due jobs of the next teams.
   * Limits each team's jobs to its free capacity, so that a team with thousands of due jobs doesn't delay other teams.
   */
  async function pickFairly(limit: number, now: number, capacityOf: (team: string) => number): Promise<JobKey[]> {
    const picked = new Map<string, JobKey>()
    const capacities = new Map<string, number>()
    const pick = (rows: readonly JobKey[]) => {
      for (const { id, team_id } of rows) {
        const capacity = capacities.get(team_id) ?? capacityOf(team_id)
        const isFree = capacity > 0 && picked.size < limit && !picked.has(id)
        if (isFree) picked.set(id, { id, team_id })
        capacities.set(team_id, isFree ? capacity - 1 : capacity)
      }
    }
    const oldest = await queries.dueOfAll.all(store.reader, { now, limit })
    pick(oldest)
    if (oldest.length < limit || picked.size === limit) return [...picked.values()]
    const start = lastTeam
    let isWrapped = start === ''
    for (let batch = 0; batch < MAX_TEAM_BATCHES; batch++) {
      for (const team of await nextTeams(now)) {
        if ((capacities.get(team) ?? capacityOf(team)) <= 0) continue
        pick(await queries.dueOf(store.reader, now, team).limit(limit).execute())
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

  return pickFairly
}

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
  const queries = createClaimQueries(kinds)
  const pickFairly = createFairPick(deps.store, queries)
  const claimRows = (now: number, createQueries: (db: Db) => ReturnType<ClaimQueries['dueAmong']>[]) =>
    claimDue(deps.store, { owner, now, lease }, createQueries)
  return {
    /**
     * Claims jobs without a lane.
     * @param capacityOf returns the number of jobs that this process can still start for a team
     */
    async claim(limit: number, capacityOf: (team: string) => number): Promise<Row[]> {
      const now = deps.clock()
      const picked = await pickFairly(limit, now, capacityOf)
      return picked.length === 0 ? [] : claimRows(now, tx => [queries.dueAmong(tx, now, picked)])
    },

    /** Claims the due job with the given id. Without an id, claims a team's due jobs that have no lane, oldest first. */
    async claimOf(limit: number, only: { team: string; id?: string }): Promise<Row[]> {
      const now = deps.clock()
      const { team, id } = only
      const dueJobs = (db: Db) =>
        id === undefined
          ? queries.dueOf(db, now, team).limit(limit)
          : queries.dueAmong(db, now, [{ team_id: team, id }])
      if ((await dueJobs(deps.store.reader).execute()).length === 0) return []
      return claimRows(now, tx => [dueJobs(tx)])
    },

    /**
     * Claims each lane's fair share of jobs.
     * @param running the number of each lane's jobs that are already running in this process
     */
    async claimLanes(running: ReadonlyMap<string, number>, team?: string): Promise<Row[]> {
      const now = deps.clock()
      const lanes = (await queries.openLanes.all(deps.store.reader, { now, team })).filter(
        (row): row is LaneState => row.oldest !== null,
      )
      const shares = allocateSlots(lanes, running)
      if (shares.size === 0) return []
      // In a failing lane, the job that became due most recently comes first. That job has been attempted before, so it
      // quickly shows whether the target responds, even if many jobs are waiting.
      const failing = new Set(lanes.filter(isFailing).map(({ lane }) => lane))
      return claimRows(now, tx =>
        [...shares].map(([lane, count]) =>
          queries.dueIn(tx, now, lane, failing.has(lane) ? 'desc' : 'asc').limit(count),
        ),
      )
    },
  }
}
