import { DAY_MS } from '@causeway/contract/time'

/** Returns the start of the first day of the next month in UTC, in epoch milliseconds. */
export function firstOfNextMonth(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** Returns the same time one day later, in epoch milliseconds. */
export const nextDay = (at: number): number => at + DAY_MS
