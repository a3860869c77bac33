/** The formats that are used only after the first screen. */
import { formatMoney } from '@causeway/contract/money'
import { lazy } from './lazy.js'

/** A locale, and the formats that the first screen uses. */
export interface FirstFormats {
  /**
   * A BCP 47 tag with a region, for `Intl`. Every language uses the digits 0 to 9, to match masks, codes and typed
   * amounts.
   */
  locale: string
  dir: 'ltr' | 'rtl'
  date(iso: string): string
  time(iso: string): string
}

export interface Formats {
  /** Formats cents as an amount such as `$1,287.60`. */
  money(cents: number): string
  /** Formats cents as an amount such as `$10,000`, without `.00` for whole dollars. */
  short(cents: number): string
  percent(percent: number): string
  /**
   * Formats a time. For a time today, returns "today" and the time of day. For an earlier time, returns only the date.
   * For a later time, returns the date and the time of day.
   */
  moment(iso: string, now: Date): string
  /** Formats seconds as a countdown such as `0:24`. */
  countdown(seconds: number): string
  list(items: readonly string[], kind?: 'conjunction' | 'disjunction'): string
}

export function createFormats({ locale, dir, date, time }: FirstFormats): Formats {
  // In right-to-left text, isolate amounts. Otherwise, the currency sign would move to the other end of the amount.
  const apart = (text: string) => (dir === 'rtl' ? `\u2066${text.replace(/[\u200e\u200f]/g, '')}\u2069` : text)
  const relative = lazy(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  const sameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString()
  const comma = dir === 'rtl' ? '،' : ','
  return {
    money: cents => apart(formatMoney(cents, locale)),
    short: cents => apart(formatMoney(cents, locale, true)),
    percent: percent =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(percent / 100),
    moment: (iso, now) => {
      const at = new Date(iso)
      return sameDay(at, now)
        ? `${relative().format(0, 'day')}${comma} ${time(iso)}`
        : `${date(iso)}${at > now ? `${comma} ${time(iso)}` : ''}`
    },
    countdown: seconds => {
      const whole = Math.max(0, Math.ceil(seconds))
      const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
      const two = (value: number) => String(value).padStart(2, '0')
      return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
    },
    list: (items, kind = 'conjunction') => new Intl.ListFormat(locale, { type: kind }).format(items),
  }
}
