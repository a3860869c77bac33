import type { Store } from '../db/types.js'

interface JobCounts {
  ready: number
  dead: number
  /** The time since the oldest due job became due, in seconds. */
  lag: number
}

/** Counts the jobs. @param clock real time, epoch milliseconds */
export async function countJobs({ reader }: Pick<Store, 'reader'>, clock: () => number): Promise<JobCounts> {
  const { ready, dead, lag } = await reader
    .selectFrom('jobs')
    .select(query => [
      query.fn.sum<number>(query.case().when('state', '=', 'ready').then(1).else(0).end()).as('ready'),
      query.fn.sum<number>(query.case().when('state', '=', 'dead').then(1).else(0).end()).as('dead'),
      // Excludes outgoing calls, because other servers may have caused their lag.
      query.fn.min('run_at').filterWhere('state', '=', 'ready').filterWhere('lane', 'is', null).as('lag'),
    ])
    .executeTakeFirstOrThrow()
  return {
    ready: Number(ready ?? 0),
    dead: Number(dead ?? 0),
    lag: lag === null ? 0 : Math.max(0, clock() - Number(lag)) / 1000,
  }
}
