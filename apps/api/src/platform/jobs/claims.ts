import type { Db } from '../db/store.js'
import type { Tables } from '../db/tables.js'
import type { Deps } from '../scope.js'
import { isFailing, type LaneState, share } from './lanes.js'

type Row = Tables['jobs']

/**
 * Takes due jobs into this process's hands, so that no other one runs them meanwhile.
 * @param kinds the kinds that this process knows; others wait for a process of a newer version
 * @param lease ms
 */
export function createClaims(
  deps: Pick<Deps, 'store' | 'clock'>,
  kinds: readonly string[],
  owner: string,
  lease: number,
) {
  /** @param latest whether what became due last comes first */
  const due = (db: Db, now: number, latest = false) =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('state', '=', 'ready')
      .where('run_at', '<=', now)
      .where('kind', 'in', kinds)
      .where(at => at.or([at('lease_until', 'is', null), at('lease_until', '<', now)]))
      .orderBy('run_at', latest ? 'desc' : 'asc')
      .orderBy('id', latest ? 'desc' : 'asc')

  /** Claims, in one transaction, what the queries find there. */
  const take = (now: number, queries: (db: Db) => ReturnType<typeof due>[]): Promise<Row[]> =>
    deps.store.write(async tx => {
      const ids: string[] = []
      for (const query of queries(tx)) {
        const locked = deps.store.engine === 'postgres' ? query.forUpdate().skipLocked() : query
        ids.push(...(await locked.execute()).map(row => row.id))
      }
      if (ids.length === 0) return []
      return tx
        .updateTable('jobs')
        .set(set => ({ lease_owner: owner, lease_until: now + lease, attempts: set('attempts', '+', 1) }))
        .where('id', 'in', ids)
        .returningAll()
        .execute()
    })

  return {
    /** Jobs without a lane; by its id, any. */
    async claim(limit: number, only?: { id?: string; team?: string }): Promise<Row[]> {
      const now = deps.clock()
      const wanted = (db: Db) => {
        const query = due(db, now).limit(limit)
        if (only?.id) return query.where('id', '=', only.id)
        const free = query.where('lane', 'is', null)
        return only?.team ? free.where('team_id', '=', only.team) : free
      }
      if ((await wanted(deps.store.reader).execute()).length === 0) return []
      return take(now, tx => [wanted(tx)])
    },

    /** Jobs with a lane, a fair share of each. @param running how many of each lane run here already */
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
      // A lane that fails is tried with what became due last: that is what was tried before, so that it is known soon
      // whether anybody is there, however much waits.
      const failing = new Set(waiting.filter(isFailing).map(({ lane }) => lane))
      return take(now, tx =>
        [...shares].map(([lane, count]) => due(tx, now, failing.has(lane)).where('lane', '=', lane).limit(count)),
      )
    },
  }
}
