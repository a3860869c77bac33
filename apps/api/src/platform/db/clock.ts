import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.js'

/**
 * The interval between two comparisons of the clocks, in ms. Two machines drift apart by far less than a millisecond in
 * that time.
 */
const EVERY = 30_000

/**
 * Returns PostgreSQL's clock without a query for each reading: the service compares the clocks at intervals, and in
 * between counts with a monotonic timer. The machine's own time can be wrong, or be changed while the service runs.
 */
export async function createClock(db: Kysely<Tables>): Promise<{ now(): number; stop(): void }> {
  let ahead = 0
  async function compare(): Promise<void> {
    const sent = performance.now()
    const { rows } = await sql<{ now: number }>`select extract(epoch from clock_timestamp()) * 1000 as now`.execute(db)
    ahead = Number(rows[0]!.now) - (sent + performance.now()) / 2
  }
  await compare()
  const timer = setInterval(() => void compare().catch(() => {}), EVERY).unref()
  return { now: () => Math.floor(ahead + performance.now()), stop: () => clearInterval(timer) }
}
