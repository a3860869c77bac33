import type { ExpressionBuilder } from 'kysely'
import type { Db } from '../db/store.js'
import type { Tables } from '../db/tables.js'
import type { Deps } from '../scope.js'
import { isFailing, type LaneState, share } from './lanes.js'

type Row = Tables['jobs']
type Picked = Pick<Row, 'id' | 'team_id'>

/** Matches the given jobs by their primary keys. */
export const isAmong = (rows: readonly Picked[]) => (job: ExpressionBuilder<Tables, 'jobs'>) =>
  job.or(rows.map(row => job.and([job('team_id', '=', row.team_id), job('id', '=', row.id)])))

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
  /** @param latest true to sort by due time in descending order */
  const due = (db: Db, now: number, latest = false) =>
    db
      .selectFrom('jobs')
      .select(['id', 'team_id'])
      .where('state', '=', 'ready')
      .where('run_at', '<=', now)
      .where('kind', 'in', kinds)
      .where(at => at.or([at('lease_until', 'is', null), at('lease_until', '<', now)]))
      .orderBy('run_at', latest ? 'desc' : 'asc')
      .orderBy('id', latest ? 'desc' : 'asc')

  /** Claims the jobs that the queries find, in a single transaction. */
  const take = (now: number, queries: (db: Db) => ReturnType<typeof due>[]): Promise<Row[]> =>
    deps.store.write(async tx => {
      const found: Picked[] = []
      for (const query of queries(tx)) {
        const locked = deps.store.engine === 'postgres' ? query.forUpdate().skipLocked() : query
        found.push(...(await locked.execute()))
      }
      if (found.length === 0) return []
      return tx
        .updateTable('jobs')
        .set(set => ({ lease_owner: owner, lease_until: now + lease, attempts: set('attempts', '+', 1) }))
        .where(isAmong(found))
        .returningAll()
        .execute()
    })

  /**
   * Finds due jobs without a lane, oldest first. Takes no more jobs from a team than its free capacity allows, so that
   * a team with thousands of due jobs doesn't delay other teams.
   */
  async function fairly(limit: number, now: number, roomOf: (team: string) => number): Promise<Picked[]> {
    const picked = new Map<string, Picked>()
    const taken = new Map<string, number>()
    const full: string[] = []
    for (;;) {
      let query = due(deps.store.reader, now).where('lane', 'is', null).limit(limit)
      if (full.length > 0) query = query.where('team_id', 'not in', full)
      const rows = await query.execute()
      const found = full.length
      for (const { id, team_id } of rows) {
        if (picked.size === limit) break
        if (picked.has(id) || full.includes(team_id)) continue
        const count = taken.get(team_id) ?? 0
        if (count >= roomOf(team_id)) full.push(team_id)
        else {
          picked.set(id, { id, team_id })
          taken.set(team_id, count + 1)
        }
      }
      if (picked.size === limit || rows.length < limit || full.length === found) return [...picked.values()]
    }
  }

  return {
    /**
     * Claims jobs without a lane.
     * @param roomOf returns the number of jobs that this process can still start for a team
     */
    async claim(limit: number, roomOf: (team: string) => number): Promise<Row[]> {
      const now = deps.clock()
      const found = await fairly(limit, now, roomOf)
      return found.length === 0 ? [] : take(now, tx => [due(tx, now).where(isAmong(found))])
    },

    /** Claims a job by its id, or a team's jobs without a lane in the order in which they became due. */
    async claimOf(limit: number, only: { team: string; id?: string }): Promise<Row[]> {
      const now = deps.clock()
      const wanted = (db: Db) => {
        const query = due(db, now).where('team_id', '=', only.team).limit(limit)
        return only.id === undefined ? query.where('lane', 'is', null) : query.where('id', '=', only.id)
      }
      if ((await wanted(deps.store.reader).execute()).length === 0) return []
      return take(now, tx => [wanted(tx)])
    },

    /**
     * Claims each lane's fair share of jobs.
     * @param running the number of each lane's jobs that are already running in this process
     */
    async claimLanes(running: ReadonlyMap<string, number>, team?: string): Promise<Row[]> {
      const now = deps.clock()
      let query = deps.store.reader
        .selectFrom('lanes')
        .select(from => [
          'lane',
          'failures',
          from
            .selectFrom('jobs')
            .select('run_at')
            .whereRef('jobs.team_id', '=', 'lanes.team_id')
            .whereRef('jobs.lane', '=', 'lanes.lane')
            .where('state', '=', 'ready')
            .where('run_at', '<=', now)
            .where('kind', 'in', kinds)
            .where(at => at.or([at('lease_until', 'is', null), at('lease_until', '<', now)]))
            .orderBy('run_at')
            .limit(1)
            .as('oldest'),
        ])
        .where('paused_until', '<=', now)
      if (team) query = query.where('team_id', '=', team)
      const waiting = (await query.execute()).filter((row): row is LaneState => row.oldest !== null)
      const shares = share(waiting, running)
      if (shares.size === 0) return []
      // In a failing lane, the job that became due most recently comes first. It has been attempted before, so it
      // quickly shows whether the target responds, no matter how many jobs are waiting.
      const failing = new Set(waiting.filter(isFailing).map(({ lane }) => lane))
      return take(now, tx =>
        [...shares].map(([lane, count]) => due(tx, now, failing.has(lane)).where('lane', '=', lane).limit(count)),
      )
    },
  }
}
