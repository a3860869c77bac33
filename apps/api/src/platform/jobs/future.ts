/**
 * Finds jobs that were created in the future, because the clock ran ahead at that time. Without a correction, they
 * would wait until real time catches up.
 */
import type { Db } from '../db/types.js'

/**
 * The time in ms by which a job's creation may lie in the future. On PostgreSQL, the processes measure the server's
 * clock, so their times differ by a little.
 */
const CLOCK_TOLERANCE_MS = 5_000

/** Jobs that were created in the future. `ahead` is the difference of the latest one, in ms. */
interface FutureJobs {
  count: number
  ahead: number
}

/** @param now real time, epoch ms */
export async function findFutureJobs(db: Db, now: number): Promise<FutureJobs> {
  const { count, latest } = await db
    .selectFrom('jobs')
    .select(from => [from.fn.countAll<number>().as('count'), from.fn.max('created_at').as('latest')])
    .where('created_at', '>', now + CLOCK_TOLERANCE_MS)
    .executeTakeFirstOrThrow()
  return { count: Number(count), ahead: latest === null ? 0 : Number(latest) - now }
}

/**
 * Moves jobs that were created in the future back, so that the latest of them was created now. Each job keeps the time
 * from its creation to its next run. Moves the ends of pauses of lanes back by the same time.
 * @returns the jobs before the move
 */
export async function moveFutureJobs(db: Db, now: number): Promise<FutureJobs> {
  const jobs = await findFutureJobs(db, now)
  const { ahead } = jobs
  if (ahead === 0) return jobs
  await db
    .updateTable('jobs')
    .set(set => ({ created_at: set('created_at', '-', ahead), run_at: set('run_at', '-', ahead) }))
    .where('created_at', '>', now)
    .execute()
  await db
    .updateTable('lanes')
    .set(set => ({ paused_until: set('paused_until', '-', ahead) }))
    .where('paused_until', '>', now)
    .execute()
  return jobs
}
