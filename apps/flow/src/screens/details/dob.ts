/** A date of birth in three numeric fields. */
import { toAsciiDigits } from '@causeway/contract/values/digits'

export interface Dob {
  month: string
  day: string
  year: string
}
export type DobPart = keyof Dob

/** Returns the order of day, month and year in a locale. */
export function dobOrder(locale: string): DobPart[] {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts(new Date(0))
  return parts.flatMap(part =>
    part.type === 'month' || part.type === 'day' || part.type === 'year' ? [part.type as DobPart] : [],
  )
}

/** Splits a date such as `1980-03-11` into its parts. If the text is not such a date, the parts are empty. */
export function readDob(iso: string | undefined): Dob {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso ?? '')
  return { month: match?.[2] ?? '', day: match?.[3] ?? '', year: match?.[1] ?? '' }
}

/** Returns the date as `YYYY-MM-DD`, or the problem with it. */
export function checkDob(dob: Dob, now: number): { iso: string } | { wrong: 'missing' | 'bad' | 'future' } {
  if (!dob.month || !dob.day || !dob.year) return { wrong: 'missing' }
  const [year, month, day] = [Number(dob.year), Number(dob.month), Number(dob.day)]
  const at = new Date(Date.UTC(year, month - 1, day))
  const exists = at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  if (dob.year.length !== 4 || year < 1900 || !exists) return { wrong: 'bad' }
  if (at.getTime() > now) return { wrong: 'future' }
  return { iso: at.toISOString().slice(0, 10) }
}

/** Parses a pasted date, in the locale's order or as `YYYY-MM-DD`; returns null if it is not a complete date. */
export function readPasted(text: string, order: readonly DobPart[]): Dob | null {
  const runs = toAsciiDigits(text).match(/\d+/g) ?? []
  if (runs.length !== 3) return null
  const parts: readonly DobPart[] = runs[0]!.length === 4 ? ['year', 'month', 'day'] : order
  const out: Dob = { month: '', day: '', year: '' }
  parts.forEach((part, i) => {
    out[part] = runs[i]!
  })
  return out.year.length === 4 ? out : null
}
