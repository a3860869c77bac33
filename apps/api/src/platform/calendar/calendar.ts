/** Business days of American banks: Monday to Friday without the holidays that the Federal Reserve keeps. Pure. */

const DAY = 86_400_000
/** After this minute of the day in Chicago (16:30) no window for pulling money is left. */
const LAST_WINDOW = 16 * 60 + 30

const chicago = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Chicago',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

const at = (date: string) => Date.parse(`${date}T00:00:00.000Z`)
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const nextDay = (date: string) => dateOf(at(date) + DAY)

/** The `count`th weekday of a month, 0 being Sunday; the last one where `count` is -1. Day of the month. */
function weekdayOf(year: number, month: number, weekday: number, count: number): number {
  const last = new Date(Date.UTC(year, month, 0))
  if (count === -1) return last.getUTCDate() - ((last.getUTCDay() - weekday + 7) % 7)
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  return 1 + ((weekday - first + 7) % 7) + (count - 1) * 7
}

/** Holidays of fixed date, month and day. One that falls on a Sunday is kept on the Monday after, one on a Saturday not at all. */
const fixed: readonly (readonly [number, number])[] = [
  [1, 1],
  [6, 19],
  [7, 4],
  [11, 11],
  [12, 25],
]
/** Holidays on a weekday of a month: month, weekday, which one. */
const floating: readonly (readonly [number, number, number])[] = [
  [1, 1, 3],
  [2, 1, 3],
  [5, 1, -1],
  [9, 1, 1],
  [10, 1, 2],
  [11, 4, 4],
]

/** True if banks are closed on a weekday for a holiday. @param date `YYYY-MM-DD` */
export function isBankHoliday(date: string): boolean {
  const day = new Date(at(date))
  const year = day.getUTCFullYear()
  const month = day.getUTCMonth() + 1
  const number = day.getUTCDate()
  if (floating.some(([m, weekday, count]) => m === month && weekdayOf(year, m, weekday, count) === number)) return true
  const isFixed = (time: Date) => fixed.some(([m, d]) => m === time.getUTCMonth() + 1 && d === time.getUTCDate())
  return isFixed(day) || (day.getUTCDay() === 1 && isFixed(new Date(day.getTime() - DAY)))
}

/** @param date `YYYY-MM-DD` */
export function isBusinessDay(date: string): boolean {
  const weekday = new Date(at(date)).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isBankHoliday(date)
}

/** The business day that is the given number of business days after a date. @param date `YYYY-MM-DD` */
export function addBusinessDays(date: string, days: number): string {
  let found = date
  for (let left = days; left > 0; ) {
    found = nextDay(found)
    if (isBusinessDay(found)) left--
  }
  return found
}

/** The calendar day in Chicago. @param time epoch milliseconds */
export function chicagoDate(time: number): string {
  return local(time).date
}

/** The business day on which money is pulled for a payment made at `time`: the day of the next window. Epoch milliseconds. */
export function pullDate(time: number): string {
  const { date, minute } = local(time)
  return isBusinessDay(date) && minute <= LAST_WINDOW ? date : addBusinessDays(date, 1)
}

/** Epoch milliseconds: the first that counts, and the first after that does not. */
export interface Span {
  from: number
  to: number
}

/** The cut-off cycle of a time: all times whose money is pulled on the same day, from one last window to the next. */
export function cycleOf(time: number): Span {
  const day = pullDate(time)
  let before = dateOf(at(day) - DAY)
  while (!isBusinessDay(before)) before = dateOf(at(before) - DAY)
  return { from: chicagoTime(before, LAST_WINDOW + 1), to: chicagoTime(day, LAST_WINDOW + 1) }
}

/** The calendar day in Chicago before the one that a time is on. */
export function dayBefore(time: number): Span {
  const today = local(time).date
  return { from: chicagoTime(dateOf(at(today) - DAY), 0), to: chicagoTime(today, 0) }
}

/** A minute of a day in Chicago, which is five or six hours behind UTC. Both it asks for are there on every day of the year. */
function chicagoTime(date: string, minute: number): number {
  const utc = at(date) + minute * MINUTE
  const [summer, winter] = [utc + 5 * 3_600_000, utc + 6 * 3_600_000]
  return local(summer).minute === minute && local(summer).date === date ? summer : winter
}

const MINUTE = 60_000
/** The last result: payments are made in the same minute as others, and formatting one costs more than inserting it. */
let latest: { at: number; local: Local } | undefined

interface Local {
  date: string
  minute: number
}

function local(time: number): Local {
  const at = Math.floor(time / MINUTE)
  if (latest?.at !== at) latest = { at, local: format(time) }
  return latest.local
}

function format(time: number): Local {
  const part = Object.fromEntries(chicago.formatToParts(time).map(({ type, value }) => [type, value]))
  return {
    date: `${part['year']}-${part['month']}-${part['day']}`,
    minute: Number(part['hour']) * 60 + Number(part['minute']),
  }
}
