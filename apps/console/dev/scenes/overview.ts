/** Scenes for the overview page. */
import type { FunnelStats, PaymentStats } from '@causeway/sdk'
import { DAY_MS } from '../../src/time.js'
import { failure, listed, type Replies, reply } from '../fake.js'
import { webhook } from '../fixtures/developers.js'
import { returnedPayment } from '../fixtures/money.js'
import { NOW, stuckSession, userOf } from '../fixtures/people.js'
import type { Scene } from '../mount.js'
import { operator, unwell } from './operations.js'

const as_of = new Date(NOW).toISOString()
const day = (index: number) =>
  new Date(Date.parse('2026-02-25T00:00:00.000Z') + index * DAY_MS).toISOString().slice(0, 10)
type Sum = PaymentStats['data'][number]
type Step = FunnelStats['data'][number]

const row = (index: number, status: Sum['status'], count: number, cents: number): Sum => ({
  day: day(index),
  status,
  count,
  cents,
})
const dollars = [98, 120, 131, 30, 26, 118, 109, 122, 88, 79, 24, 22, 96, 64]
/** The dollars of each weekday and weekend day before {@link dollars}, in tens of thousands. */
const weekly = [104, 96, 31, 22, 88, 112, 101]
const settled = (from: number, count: number, scale: number): Sum[] =>
  Array.from({ length: count }, (_, index) => {
    const each = Math.round((weekly[index % 7] ?? 0) * scale)
    return row(from + index, 'settled', each, each * 1_000_000)
  })
const money = reply({
  data: [
    ...settled(-76, 76, 0.8),
    ...dollars.slice(0, 9).map((each, index) => row(index, 'settled', each, each * 1_000_000)),
    ...dollars.slice(9, 12).map((each, index) => row(index + 9, 'sent', each, each * 1_000_000)),
    row(8, 'reversal_required', 7, 2_190_615),
    row(9, 'failed', 4, 1_120_000),
    row(12, 'processing', 148, 64_037_752),
    row(13, 'pending', 212, 91_840_210),
  ],
  as_of,
} satisfies PaymentStats)
/** The period before the one in {@link money}. */
const earlier = reply({ data: settled(-166, 150, 0.7), as_of } satisfies PaymentStats)
const step = (name: Step['step'], entered: number, left: number, median_ms: number | null, code?: string): Step => ({
  step: name,
  entered,
  completed: entered - left,
  left,
  median_ms,
  reasons: code ? [{ code, count: left }] : [],
})
const funnel = reply({
  data: [
    step('consent', 1_284, 53, 21_000),
    step('code', 1_231, 129, 34_000),
    step('details', 1_102, 65, 48_000),
    step('discovering', 1_037, 28, 9_000),
    step('selection', 1_009, 51, 62_000),
    step('number', 958, 87, 75_000),
    step('allocation', 871, 25, 40_000),
    step('review', 846, 34, 15_000),
    step('blocked', 19, 19, null, 'no_accounts'),
  ],
  sessions: 1_284,
  as_of,
} satisfies FunnelStats)

const overview = (over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: '/',
  replies: {
    'GET /payments': listed([returnedPayment]),
    'GET /webhooks': listed([webhook]),
    'GET /opal/sessions': listed([stuckSession]),
    'GET /stats/payments': [money, earlier],
    'GET /stats/funnel': funnel,
    'GET /institutions/repairs': reply({ data: [], next_cursor: null, total: { count: 0, more: false } }),
    ...over,
  },
  ...rest,
})
const none = reply({ data: [], as_of })

export const overviewScenes: Record<string, Record<string, Scene>> = {
  overview: {
    plain: overview(),
    quarter: overview({}, { at: '/overview?range=90' }),
    many_sessions: overview({ 'GET /stats/funnel': reply({ ...(funnel.body as FunnelStats), sessions: 5_000 }) }),
    chosen_days: overview({}, { at: '/overview?from=2026-02-01&to=2026-02-28' }),
    too_long: overview({}, { at: '/overview?from=2025-01-01&to=2026-02-28' }),
    repairs: overview({
      'GET /institutions/repairs': reply({ data: [], next_cursor: null, total: { count: 3, more: false } }),
    }),
    second_person: overview({}, { session: { approvals_waiting: 2 } }),
    support: overview({}, { session: { user: userOf('Ines Farrow', 'support') } }),
    operator: overview({ 'GET /operator/health': unwell }, { session: operator }),
    empty: overview({
      'GET /payments': listed([]),
      'GET /webhooks': listed([]),
      'GET /opal/sessions': listed([]),
      'GET /stats/payments': none,
      'GET /stats/funnel': none,
    }),
    partial: overview({ 'GET /stats/funnel': failure(503) }),
    loading: overview({ 'GET /stats/payments': 'never', 'GET /stats/funnel': 'never' }, { slow: true }),
    stale: overview({ 'GET /stats/payments': [money, earlier, failure(503)] }, { again: true }),
    forbidden: overview({ 'GET /stats/payments': failure(403, 'FORBIDDEN') }),
  },
}
