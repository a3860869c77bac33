/**
 * Formats money, dates and times for the console. Times are shown in one named time zone; bank dates are the same in
 * every zone.
 */
import { html, type TemplateResult } from 'lit'

export type ZoneChoice = 'team' | 'mine' | 'utc'

export class Format {
  readonly zone: string
  private readonly kinds: Record<string, Intl.DateTimeFormat>
  private readonly dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  private readonly short = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    notation: 'compact',
    // Without this option, Safari 17 writes $2.0K.
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  })
  private readonly digits = new Intl.NumberFormat('en-US')
  private readonly cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

  constructor(zone: string) {
    this.zone = zone
    const kind = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options })
    this.kinds = {
      time: kind({ hour: 'numeric', minute: '2-digit', second: '2-digit' }),
      clock: kind({ hour: 'numeric', minute: '2-digit' }),
      hour: kind({ hour: 'numeric' }),
      day: kind({ month: 'short', day: 'numeric' }),
      longDay: kind({ weekday: 'long', month: 'long', day: 'numeric' }),
      moment: kind({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }),
      key: kind({ year: 'numeric', month: '2-digit', day: '2-digit' }),
      zone: kind({ timeZoneName: 'shortGeneric' }),
    }
  }

  /** The time zone's abbreviated name, such as `CT`. */
  get zoneName(): string {
    if (this.zone === 'UTC') return 'UTC'
    const parts = this.kinds['zone']?.formatToParts(0) ?? []
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? this.zone
  }

  money = (cents: number): string => this.dollars.format(cents / 100)
  /** Formats an amount with its sign and no currency symbol: `−2,950.60`. */
  signed = (cents: number): string =>
    (cents > 0 ? '+' : cents < 0 ? '−' : '') + this.cents.format(Math.abs(cents) / 100)
  /** Formats whole dollars in abbreviated form: `$1.2M`. */
  dollarsInShort = (dollars: number): string => this.short.format(dollars)
  count = (number: number): string => this.digits.format(number)

  text(at: string | number, kind: 'time' | 'clock' | 'hour' | 'day' | 'longDay' | 'moment' | 'key'): string {
    return (this.kinds[kind] as Intl.DateTimeFormat).format(new Date(at))
  }

  /** Formats a time and shows UTC on hover. */
  at(at: string | null, kind: 'time' | 'clock' | 'day' | 'moment' = 'moment'): TemplateResult | string {
    if (!at) return '—'
    const utc = `${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`
    return html`<time datetime=${at} title=${utc}>${this.text(at, kind)}</time>`
  }

  /** Formats a bank date such as `2026-03-06`, which is the same in every zone. */
  bankDate(date: string | null): string {
    if (!date) return '—'
    return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' }).format(new Date(date))
  }

  /** Formats a duration, such as `26 h`, `4 d` or `42 s`. */
  span(ms: number): string {
    const seconds = Math.max(0, Math.round(ms / 1000))
    if (seconds < 90) return `${seconds} s`
    if (seconds < 5400) return `${Math.round(seconds / 60)} min`
    if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`
    return `${Math.round(seconds / 86_400)} d`
  }

  ms(ms: number | null): string {
    return ms === null ? '—' : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
  }

  percent(part: number, whole: number): string {
    return whole === 0 ? '—' : `${((part / whole) * 100).toFixed(1)}%`
  }
}

/** Shortens an id in the middle: `evt_4kYw…e9`. */
export const shortId = (id: string): string => (id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-2)}` : id)

/** Returns a URL without its scheme and its query, which can contain a secret. */
export function shortUrl(url: string): string {
  const [address = '', query] = url.replace(/^https?:\/\//, '').split('?', 2)
  return query === undefined ? address.replace(/\/$/, '') : `${address}?…`
}
