/** Durations in ms. */
export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
/** A day of 24 hours. A calendar day can be an hour shorter or longer: see `calendar/calendar.ts`. */
export const DAY_MS = 24 * HOUR_MS
