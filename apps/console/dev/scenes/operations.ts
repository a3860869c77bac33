/** Health, as operators see it. */
import { fail, given, listed, type Replies } from '../fake.js'
import { cameBack } from '../fixtures/money.js'
import { NOW } from '../fixtures/people.js'
import type { Scene } from '../mount.js'

const as_of = new Date(NOW).toISOString()
const well = {
  as_of,
  requests: { count: 48_210, failed: 0, p95_ms: 61 },
  deliveries: { delivered: 9_860, failed: 140 },
  jobs: { ready: 12, dead: 0, lag_seconds: 0.4 },
}
const unwell = given({
  ...well,
  requests: { ...well.requests, failed: 10 },
  jobs: { ready: 12, dead: 2, lag_seconds: 0.4 },
})
const job = (id: string, kind: string, fault: string, about: string | null) => ({
  id,
  kind,
  fault,
  about,
  team_id: 'team_4kWa1NoRtHw1',
  attempts: 8,
  failed_at: '2026-03-10T12:02:00.000Z',
})
const jobs = listed([
  job('job_4kZ1aB2cD3eF4', 'subscription.look', 'timeout', 'acc_4kYs1NwB5eVqC'),
  job('job_4kZ0aB1cD2eF3', 'delivery.send', 'unknown_code', cameBack.id),
])
const agrees = given({ checked_at: '2026-03-10T14:35:00.000Z', payments: 12_480, faults: [] })

const health = (over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: '/health',
  session: { user: { name: 'Juno Whitlock', role: 'admin', operator: true } },
  replies: {
    'GET /operator/health': unwell,
    'GET /operator/jobs': jobs,
    'GET /operator/ledger': agrees,
    'POST /operator/jobs/:id/retry': given({}),
    'POST /operator/ledger/check': given({}),
    ...over,
  },
  ...rest,
})

export const operationScenes: Record<string, Record<string, Scene>> = {
  health: {
    dead_jobs: health(),
    well: health({ 'GET /operator/health': given(well), 'GET /operator/jobs': listed([]) }),
    disagrees: health({
      'GET /operator/ledger': given({
        checked_at: '2026-03-10T14:35:00.000Z',
        payments: 12_480,
        faults: [{ payment_id: cameBack.id, team_id: 'team_4kWa1NoRtHw1', fault: 'postings' }],
      }),
    }),
    unchecked: health({ 'GET /operator/ledger': given({ checked_at: null, payments: 0, faults: [] }) }),
    partial: health({ 'GET /operator/jobs': fail(503) }),
    loading: health(
      { 'GET /operator/health': 'never', 'GET /operator/jobs': 'never', 'GET /operator/ledger': 'never' },
      { slow: true },
    ),
    stale: health({ 'GET /operator/health': [unwell, fail(503)] }, { again: true }),
    forbidden: health(
      {
        'GET /operator/health': fail(403, 'FORBIDDEN'),
        'GET /operator/jobs': fail(403, 'FORBIDDEN'),
        'GET /operator/ledger': fail(403, 'FORBIDDEN'),
      },
      { session: { user: { name: 'Ines Farrow', role: 'admin', operator: false } } },
    ),
  },
}
