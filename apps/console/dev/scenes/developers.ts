/** Scenes for requests, webhooks and webhook deliveries. */
import type { Delivery, WebhookTest } from '@causeway/sdk'
import { failure, listed, type Replies, reply } from '../fake.js'
import {
  acceptedRequest,
  ago,
  attempts,
  deliveries,
  deliveryRequest,
  disabledWebhook,
  emptyStats,
  failedRequest,
  healthyWebhook,
  rejectedRequest,
  replayedRequest,
  requests,
  selectedDelivery,
  stats,
  webhook,
} from '../fixtures/developers.js'
import { moment, userOf } from '../fixtures/people.js'
import type { Scene } from '../mount.js'

const caused = reply({
  data: [
    moment('2026-03-10T14:40:06.000Z', 'event', 'payment.create'),
    moment('2026-03-10T14:40:06.000Z', 'request', 'POST /opal/sessions/:id', { status: 200 }),
  ],
  missing: [],
  next_cursor: null,
})
const nothing = reply({ data: [], missing: [], next_cursor: null })

const request = (reply: Replies[string], timeline: Replies[string] = nothing, rest: Partial<Scene> = {}): Scene => ({
  at: `/requests/${rejectedRequest.id}`,
  replies: { 'GET /requests/:id': reply, 'GET /timeline': timeline },
  ...rest,
})

const list = (reply: Replies[string], rest: Partial<Scene> = {}): Scene => ({
  at: '/requests',
  replies: { 'GET /requests': reply },
  ...rest,
})

const pending = deliveries.filter(({ status }) => status === 'pending')

const hook = (over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: `/webhooks/${webhook.id}?delivery=${selectedDelivery}`,
  replies: {
    'GET /webhooks/:id': reply(webhook),
    'GET /webhooks/:id/stats': reply(stats),
    'GET /webhooks/:id/deliveries': listed(deliveries, { next: 'c_older' }),
    'GET /deliveries': listed(pending),
    'GET /webhooks/:id/deliveries/:dlv/request': reply(deliveryRequest),
    'GET /webhooks/:id/deliveries/:dlv/attempts': listed(attempts),
    'POST /webhooks/:id/redeliver': reply({ webhook_id: webhook.id, since: '2026-03-10T12:00:00.000Z', queued: 49 }),
    'POST /webhooks/:id/deliveries/:dlv/redeliver': reply(deliveries[4]),
    'POST /webhooks/:id/test': reply({
      webhook_id: webhook.id,
      delivered: true,
      response_status: 204,
      failure: null,
      ms: 84,
    } satisfies WebhookTest),
    'POST /webhooks/:id/rotate': reply(webhook),
    'PATCH /webhooks/:id': reply(disabledWebhook),
    ...over,
  },
  ...rest,
})

const failedYesterday = deliveries
  .filter(({ status }) => status === 'failed')
  .map(each => ({ ...each, attempted_at: ago(86_400), finished_at: ago(86_400), created_at: ago(3 * 86_400) }))

const sent = (rows: Replies[string], rest: Partial<Scene> = {}, over: Replies = {}): Scene => ({
  at: '/deliveries',
  replies: {
    'GET /deliveries': rows,
    'GET /webhooks': listed([webhook, healthyWebhook]),
    'POST /deliveries/redeliver': reply(resent(0)),
    ...over,
  },
  ...rest,
})

/** The deliveries that a user sends again, as they were before. */
const selected = deliveries.slice(4, 8)

/** The response to a request to send them again, of which the last ones are not queued. */
const resent = (unsent: number) => ({
  queued: selected.length - unsent,
  deliveries: selected.map(({ id }, index) => {
    const queued = index < selected.length - unsent
    return { id, queued, reason: queued ? null : 'webhook_disabled' }
  }),
})

const outcomes: readonly Partial<Delivery>[] = [
  { status: 'delivered', attempts: 1, response_status: 204, failure: null },
  { status: 'pending', attempts: 1, response_status: 503, failure: null, next_attempt_at: ago(-5) },
  { status: 'canceled', attempts: 0, response_status: null, failure: null },
]
/** What happened to those that were queued. */
const outcomesOfResent = listed(outcomes.map((outcome, index) => ({ ...selected[index], ...outcome })))

export const developerScenes: Record<string, Record<string, Scene>> = {
  request: {
    refused: request(reply(rejectedRequest)),
    accepted: request(reply(acceptedRequest), caused),
    replayed: request(reply(replayedRequest), caused),
    broken: request(reply(failedRequest)),
    missing: request(failure(404, 'NOT_FOUND')),
    forbidden: request(failure(403, 'FORBIDDEN')),
    partial: request(reply(rejectedRequest), failure(503)),
  },
  requests: {
    plain: list(listed(requests, { next: 'c_older' })),
    filtered: list(listed([rejectedRequest]), { at: '/requests?outcome=failed&sub_type=INVALID_AMOUNT' }),
    empty: list(listed([])),
    no_match: list(listed([]), { at: '/requests?outcome=failed' }),
    loading: list('never', { slow: true }),
    failing: list(failure(503)),
    forbidden: list(failure(403, 'FORBIDDEN')),
    stale: list([listed(requests), failure(503)], { again: true }),
  },
  webhook: {
    failing: hook(),
    calm: hook(
      {
        'GET /webhooks/:id': reply(healthyWebhook),
        'GET /webhooks/:id/stats': reply(emptyStats),
        'GET /webhooks/:id/deliveries': listed(deliveries.filter(({ status }) => status === 'delivered')),
      },
      { at: `/webhooks/${healthyWebhook.id}` },
    ),
    off: hook({
      'GET /webhooks/:id': reply(disabledWebhook),
      'GET /webhooks/:id/stats': reply({ ...stats, switch_off_at: null, next_probe_at: '2026-03-10T15:20:00.000Z' }),
    }),
    empty: hook(
      {
        'GET /webhooks/:id': reply(healthyWebhook),
        'GET /webhooks/:id/stats': reply({ ...emptyStats, buckets: [] }),
        'GET /webhooks/:id/deliveries': listed([]),
      },
      { at: `/webhooks/${healthyWebhook.id}` },
    ),
    off_engineer: hook(
      { 'GET /webhooks/:id': reply(disabledWebhook) },
      { session: { user: userOf('Ines Farrow', 'engineer') } },
    ),
    switching_off: hook({}, { press: ['.head .btn:last-of-type'] }),
    viewer: hook({}, { session: { user: userOf('Ines Farrow', 'viewer') } }),
    partial: hook({
      'GET /webhooks/:id/stats': failure(503),
      'GET /webhooks/:id/deliveries/:dlv/attempts': failure(503),
    }),
    loading: hook({ 'GET /webhooks/:id/stats': 'never', 'GET /webhooks/:id/deliveries': 'never' }, { slow: true }),
    missing: hook({ 'GET /webhooks/:id': failure(404, 'NOT_FOUND') }),
  },
  deliveries: {
    plain: sent(listed(deliveries, { next: 'c_older' })),
    selected: sent(listed(deliveries), { press: ['tbody tr:nth-child(5) input', 'tbody tr:nth-child(6) input'] }),
    yesterday: sent(listed(failedYesterday), {
      at: '/deliveries?status=failed&ended_from=2026-03-09&ended_to=2026-03-09',
    }),
    none_yesterday: sent(listed([]), { at: '/deliveries?status=failed&ended_from=2026-03-09&ended_to=2026-03-09' }),
    resent: sent(
      [listed(deliveries), listed(deliveries), outcomesOfResent, listed(deliveries)],
      {
        press: [
          'tbody tr:nth-child(5) input',
          'tbody tr:nth-child(6) input',
          'tbody tr:nth-child(7) input',
          'tbody tr:nth-child(8) input',
          '.select-bar .btn',
        ],
      },
      { 'POST /deliveries/redeliver': reply(resent(1)) },
    ),
    of_endpoint: sent(listed(deliveries), { at: `/deliveries?endpoint=${webhook.id}` }),
    viewer: sent(listed(deliveries), { session: { user: userOf('Ines Farrow', 'viewer') } }),
    empty: sent(listed([])),
    no_match: sent(listed([]), { at: '/deliveries?status=failed' }),
    failing: sent(failure(503)),
  },
  webhooks: {
    plain: { at: '/webhooks', replies: { 'GET /webhooks': listed([webhook, disabledWebhook, healthyWebhook]) } },
    creating: {
      at: '/webhooks',
      replies: {
        'GET /webhooks': listed([webhook]),
        'POST /webhooks': reply({ ...healthyWebhook, hmac_secret: 'whsec_x' }),
        'GET /webhooks/:id': reply(healthyWebhook),
      },
      press: ['.head .btn'],
    },
    empty: { at: '/webhooks', replies: { 'GET /webhooks': listed([]) } },
    failing: { at: '/webhooks', replies: { 'GET /webhooks': failure(503) } },
    forbidden: { at: '/webhooks', replies: { 'GET /webhooks': failure(403, 'FORBIDDEN') } },
  },
}
