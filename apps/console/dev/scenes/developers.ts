/** Scenes for requests, webhooks and webhook deliveries. */
import { fail, given, listed, type Replies } from '../fake.js'
import {
  accepted,
  attempts,
  broken,
  calm,
  deliveries,
  off,
  picked,
  quiet,
  refused,
  replayed,
  requests,
  sent,
  stats,
  webhook,
} from '../fixtures/developers.js'
import { moment } from '../fixtures/people.js'
import type { Scene } from '../mount.js'

const caused = given({
  data: [
    moment('2026-03-10T14:40:06.000Z', 'event', 'payment.create'),
    moment('2026-03-10T14:40:06.000Z', 'request', 'POST /opal/sessions/:id', { status: 200 }),
  ],
  missing: [],
  next_cursor: null,
})
const nothing = given({ data: [], missing: [], next_cursor: null })

const request = (reply: Replies[string], timeline: Replies[string] = nothing, rest: Partial<Scene> = {}): Scene => ({
  at: `/requests/${refused.id}`,
  replies: { 'GET /requests/:id': reply, 'GET /timeline': timeline },
  ...rest,
})

const list = (reply: Replies[string], rest: Partial<Scene> = {}): Scene => ({
  at: '/requests',
  replies: { 'GET /requests': reply },
  ...rest,
})

const hook = (over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: `/webhooks/${webhook.id}?delivery=${picked}`,
  replies: {
    'GET /webhooks/:id': given(webhook),
    'GET /webhooks/:id/stats': given(stats),
    'GET /webhooks/:id/deliveries': listed(deliveries, { next: 'c_older' }),
    'GET /webhooks/:id/deliveries/:dlv/request': given(sent),
    'GET /webhooks/:id/deliveries/:dlv/attempts': listed(attempts),
    'POST /webhooks/:id/redeliver': given({ webhook_id: webhook.id, since: '2026-03-10T12:00:00.000Z', queued: 49 }),
    'POST /webhooks/:id/deliveries/:dlv/redeliver': given(deliveries[4]),
    'POST /webhooks/:id/test': given({}),
    'PATCH /webhooks/:id': given(off),
    ...over,
  },
  ...rest,
})

export const developerScenes: Record<string, Record<string, Scene>> = {
  request: {
    refused: request(given(refused)),
    accepted: request(given(accepted), caused),
    replayed: request(given(replayed), caused),
    broken: request(given(broken)),
    missing: request(fail(404, 'NOT_FOUND')),
    forbidden: request(fail(403, 'FORBIDDEN')),
    partial: request(given(refused), fail(503)),
  },
  requests: {
    plain: list(listed(requests, { next: 'c_older' })),
    filtered: list(listed([refused]), { at: '/requests?outcome=failed&sub_type=INVALID_AMOUNT' }),
    empty: list(listed([])),
    no_match: list(listed([]), { at: '/requests?outcome=failed' }),
    loading: list('never', { slow: true }),
    failing: list(fail(503)),
    forbidden: list(fail(403, 'FORBIDDEN')),
    stale: list([listed(requests), fail(503)], { again: true }),
  },
  webhook: {
    failing: hook(),
    calm: hook(
      {
        'GET /webhooks/:id': given(calm),
        'GET /webhooks/:id/stats': given(quiet),
        'GET /webhooks/:id/deliveries': listed(deliveries.filter(({ status }) => status === 'delivered')),
      },
      { at: `/webhooks/${calm.id}` },
    ),
    off: hook({ 'GET /webhooks/:id': given(off) }),
    empty: hook(
      {
        'GET /webhooks/:id': given(calm),
        'GET /webhooks/:id/stats': given({ ...quiet, buckets: [] }),
        'GET /webhooks/:id/deliveries': listed([]),
      },
      { at: `/webhooks/${calm.id}` },
    ),
    off_engineer: hook(
      { 'GET /webhooks/:id': given(off) },
      { session: { user: { name: 'Ines Farrow', role: 'engineer', operator: false } } },
    ),
    switching_off: hook({}, { press: ['.head .btn:last-of-type'] }),
    viewer: hook({}, { session: { user: { name: 'Ines Farrow', role: 'viewer', operator: false } } }),
    partial: hook({ 'GET /webhooks/:id/stats': fail(503), 'GET /webhooks/:id/deliveries/:dlv/attempts': fail(503) }),
    loading: hook({ 'GET /webhooks/:id/stats': 'never', 'GET /webhooks/:id/deliveries': 'never' }, { slow: true }),
    missing: hook({ 'GET /webhooks/:id': fail(404, 'NOT_FOUND') }),
  },
  webhooks: {
    plain: { at: '/webhooks', replies: { 'GET /webhooks': listed([webhook, off, calm]) } },
    empty: { at: '/webhooks', replies: { 'GET /webhooks': listed([]) } },
    failing: { at: '/webhooks', replies: { 'GET /webhooks': fail(503) } },
    forbidden: { at: '/webhooks', replies: { 'GET /webhooks': fail(403, 'FORBIDDEN') } },
  },
}
