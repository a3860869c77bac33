/** Scenes for the list of sessions and for a single session. */
import type { SessionProgress } from '@causeway/sdk'
import type { Approval, Source } from '../../src/shapes.js'
import { failure, listed, type Replies, reply } from '../fake.js'
import {
  chase,
  discover,
  loanPayment,
  operatingSource,
  restPayment,
  returnedPayment,
  sources,
  unusableSources,
} from '../fixtures/money.js'
import {
  connectSession,
  opal,
  people,
  personMoments,
  stuckFlow,
  stuckSession,
  tamsin,
  userOf,
} from '../fixtures/people.js'
import type { Scene } from '../mount.js'
import { release } from './approvals.js'

const bt = stuckSession.bt as NonNullable<typeof stuckSession.bt>
const allocations = { [discover.id]: 295_060, [chase.id]: 480_000 }
const done: SessionProgress = {
  ...stuckFlow,
  step: 'done',
  waits_for: 'release',
  can_skip: false,
  last_code: null,
  tries_left: null,
  tries_used: null,
  account: null,
}
const ids = { [discover.id]: returnedPayment.id, [chase.id]: loanPayment.id }

const session = (
  value: unknown,
  current: unknown = stuckFlow,
  over: Replies = {},
  rest: Partial<Scene> = {},
): Scene => ({
  at: `/sessions/${stuckSession.id}`,
  replies: {
    'GET /opal/sessions/:id': reply({ data: value }),
    'GET /opal/sessions/:id/progress': reply(current),
    'GET /entities/:id': reply(tamsin),
    'GET /timeline': reply({ data: personMoments, missing: [], next_cursor: null }),
    'GET /console/sources': reply(sources),
    'GET /team': reply({ payment_description: 'PAYOFF', allowed_origins: [] }),
    'POST /opal/sessions/:id': reply({ data: value }),
    [`GET /accounts/${discover.id}`]: reply(discover),
    [`GET /accounts/${chase.id}`]: reply(chase),
    [`GET /payments/${returnedPayment.id}`]: reply(returnedPayment),
    [`GET /payments/${loanPayment.id}`]: reply(loanPayment),
    [`GET /payments/${restPayment.id}`]: reply(restPayment),
    ...over,
  },
  ...rest,
})

const released = {
  ...bt,
  allocations,
  completed: true,
  payout_status: 'released',
  payment_ids: ids,
  released_at: '2026-03-09T15:00:00.000Z',
} as const
const refusal = {
  type: 'INVALID_REQUEST' as const,
  code: 400,
  sub_type: 'PAYMENT_REFUSED_BY_RAIL' as const,
  message: 'The payment rail refused this payment.',
}
const partlyPaid = {
  ...released,
  unpaid: [discover.id],
  payment_ids: { ...ids, [discover.id]: null },
  payment_errors: {
    [discover.id]: refusal,
  },
}
const nonePaid = {
  ...partlyPaid,
  none_paid: true as const,
  unpaid: [discover.id, chase.id],
  payment_ids: { [discover.id]: null, [chase.id]: null },
  payment_errors: { [discover.id]: refusal, [chase.id]: refusal },
}
const restIds = { rest_payment_ids: { [discover.id]: restPayment.id } }
const restFailed = reply({ ...restPayment, status: 'failed' })
const confirmed = { ...stuckSession, bt: { ...bt, allocations, completed: true } }
const only = (data: readonly Source[]) => reply({ data, more: false })
const asSupport = { session: { user: userOf('Ines Farrow', 'support') } }
const waits = { session: { approvals_waiting: 1 } }
const waitingRequest = (request: Approval) => ({
  'GET /console/approvals': reply({ data: [request], next_cursor: null }),
})
const ownRelease = { ...release, can: { approve: false, withdraw: true }, why_not: 'asked_it' as const }
const restRequest = { ...release, action: 'payment.create' as const, resource_id: null, amount: 295_060 }
const releasing = { press: ['.answer .btn.go'] }
const list = (reply: Replies[string], rest: Partial<Scene> = {}): Scene => ({
  at: '/sessions',
  replies: { 'GET /opal/sessions': reply, 'GET /entities': listed([...people]) },
  ...rest,
})
const many = [
  stuckSession,
  opal('osess_4kYx6QgL1eVoR', { bt: { ...bt, ...released, payment_ids: { ...ids } } }),
  opal('osess_4kYx6BcD2eFgH', { step: 'done', bt: { ...bt, ...partlyPaid } }),
  opal('osess_4kYx6EfG3hIjK', { step: 'done', bt: { ...bt, ...nonePaid } }),
  opal('osess_4kYx5PhK0dUnQ', {
    step: 'done',
    bt: { ...bt, allocations, completed: true },
  }),
  opal('osess_4kYx4NjJ9cTmP', { entity_id: null, step: null, not_me_at: '2026-03-09T13:00:00.000Z' }),
  connectSession,
]

export const sessionScenes: Record<string, Record<string, Scene>> = {
  session: {
    stuck: session(stuckSession),
    stuck_support: session(stuckSession, stuckFlow, {}, asSupport),
    waits_for_release: session(confirmed, done),
    waits_for_finance: session(confirmed, done, {}, asSupport),
    waiting: session(confirmed, done, waitingRequest(release), waits),
    waiting_own: session(confirmed, done, waitingRequest(ownRelease), waits),
    releasing: session(confirmed, done, {}, releasing),
    releasing_from_one: session(confirmed, done, { 'GET /console/sources': only([operatingSource]) }, releasing),
    no_source: session(confirmed, done, { 'GET /console/sources': only([]) }),
    no_usable_source: session(confirmed, done, { 'GET /console/sources': only(unusableSources) }),
    released: session({ ...stuckSession, bt: released }, done),
    partly_paid: session({ ...stuckSession, bt: partlyPaid }, { ...done, waits_for: 'nothing' }),
    paying_rest: session({ ...stuckSession, bt: partlyPaid }, { ...done, waits_for: 'nothing' }, {}, releasing),
    waiting_rest: session(
      { ...stuckSession, bt: partlyPaid },
      { ...done, waits_for: 'nothing' },
      waitingRequest(restRequest),
      waits,
    ),
    none_paid: session({ ...stuckSession, bt: nonePaid }, { ...done, waits_for: 'nothing' }),
    rest_paid: session(
      { ...stuckSession, bt: { ...partlyPaid, unpaid: undefined, ...restIds } },
      { ...done, waits_for: 'nothing' },
    ),
    rest_failed: session(
      { ...stuckSession, bt: { ...partlyPaid, ...restIds } },
      { ...done, waits_for: 'nothing' },
      { [`GET /payments/${restPayment.id}`]: restFailed },
    ),
    blocked: session(stuckSession, {
      ...stuckFlow,
      step: 'blocked',
      last_code: 'no_accounts',
      waits_for: 'nothing',
    }),
    unopened: session(
      { ...stuckSession, step: null },
      { ...stuckFlow, step: 'consent', steps: [], tries_left: null, tries_used: null, account: null },
    ),
    not_them: session({ ...stuckSession, not_me_at: '2026-03-09T13:00:00.000Z' }),
    left: session(connectSession),
    partial: session(stuckSession, stuckFlow, { 'GET /opal/sessions/:id/progress': failure(503) }),
    loading: session(stuckSession, stuckFlow, { 'GET /opal/sessions/:id': 'never' }, { slow: true }),
    missing: session(stuckSession, stuckFlow, { 'GET /opal/sessions/:id': failure(404, 'NOT_FOUND') }),
  },
  sessions: {
    plain: list(listed(many)),
    stuck: list(listed(many), { at: '/sessions?stuck_for=P1D' }),
    empty: list(listed([])),
    failing: list(failure(503)),
    stale: list([listed(many), failure(503)], { again: true }),
  },
}
