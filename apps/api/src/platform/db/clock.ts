import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.js'

/**
 * The interval at which the clocks are compared, in ms. Two machines' clocks drift apart by far less than a millisecond
 * in that time.
 */
const EVERY = 30_000

/**
 * Creates a clock that follows PostgreSQL's clock without running a query for each reading. Measures the difference
 * between the clocks at intervals. Between measurements, uses a monotonic timer, because the machine's own clock can be
 * wrong or can change while the service runs.
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
