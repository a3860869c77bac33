/** The numbers of the overview: money by place, day by day. Pure. */
import type { Tone } from '../parts/marks.js'
import type { PaymentStats } from '../shapes.js'
import { words } from '../words.js'

/** The places of the money, in the order of a payment's path. A canceled payment has no money anywhere. */
const places = [
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

export interface Place {
  name: string
  tone: Tone
  statuses: readonly string[]
  count: number
  cents: number
  /** Dollars by day. */
  values: number[]
}

/** @returns the days, oldest first, and the places that hold money on any of them */
export function moneyByPlace({ data }: Pick<PaymentStats, 'data'>): { days: string[]; places: Place[] } {
  const days = [...new Set(data.map(({ day }) => day))].sort()
  const found = places.map(({ key, tone, statuses }): Place => {
    const rows = data.filter(({ status }) => (statuses as readonly string[]).includes(status))
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
  return { days, places: found.filter(({ count }) => count > 0) }
}
