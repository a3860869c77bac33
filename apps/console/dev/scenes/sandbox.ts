/** Scenes for events and for the sandbox bench. */
import { failure, listed, type Replies, reply } from '../fake.js'
import { paymentList, returnedPayment } from '../fixtures/money.js'
import { moment, NOW, REAL_NOW, userOf } from '../fixtures/people.js'
import type { Scene } from '../mount.js'

const at = '2026-03-09T14:30:14.000Z'
const event = (id: string, type: string, resource_id: string, over: object = {}) => ({
  id,
  type,
  resource_id,
  resource_type: type.split('.')[0],
  data: { id: resource_id, status: 'reversal_required' },
  diff: { before: { status: 'posted' }, after: { status: 'reversal_required', reversal_id: 'rvs_4kYwB3nT8uQe1' } },
  created_at: at,
  updated_at: at,
  ...over,
})
const updated = event('evt_4kYw0a7QwE3e9', 'payment.update', returnedPayment.id)
const created = event('evt_4kYw0a7QwE3e8', 'payment_reversal.create', 'rvs_4kYwB3nT8uQe1', {
  diff: { before: null, after: { status: 'pending_approval' } },
})
const erased = event('evt_4kYw0a7QwE3e7', 'entity.update', 'ent_4kVa9TzP3mHsD', {
  diff: { before: null, after: null },
  data: {},
})
const timeline = reply({ data: [moment(at, 'event', 'payment.update')], missing: [], next_cursor: null })

const events = (reply: Replies[string], rest: Partial<Scene> = {}): Scene => ({
  at: '/events',
  replies: { 'GET /events': reply },
  ...rest,
})
const one = (reply: Replies[string]): Scene => ({
  at: `/events/${updated.id}`,
  replies: { 'GET /events/:id': reply, 'GET /timeline': timeline },
})

const bench = (over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: '/bench',
  replies: {
    'GET /simulate/people': reply({
      data: [
        { last4: '0100', title: 'Five mixed accounts', hint: 'one payable, one needs its number' },
        { last4: '0104', title: 'Knowledge questions', hint: 'three are asked' },
        { last4: '0106', title: 'Thin credit file', hint: 'discovery fails, 26001' },
        { last4: '0108', title: 'Refuses every number', hint: '16002' },
        { last4: '0109', title: 'Slow institutions', hint: '4 s; one never responds' },
        { last4: '0110', title: 'A returned payment', hint: 'three days later, 10009' },
      ],
    }),
    'GET /simulate/clock': reply({ now: new Date(NOW).toISOString(), ahead_seconds: 604_800 }),
    'GET /simulate/faults': reply({
      data: [{ target: 'rail', mode: 'failing', until: new Date(REAL_NOW + 80_000).toISOString() }],
    }),
    'GET /payments': listed(paymentList.slice(4, 9)),
    'POST /simulate/clock': reply({ now: new Date(NOW + 259_200_000).toISOString(), ahead_seconds: 864_000 }),
    'POST /simulate/faults': reply({
      target: 'network',
      mode: 'slow',
      until: new Date(REAL_NOW + 120_000).toISOString(),
    }),
    'POST /simulate/payments/:id': reply({ ...paymentList[4], status: 'sent' }),
    ...over,
  },
  ...rest,
})

export const sandboxScenes: Record<string, Record<string, Scene>> = {
  events: {
    plain: events(listed([updated, created, erased], { next: 'c_older' })),
    filtered: events(listed([updated]), { at: '/events?kind=payment&resource_id=pmt_4kYi8ZbT1mXcV' }),
    empty: events(listed([])),
    loading: events('never', { slow: true }),
    failing: events(failure(503)),
    forbidden: events(failure(403, 'FORBIDDEN')),
    stale: events([listed([updated]), failure(503)], { again: true }),
  },
  event: {
    changed: one(reply(updated)),
    created: one(reply(created)),
    erased: one(reply(erased)),
    missing: one(failure(404, 'NOT_FOUND')),
    forbidden: one(failure(403, 'FORBIDDEN')),
  },
  bench: {
    plain: bench(),
    moved: bench({}, { press: ['.card .chips .btn:nth-of-type(4)'] }),
    empty: bench({ 'GET /simulate/people': reply({ data: [] }), 'GET /payments': listed([]) }),
    partial: bench({ 'GET /simulate/people': failure(503), 'GET /simulate/faults': failure(503) }),
    loading: bench({ 'GET /simulate/people': 'never', 'GET /simulate/clock': 'never' }, { slow: true }),
    viewer: bench({}, { session: { user: userOf('Ines Farrow', 'viewer') } }),
    production: bench({}, { session: { environment: 'production', clock: null } }),
  },
}
