/** The delays between a job's attempts, in ms. The last delay repeats. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 30_000, 120_000, 600_000] as const

/** The delay after a run that the store's failure ended, in ms. Such a run is not counted, so the delay is constant. */
export const STORE_RETRY_MS = 2_000

/** The number of consecutive takeovers after which a job is assumed to end the process that runs it. */
export const MAX_TAKEOVERS = 20

/** Returns the delay before the next attempt, in ms, after `failures` consecutive failures (at least 1). Pure. */
export const retryDelay = (failures: number): number =>
  RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length) - 1] ?? RETRY_DELAYS_MS[0]
