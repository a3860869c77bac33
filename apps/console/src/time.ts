/** Durations in ms. */
export const SECOND_MS = 1_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Converts an instant to local time in a zone, in the format of a datetime field: `2026-03-10T07:00`. */
export const localTimeOf = (at: string, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    .format(new Date(at))
    .replace(' ', 'T')

/** Converts a local time in a zone, such as `2026-03-10T07:00`, to an instant. */
export function instantOf(local: string, zone: string): string {
  const guess = Date.parse(`${local}:00.000Z`)
  const offset = (at: number): number => {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(at)
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find(each => each.type === type)?.value)
    return (
      Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) -
      Math.floor(at / 1000) * 1000
    )
  }
  // Near a daylight saving change, the offset at the first guess can differ from the offset at the result.
  const first = guess - offset(guess)
  return new Date(guess - offset(first)).toISOString()
}

/** Adds days to a day in the format of a date field: `2026-03-10`. */
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** Returns the day in a zone that contains an instant, some days later, in the format of a date field. */
export const dayOf = (at: string, zone: string, days = 0): string => addDays(localTimeOf(at, zone).slice(0, 10), days)

/** Returns the instant at which a day starts in a zone, some days later. */
export const startOfDay = (day: string, zone: string, days = 0): string =>
  instantOf(`${addDays(day, days)}T00:00`, zone)
