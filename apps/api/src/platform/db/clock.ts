import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.js'

/**
 * The time between two comparisons of the clock, in ms. Two machines drift apart by far less than a millisecond in that
 * time.
 */
const EVERY = 30_000

/**
 * PostgreSQL's clock as it is read without asking each time: compared once in a while, and carried on by a counter that
 * cannot be set. A machine's own time can be wrong, or be set while the service runs.
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
