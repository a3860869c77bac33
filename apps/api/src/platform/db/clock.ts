import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.js'

/**
 * The interval at which the clocks are compared, in ms. Two machines' clocks drift apart by far less than a millisecond
 * in that time.
 */
const COMPARE_INTERVAL_MS = 30_000
/** The number of samples in a comparison. The one with the shortest round trip counts. */
const SAMPLE_COUNT = 3
/**
 * The longest round trip, in ms, after which a sample sets the clock. The error of a sample is up to half of its round
 * trip.
 */
const MAX_ROUND_TRIP_MS = 200

/** The limits, in ms, of the difference between the server's clock and this process's monotonic timer. */
interface Sample {
  least: number
  most: number
}

const roundTripOf = ({ least, most }: Sample) => most - least

async function measure(db: Kysely<Tables>): Promise<Sample> {
  const startedAt = performance.now()
  const { rows } = await sql<{ now: number }>`select extract(epoch from clock_timestamp()) * 1000 as now`.execute(db)
  const now = Number(rows[0]!.now)
  return { least: now - performance.now(), most: now - startedAt }
}

/**
 * Creates a clock that follows another clock.
 * @param sample compares the other clock with `performance.now()`
 */
export async function followClock(sample: () => Promise<Sample>): Promise<{ now(): number; stop(): void }> {
  let offset: number | undefined
  async function compare(): Promise<void> {
    let best = await sample()
    for (let count = 1; count < SAMPLE_COUNT; count++) {
      const next = await sample()
      if (roundTripOf(next) < roundTripOf(best)) best = next
    }
    const { least, most } = best
    if (offset === undefined || roundTripOf(best) <= MAX_ROUND_TRIP_MS) offset = (least + most) / 2
    // A slow sample is not exact, but it shows that a difference outside its limits is wrong.
    else offset = Math.min(Math.max(offset, least), most)
  }
  await compare()
  const timer = setInterval(() => void compare().catch(() => {}), COMPARE_INTERVAL_MS).unref()
  return { now: () => Math.floor(offset! + performance.now()), stop: () => clearInterval(timer) }
}

/**
 * Creates a clock that follows PostgreSQL's clock without running a query for each reading. Measures the difference
 * between the clocks at intervals. Between measurements, uses a monotonic timer, because the machine's own clock can be
 * wrong or can change while the service runs.
 */
export const createClock = (db: Kysely<Tables>) => followClock(() => measure(db))
