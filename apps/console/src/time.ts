/** Durations in ms. */
export const SECOND_MS = 1_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
