/** Computes the times at which report schedules run, on the clock in Chicago. Pure. */

import { DAY_MS, HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import { type Cron, parseCron } from '@causeway/contract/values/cron'
import { chicagoDate } from '../../platform/calendar/calendar.js'
import { offsetOf } from '../../platform/calendar/zone.js'

const ZONE = 'America/Chicago'
/** Longer than the time between two February 29ths of which one is left out. */
const MAX_DAYS = 366 * 9

/**
 * Returns the instant of a time on the clock. Of a time that the clock repeats, returns the first; a time that the clock
 * skips is as long after the change as it would be without the change.
 * @param clock the time on the clock, as if it were UTC
 */
function instantOf(clock: number): number {
  const before = clock - offsetOf(clock - DAY_MS, ZONE)
  const after = clock - offsetOf(clock + DAY_MS, ZONE)
  const isValid = (at: number) => at + offsetOf(at, ZONE) === clock
  // mutant: repeated-hour-runs-once (drop 1)
  return isValid(before) || !isValid(after) ? before : after
}

function runsOn({ days, months, weekdays, restricts }: Cron, day: number): boolean {
  const date = new Date(day)
  if (!months.has(date.getUTCMonth() + 1)) return false
  const isDay = days.has(date.getUTCDate())
  const isWeekday = weekdays.has(date.getUTCDay())
  return restricts.days && restricts.weekdays ? isDay || isWeekday : isDay && isWeekday
}

/**
 * Returns the first run after a time, in epoch milliseconds.
 * @param text a valid expression
 */
export function nextRun(text: string, after: number): number {
  const cron = parseCron(text)!
  const today = Date.parse(`${chicagoDate(after)}T00:00:00.000Z`)
  const hours = [...cron.hours].sort((a, b) => a - b)
  for (let day = today; day < today + MAX_DAYS * DAY_MS; day += DAY_MS) {
    if (!runsOn(cron, day)) continue
    for (const hour of hours) {
      const at = instantOf(day + hour * HOUR_MS + cron.minute * MINUTE_MS)
      if (at > after) return at
    }
  }
  throw new Error('The expression never runs')
}
