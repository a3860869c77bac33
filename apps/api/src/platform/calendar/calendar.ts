import { DAY_MS, HOUR_MS, MINUTE_MS } from '@causeway/contract/time'

/** Business days of U.S. banks: Monday through Friday, except Federal Reserve holidays. Pure functions. */

/** The cutoff for same-day debits: 16:30 in Chicago, in minutes after midnight. */
const CUTOFF_MINUTE = 16 * 60 + 30

const chicago = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Chicago',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

const startOfDay = (date: string) => Date.parse(`${date}T00:00:00.000Z`)
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const nextDay = (date: string) => dateOf(startOfDay(date) + DAY_MS)

/**
 * Returns the day of the month on which the `count`th occurrence of a weekday (0 is Sunday) falls. A `count` of -1
 * means the last occurrence.
 */
function weekdayOf(year: number, month: number, weekday: number, count: number): number {
  const last = new Date(Date.UTC(year, month, 0))
  if (count === -1) return last.getUTCDate() - ((last.getUTCDay() - weekday + 7) % 7)
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  return 1 + ((weekday - first + 7) % 7) + (count - 1) * 7
}

/**
 * Holidays that fall on the same date every year. A holiday on a Sunday is observed on Monday; a holiday on a Saturday
 * isn't observed.
 */
const fixedHolidays: readonly (readonly [number, number])[] = [
  [1, 1],
  [6, 19],
  [7, 4],
  [11, 11],
  [12, 25],
]
/**
 * Holidays on a particular weekday of a month: the month, the weekday and its occurrence in the month (-1 is the last).
 */
const floatingHolidays: readonly (readonly [number, number, number])[] = [
  [1, 1, 3],
  [2, 1, 3],
  [5, 1, -1],
  [9, 1, 1],
  [10, 1, 2],
  [11, 4, 4],
]

/**
 * Returns true if banks are closed for a holiday on the given date. The date must be a weekday.
 * @param date `YYYY-MM-DD`
 */
export function isBankHoliday(date: string): boolean {
  const day = new Date(startOfDay(date))
  const year = day.getUTCFullYear()
  const month = day.getUTCMonth() + 1
  const number = day.getUTCDate()
  if (floatingHolidays.some(([m, weekday, count]) => m === month && weekdayOf(year, m, weekday, count) === number))
    return true
  const isFixed = (time: Date) =>
    fixedHolidays.some(([m, d]) => m === time.getUTCMonth() + 1 && d === time.getUTCDate())
  return isFixed(day) || (day.getUTCDay() === 1 && isFixed(new Date(day.getTime() - DAY_MS)))
}

/** @param date `YYYY-MM-DD` */
export function isBusinessDay(date: string): boolean {
  const weekday = new Date(startOfDay(date)).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isBankHoliday(date)
}

/** Returns the date that is `days` business days after `date`. @param date `YYYY-MM-DD` */
export function addBusinessDays(date: string, days: number): string {
  let result = date
  for (let remaining = days; remaining > 0; ) {
    result = nextDay(result)
    if (isBusinessDay(result)) remaining--
  }
  return result
}

/** Returns the calendar date in Chicago at a given time. @param time epoch milliseconds */
export function chicagoDate(time: number): string {
  return toLocal(time).date
}

/** Returns the business day on which a payment made at `time` is debited. @param time epoch milliseconds */
export function pullDate(time: number): string {
  const { date, minute } = toLocal(time)
  return isBusinessDay(date) && minute <= CUTOFF_MINUTE ? date : addBusinessDays(date, 1)
}

/** A period in epoch milliseconds, including `from` but not `to`. */
export interface Span {
  from: number
  to: number
}

/** Returns the cutoff cycle that contains a time. All payments made in a cycle are debited on the same day. */
export function cycleOf(time: number): Span {
  const day = pullDate(time)
  let previous = dateOf(startOfDay(day) - DAY_MS)
  while (!isBusinessDay(previous)) previous = dateOf(startOfDay(previous) - DAY_MS)
  return { from: chicagoTime(previous, CUTOFF_MINUTE + 1), to: chicagoTime(day, CUTOFF_MINUTE + 1) }
}

/** Returns the Chicago calendar day before the one that contains `time`. */
export function previousDay(time: number): Span {
  const today = toLocal(time).date
  return { from: chicagoTime(dateOf(startOfDay(today) - DAY_MS), 0), to: chicagoTime(today, 0) }
}

/**
 * Converts a date in Chicago and a minute of that day to a timestamp. Chicago is five or six hours behind UTC. Callers
 * never pass a time that daylight saving time skips.
 */
function chicagoTime(date: string, minute: number): number {
  const utc = startOfDay(date) + minute * MINUTE_MS
  const [summer, winter] = [utc + 5 * HOUR_MS, utc + 6 * HOUR_MS]
  return toLocal(summer).minute === minute && toLocal(summer).date === date ? summer : winter
}

/**
 * The last result, cached because many payments are made in the same minute and formatting a time costs more than
 * inserting a payment.
 */
let lastResult: { at: number; local: Local } | undefined

interface Local {
  date: string
  minute: number
}

function toLocal(time: number): Local {
  const at = Math.floor(time / MINUTE_MS)
  if (lastResult?.at !== at) lastResult = { at, local: formatLocal(time) }
  return lastResult.local
}

function formatLocal(time: number): Local {
  const part = Object.fromEntries(chicago.formatToParts(time).map(({ type, value }) => [type, value]))
  return {
    date: `${part['year']}-${part['month']}-${part['day']}`,
    minute: Number(part['hour']) * 60 + Number(part['minute']),
  }
}
