/** Converts calendar days in a time zone to timestamps. Pure functions. */

/** Returns a time zone's offset from UTC at a given time, in ms. */
export function offsetOf(at: number, zone: string): number {
  if (zone === 'UTC') return 0
  const second = Math.floor(at / 1_000) * 1_000
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    second,
  )
  return Date.parse(`${text.replace(' ', 'T')}.000Z`) - second
}

/** Returns the first millisecond of a day in a time zone. @param day the first millisecond of the same date in UTC */
export function startOf(day: number, zone: string): number {
  // The clocks may change between midnight UTC and midnight in the zone, so the result uses the offset at the estimated
  // start of the day.
  const guess = day - offsetOf(day, zone)
  return day - offsetOf(guess, zone)
}
