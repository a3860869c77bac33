/** Scenes for the operators' health page. */

import type { Health } from '../../src/shapes.js'
import { failure, type Replies, reply } from '../fake.js'
import { returnedPayment } from '../fixtures/money.js'
import { userOf } from '../fixtures/people.js'
import type { Scene } from '../mount.js'

/** A session started with an operator's link. */
export const operator = { user: userOf('operator', 'admin', true) }

const agrees = {
  at: '2026-03-10T14:35:00.000Z',
  ok: true,
  complete: true,
  payments: 12_480,
  asked: 40,
  unanswered: 0,
  faulty: 0,
  receivable: { payments: 0, cents: 0 },
  faults: [],
}
const well = {
  jobs: { ready: 12, dead: 0, missing: 0, lag_seconds: 0.4 },
  requests: { running: 3, waiting: 0 },
  lanes_paused: 0,
  ledger: agrees,
  payments_stopped: null,
  teams_stopped: 0,
  payments_start: { needs: 'nothing', operators: [], command: 'pnpm admin payments start all' },
} satisfies Health
export const unwell = reply({ ...well, lanes_paused: 1, jobs: { ready: 12, dead: 2, missing: 0, lag_seconds: 0.4 } })
/** Returns the health of a service whose payments are stopped by default. */
const needing = (
  needs: Health['payments_start']['needs'],
  operators: string[],
  payments_stopped: string | null = '2026-03-10T14:02:00.000Z',
) => reply({ ...well, payments_stopped, payments_start: { ...well.payments_start, needs, operators } })
const wrong = {
  ...agrees,
  ok: false,
  complete: false,
  faulty: 1,
  unanswered: 2,
  faults: [
    { payment_id: returnedPayment.id, team_id: 'team_4kWa1NoRtHw1', what: 'The postings do not match the status.' },
  ],
}
const job = (id: string, kind: string, last_error: string | null, request_id: string | null) => ({
  id,
  kind,
  last_error,
  request_id,
  team_id: 'team_4kWa1NoRtHw1',
  attempts: 8,
  created_at: '2026-03-10T12:02:00.000Z',
})
const jobs = reply({
  data: [
    job('job_4kZ1aB2cD3eF4', 'subscription.look', 'The network did not respond in time.', null),
    job('job_4kZ0aB1cD2eF3', 'payment.submit', null, 'req_4kZ7Qd2Ma0XkLm'),
  ],
  next_cursor: 'job_4kZ0aB1cD2eF3.team_4kWa1NoRtHw1',
})

const none = { 'GET /operator/jobs': reply({ data: [], next_cursor: null }) }

const health = (over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: '/health',
  session: operator,
  replies: {
    'GET /operator/health': unwell,
    'GET /operator/jobs': jobs,
    'POST /operator/jobs/:id/retry': reply({}),
    'POST /operator/ledger/checks': reply(wrong),
    'POST /operator/payments/stop': reply({}),
    ...over,
  },
  ...rest,
})

export const operationScenes: Record<string, Record<string, Scene>> = {
  health: {
    dead_jobs: health(),
    well: health({ ...none, 'GET /operator/health': reply(well) }),
    disagrees: health({ ...none, 'GET /operator/health': reply({ ...well, ledger: wrong }) }),
    receivable: health({
      ...none,
      'GET /operator/health': reply({ ...well, ledger: { ...agrees, receivable: { payments: 1, cents: 295_060 } } }),
    }),
    unchecked: health({ ...none, 'GET /operator/health': reply({ ...well, ledger: null }) }),
    stopped: health({
      ...none,
      'GET /operator/health': reply({ ...well, payments_stopped: '2026-03-10T14:02:00.000Z' }),
    }),
    stopped_by_command: health({ ...none, 'GET /operator/health': needing('command', []) }),
    stopped_alone: health({ ...none, 'GET /operator/health': needing('second_operator', []) }),
    starting: health(
      { ...none, 'GET /operator/health': needing('second_operator', ['Ines Farrow', 'Mara Lindqvist']) },
      { press: ['.head .btn.go'] },
    ),
    stopping: health({}, { press: ['.head .btn.danger'] }),
    stopping_alone: health(
      { ...none, 'GET /operator/health': needing('second_operator', [], null) },
      { press: ['.head .btn.danger'] },
    ),
    partial: health({ 'GET /operator/jobs': failure(503) }),
    loading: health({ 'GET /operator/health': 'never', 'GET /operator/jobs': 'never' }, { slow: true }),
    stale: health({ 'GET /operator/health': [unwell, failure(503)] }, { again: true }),
    forbidden: health(
      { 'GET /operator/health': failure(403, 'FORBIDDEN'), 'GET /operator/jobs': failure(403, 'FORBIDDEN') },
      { session: { user: userOf('Ines Farrow', 'admin') } },
    ),
  },
}
