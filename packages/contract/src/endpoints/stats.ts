import { z } from 'zod'
import { endpoint, type Family, paging } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { funnelStats, paymentStats } from '../resources/stats.js'
import { modes } from '../session.js'

const days = { from_date: paging.from_date, to_date: paging.to_date }

/** The maximum number of days for which payments are counted. */
export const MAX_PAYMENT_DAYS = 92

export const endpoints = {
  retrievePaymentStats: endpoint({
    method: 'GET',
    path: '/stats/payments',
    summary: 'Count payments by day and status',
    description: `By default, covers the last 30 days. The maximum is ${MAX_PAYMENT_DAYS} days. Counts can be up to a minute old.`,
    query: {
      ...days,
      time_zone: z
        .enum(['UTC', 'America/Chicago'])
        .describe('The time zone in which each day begins and ends. Default: `UTC`'),
    },
    answer: paymentStats,
    example: {
      answer: {
        data: [{ day: '2026-03-02', status: 'settled', count: 12, cents: 6_420_000 }],
        as_of: examples.times.created_at,
      },
    },
  }),
  retrieveFunnelStats: endpoint({
    method: 'GET',
    path: '/stats/funnel',
    summary: 'Count sessions by step',
    description:
      'By default, covers the last 7 days. The maximum is 31 days. Counts at most the latest 5,000 sessions created in ' +
      'the period. Counts can be up to a minute old.',
    query: { ...days, mode: z.enum(modes) },
    answer: funnelStats,
    example: {
      answer: {
        data: [{ step: 'code', entered: 90, completed: 84, left: 6, median_ms: 14_000, reasons: [] }],
        sessions: 100,
        as_of: examples.times.created_at,
      },
    },
  }),
}

export const statsFamily: Family = {
  name: 'Statistics',
  about: 'Payment and session counts, which can be up to a minute old.',
  endpoints,
}
