/** The first of the month after a time, UTC; epoch milliseconds. */
export function firstOfNextMonth(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** A day after a time; epoch milliseconds. */
export const nextDay = (at: number): number => at + 86_400_000
