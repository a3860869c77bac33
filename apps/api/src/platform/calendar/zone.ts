/** Time zones: the days of a zone as times. Pure. */

/** The lead of a zone over UTC at a time, in ms. */
export function offsetOf(at: number, zone: string): number {
  if (zone === 'UTC') return 0
  const second = Math.floor(at / 1_000) * 1_000
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    second,
  )
  return Date.parse(`${text.replace(' ', 'T')}.000Z`) - second
}

/** The first ms of a day of a zone. @param day the same of the day of that date in UTC */
export function startOf(day: number, zone: string): number {
  // If the clocks change in between, the offset at the guess differs from the offset at the start of the day.
  const guess = day - offsetOf(day, zone)
  return day - offsetOf(guess, zone)
}
