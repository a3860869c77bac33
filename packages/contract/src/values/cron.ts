/** Reads cron expressions whose first field is a single minute. Pure. */

/** The times at which a schedule runs, on the clock of its time zone. */
export interface Cron {
  minute: number
  hours: ReadonlySet<number>
  days: ReadonlySet<number>
  /** 1 to 12. */
  months: ReadonlySet<number>
  /** 0 to 6, from Sunday. */
  weekdays: ReadonlySet<number>
  /** True if the days of the month are restricted, and true if the weekdays are. With both, a day of either kind counts. */
  restricts: { days: boolean; weekdays: boolean }
}

const MAX_LENGTH = 100
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
/** The most days that each month can have. */
const DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Reads a number or a name. Returns NaN for anything else. */
function readValue(text: string, names: readonly string[], first: number): number {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const index = names.indexOf(text.toUpperCase())
  return index < 0 ? Number.NaN : index + first
}

/** Returns the values of a field such as `*`, `1-5`, `*\/2` or `0,12`. Returns null if the field is not valid. */
function readField(text: string, min: number, max: number, names: readonly string[] = []): Set<number> | null {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const [range = '', step, ...rest] = part.split('/')
    const [from = '', to, ...more] = range.split('-')
    const first = range === '*' ? min : readValue(from, names, min)
    const last = range === '*' || (to === undefined && step !== undefined) ? max : readValue(to ?? from, names, min)
    const by = step === undefined ? 1 : readValue(step, [], 0)
    const isValid = rest.length + more.length === 0 && first >= min && last <= max && first <= last && by >= 1
    if (!isValid) return null
    for (let value = first; value <= last; value += by) values.add(value)
  }
  return values
}

/**
 * Reads an expression of five fields, such as `0 8 * * 1-5`. Returns null if it is not valid, runs more than once an
 * hour, or never runs.
 */
export function parseCron(text: string): Cron | null {
  const fields = text.length > MAX_LENGTH ? [] : text.trim().split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  if (fields.length !== 5 || !/^\d{1,2}$/.test(minute) || Number(minute) > 59) return null
  const hours = readField(hour, 0, 23)
  const days = readField(day, 1, 31)
  const months = readField(month, 1, 12, MONTHS)
  const weekdays = readField(weekday, 0, 7, WEEKDAYS)
  if (!hours || !days || !months || !weekdays) return null
  const restricts = { days: !day.startsWith('*'), weekdays: !weekday.startsWith('*') }
  const neverRuns = ![...months].some(each => Math.min(...days) <= DAYS_OF_MONTHS[each - 1]!)
  if (neverRuns && !restricts.weekdays) return null
  return {
    minute: Number(minute),
    hours,
    days,
    months,
    weekdays: new Set([...weekdays].map(each => each % 7)),
    restricts,
  }
}
