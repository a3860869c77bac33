/** Calculates the overview's numbers: the amount at each stage, by day. Pure functions. */
import type { PaymentStats } from '@causeway/sdk'
import type { Tone } from '../../parts/marks.js'
import { DAY_MS } from '../../time.js'
import { words } from '../../words.js'

/** The stages that a payment's money passes through, in order. A canceled payment has no stage. */
const statusGroups = [
  { key: 'waiting', tone: 'slate', statuses: ['pending'] },
  { key: 'taken', tone: 'violet', statuses: ['processing'] },
  { key: 'way', tone: 'blue', statuses: ['sent'] },
  { key: 'arrived', tone: 'teal', statuses: ['posted', 'cashed', 'settled'] },
  {
    key: 'back',
    tone: 'amber',
    statuses: ['reversal_required', 'reversal_processing', 'partial_reversal_processing'],
  },
  { key: 'returned', tone: 'pink', statuses: ['reversed', 'partially_reversed'] },
  { key: 'failed', tone: 'red', statuses: ['failed'] },
] as const

export interface MoneyGroup {
  name: string
  tone: Tone
  statuses: readonly string[]
  count: number
  cents: number
  /** The amount on each day, in dollars. */
  values: number[]
}

/**
 * Returns the most recent dates in UTC, oldest first, in the format that the statistics use: `2026-03-10`. Lists filter by
 * days in UTC too, so that a link to a list shows exactly what was counted.
 */
export const daysUntil = (now: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => new Date(now - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10))

/** The number of days that the chart shows by default. */
const DEFAULT_DAYS = 30

/** The maximum number of days for which the service counts payments. */
export const MAX_DAYS = 92

/** The maximum number of days for which the service counts sessions, which it reads one by one. */
const MAX_SESSION_DAYS = 31

/** The number of sessions that the service counts: the latest ones of the period. */
export const MAX_SESSIONS = 5_000

/** Returns the days of a period for which sessions are counted: all of them or, of a long period, the last ones. */
export const sessionDays = ({ days }: Pick<Period, 'days'>): { from: string; to: string; isShortened: boolean } => {
  const counted = days.slice(-MAX_SESSION_DAYS)
  return {
    from: counted[0] as string,
    to: counted.at(-1) as string,
    isShortened: counted.length < days.length,
  }
}

/** The days of a chart, and the same number of days before them. Both are empty if a date is invalid. */
export interface Period {
  from: string
  to: string
  days: string[]
  previous: string[]
}

const daysBetween = (from: string, to: string): string[] => {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return count > 0 ? daysUntil(Date.parse(to), count) : []
}

/** Reads the period in a page's URL: a number of days until today, or the first and the last day. */
export function readPeriod(query: URLSearchParams, now: number): Period {
  const range = Number(query.get('range')) || DEFAULT_DAYS
  const today = daysUntil(now, 1)[0] as string
  const to = query.get('to') ?? today
  const from = query.get('from') ?? daysUntil(Date.parse(to) || now, range)[0] ?? to
  const days = daysBetween(from, to)
  const before = Date.parse(from) - DAY_MS
  return { from, to, days, previous: days.length > 0 ? daysUntil(before, days.length) : [] }
}

/** Returns true if the service can count the payments of a period. */
export const isPossible = ({ days }: Pick<Period, 'days'>): boolean => days.length > 0 && days.length <= MAX_DAYS

/** Returns the stages that hold money from payments created on the given days. */
export function moneyByStatus({ data }: Pick<PaymentStats, 'data'>, days: readonly string[]): MoneyGroup[] {
  const found = statusGroups.map(({ key, tone, statuses }): MoneyGroup => {
    const rows = data.filter(
      ({ status, day }) => (statuses as readonly string[]).includes(status) && days.includes(day),
    )
    const sum = (of: typeof rows, name: 'count' | 'cents') => of.reduce((total, row) => total + row[name], 0)
    return {
      name: words.overview.places[key],
      tone,
      statuses,
      count: sum(rows, 'count'),
      cents: sum(rows, 'cents'),
      values: days.map(each =>
        Math.round(
          sum(
            rows.filter(({ day }) => day === each),
            'cents',
          ) / 100,
        ),
      ),
    }
  })
  return found.filter(({ count }) => count > 0)
}
