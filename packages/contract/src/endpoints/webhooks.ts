import { z } from 'zod'
import { address, counting, endpoint, type Family, metadataInput, paging } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { webhookTypes } from '../events.js'
import {
  attempt,
  delivery,
  deliveryRequest,
  deliveryStatuses,
  hmacSecret,
  newWebhook,
  webhook,
  webhookStats,
  webhookTest,
} from '../resources/webhook.js'
import { dateText, timeText } from '../text.js'
import { versions } from '../versions.js'

const token = z.string().min(1).max(1_024).nullable().optional()

/** The maximum number of webhooks in a filter, and of deliveries to send again in one request. */
export const MAX_DELIVERY_IDS = 100

const dayOrTime = z.union([dateText(), timeText({ offset: true })])

const deliveryId = z.string().min(1).max(60)

export const deliveries = {
  listAllDeliveries: endpoint({
    method: 'GET',
    path: '/deliveries',
    summary: 'List the deliveries of all webhooks',
    description:
      'Returns the deliveries of every webhook, newest first. `status`, `id` and `webhook_id` can have several values each: ' +
      `at most ${MAX_DELIVERY_IDS} ids of deliveries and of webhooks. Deliveries of deleted webhooks are included.\n\n` +
      'A delivery that fails ends up to three days after it was created. With `ended_from_date`, `ended_to_date`, or a ' +
      '`sort` by `finished_at`, the list has only failed and canceled deliveries, sorted by the time at which they ' +
      'ended. These cannot be combined with `from_date`, `to_date`, `event_id`, or other values of `status`.',
    query: {
      status: z.enum(deliveryStatuses),
      id: z.string().describe('The id of a delivery'),
      webhook_id: z.string(),
      event_id: z.string(),
      ended_from_date: dayOrTime.describe(
        'Only deliveries that failed or were canceled on or after this day in UTC, or at or after this time',
      ),
      ended_to_date: dayOrTime.describe(
        'Only deliveries that failed or were canceled on or before this day in UTC, or before this time',
      ),
      ...paging,
      ...counting,
      sort: z
        .enum(['created_at', '-created_at', 'finished_at', '-finished_at'])
        .describe(
          '`created_at` and `finished_at` list the oldest items first. Default: `-finished_at` with `ended_from_date` or ' +
            '`ended_to_date`, otherwise `-created_at`. Both list the latest items first',
        ),
    },
    answer: delivery,
    shape: 'list',
    example: { answer: [examples.delivery] },
  }),
  redeliverSelected: endpoint({
    method: 'POST',
    path: '/deliveries/redeliver',
    summary: 'Send several deliveries again',
    description:
      'Queues each delivery immediately, with the full retry schedule, even if it was already delivered. Deliveries of ' +
      'webhooks that are disabled or deleted are not queued, and the response says why. If one of the ids does not ' +
      'exist, none is queued. A webhook can still be disabled before a queued delivery is sent, which cancels the ' +
      'delivery: `GET /deliveries?id=…` returns what happened to each.',
    body: z.strictObject({ ids: z.array(deliveryId).min(1).max(MAX_DELIVERY_IDS) }),
    answer: z.object({
      queued: z.int().describe('The number of deliveries that are queued'),
      deliveries: z
        .array(
          z.object({
            id: z.string(),
            queued: z.boolean(),
            reason: z
              .enum(['webhook_disabled', 'webhook_deleted'])
              .nullable()
              .describe('The reason that the delivery is not queued; null if it is'),
          }),
        )
        .describe('Each delivery once, in the order of the request'),
    }),
    errors: ['NOT_FOUND'],
    example: {
      request: { ids: [examples.delivery.id] },
      answer: { queued: 1, deliveries: [{ id: examples.delivery.id, queued: true, reason: null }] },
    },
  }),
  rotateWebhook: endpoint({
    method: 'POST',
    path: '/webhooks/:whk_id/rotate',
    scope: 'admin',
    summary: "Rotate a webhook's secret or token",
    description:
      'For 24 hours, `webhook-signature` also contains a signature with the old secret. The other headers change immediately.',
    body: z
      .strictObject({ hmac_secret: hmacSecret, auth_token: token })
      .refine(body => body.hmac_secret || body.auth_token, 'Send a new hmac_secret, a new auth_token, or both.'),
    answer: webhook,
    example: { request: { hmac_secret: 'Zt0r3vX9bq2Kd7LmPf4wHs6N' }, answer: examples.webhook },
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/webhooks/:whk_id/test',
    scope: 'admin',
    summary: 'Send a test request to a webhook',
    description:
      'Sends one signed request and waits at most 5 seconds for the response. In its body, `test` is true, and `id` and ' +
      '`event` are `test`. The request is not stored, is not repeated, and does not change the status of the webhook.',
    answer: webhookTest,
    example: {
      answer: { webhook_id: examples.webhook.id, delivered: true, response_status: 200, failure: null, ms: 84 },
    },
  }),
  listDeliveries: endpoint({
    method: 'GET',
    path: '/webhooks/:whk_id/deliveries',
    summary: 'List the deliveries of a webhook',
    query: { status: z.enum(deliveryStatuses), ...paging },
    answer: delivery,
    shape: 'list',
    example: { answer: [examples.delivery] },
  }),
  retrieveDelivery: endpoint({
    method: 'GET',
    path: '/webhooks/:whk_id/deliveries/:dlv_id',
    summary: 'Retrieve a delivery',
    answer: delivery,
    example: { answer: examples.delivery },
  }),
  retrieveDeliveryRequest: endpoint({
    method: 'GET',
    path: '/webhooks/:whk_id/deliveries/:dlv_id/request',
    summary: 'Retrieve the request of a delivery',
    description:
      'Returns the body and the headers of the last attempt. Includes the signature if the secret has not changed.',
    answer: deliveryRequest,
    example: {
      answer: {
        delivery_id: examples.delivery.id,
        attempt: 1,
        sent_at: examples.times.created_at,
        url: examples.webhook.url,
        headers: {
          'Content-Type': 'application/json',
          'webhook-id': examples.delivery.id,
          'webhook-timestamp': '1772463600',
          'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        },
        signed: true,
        body: `{"webhook_id":"${examples.webhook.id}","id":"${examples.delivery.resource_id}","type":"payment.update","op":"update"}`,
        erased: false,
      },
    },
  }),
  listAttempts: endpoint({
    method: 'GET',
    path: '/webhooks/:whk_id/deliveries/:dlv_id/attempts',
    summary: "List a delivery's attempts",
    description: 'Returns the latest 100 attempts of the last 30 days, newest first.',
    answer: attempt,
    shape: 'list',
    example: {
      answer: [
        {
          number: 1,
          at: examples.times.created_at,
          ms: 84,
          response_status: 200,
          failure: null,
          excerpt: '{"ok":true}',
        },
      ],
    },
  }),
  retrieveWebhookStats: endpoint({
    method: 'GET',
    path: '/webhooks/:whk_id/stats',
    summary: 'Count the deliveries of a webhook by hour or day',
    description: 'By default, covers the last 24 hours. The maximum is 31 days.',
    query: {
      bucket: z.enum(['hour', 'day']).describe('Default: `hour`'),
      from_date: paging.from_date,
      to_date: paging.to_date,
    },
    answer: webhookStats,
    example: {
      answer: {
        from: '2026-03-02T15:00:00.000Z',
        to: '2026-03-03T15:00:00.000Z',
        outcomes: { delivered: 41, failed: 0, canceled: 0 },
        bucket: 'hour',
        buckets: [{ at: '2026-03-02T15:00:00.000Z', delivered: 41, failed: 0, canceled: 0, p50_ms: 80, p95_ms: 210 }],
        paused_until: null,
        paused_by: null,
        failures_in_row: 0,
        failing_since: null,
        switch_off_at: null,
        switched_off_at: null,
        next_probe_at: null,
      },
    },
  }),
  redeliver: endpoint({
    method: 'POST',
    path: '/webhooks/:whk_id/deliveries/:dlv_id/redeliver',
    summary: 'Send a delivery again',
    description: 'Sends the delivery immediately, with the full retry schedule, even if it was already delivered.',
    answer: delivery,
    errors: ['INVALID_STATUS'],
    example: { answer: { ...examples.delivery, status: 'pending', attempts: 0, finished_at: null } },
  }),
  redeliverMissed: endpoint({
    method: 'POST',
    path: '/webhooks/:whk_id/redeliver',
    summary: 'Redeliver undelivered events since a given time',
    description:
      'Includes failed and canceled deliveries, and events that occurred while the webhook was disabled. `queued` is the number of events. With `dry_run`, the service counts the events without sending anything.',
    body: z.object({
      since: timeText(),
      until: timeText().nullable().optional().describe('Inclusive. Default: now'),
      dry_run: z.boolean().optional(),
    }),
    answer: z.object({ webhook_id: z.string(), since: z.string(), queued: z.int() }),
    errors: ['INVALID_STATUS'],
    example: {
      request: { since: '2026-03-02T00:00:00.000Z' },
      answer: { webhook_id: examples.webhook.id, since: '2026-03-02T00:00:00.000Z', queued: 12 },
    },
  }),
}

export const endpoints = {
  createWebhook: endpoint({
    method: 'POST',
    path: '/webhooks',
    scope: 'admin',
    summary: 'Create a webhook',
    description:
      'Deliveries are POST requests, signed with `hmac_secret` over the timestamp and the body, and retried until a 2xx ' +
      'response. A generated secret is returned only once; a repeated ' +
      'Idempotency-Key returns null.',
    body: z.object({
      type: z
        .string()
        .max(200, { abort: true, error: 'must be one of the event types, such as payment.update' })
        .refine(type => webhookTypes.has(type), 'must be one of the event types, such as payment.update')
        .meta({ enum: [...webhookTypes] }),
      url: address,
      auth_token: token,
      hmac_secret: hmacSecret,
      expand_event: z.boolean().optional(),
      store_responses: z
        .boolean()
        .optional()
        .describe(
          'If true, the service stores the first 512 bytes of each response for 30 days, encrypted. Default: false',
        ),
      api_version: z
        .enum(versions)
        .nullable()
        .optional()
        .describe("The API version of the events. Default: the team's version at the time of each delivery"),
      metadata: metadataInput('MAX_WEBHOOK_METADATA_SIZE_EXCEEDED'),
    }),
    answer: newWebhook,
    example: {
      request: { type: 'payment.update', url: 'https://lender.example/hooks', api_version: '2026-03-30' },
      answer: { ...examples.webhook, hmac_secret: 'whsec_…' },
    },
  }),
  listWebhooks: endpoint({
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks',
    description: '`status` can have several values. Deleted webhooks are not listed.',
    query: { status: z.enum(['active', 'requires_attention', 'disabled']), ...paging },
    answer: webhook,
    shape: 'list',
    example: { answer: [examples.webhook] },
  }),
  retrieveWebhook: endpoint({
    method: 'GET',
    path: '/webhooks/:whk_id',
    summary: 'Retrieve a webhook',
    answer: webhook,
    example: { answer: examples.webhook },
  }),
  updateWebhook: endpoint({
    method: 'PATCH',
    path: '/webhooks/:whk_id',
    scope: 'admin',
    summary: 'Update a webhook',
    description:
      'Enables or disables the webhook, and starts or stops storing the beginning of each response. `deleted` deletes the webhook, as `DELETE` does. The service itself sets `requires_attention`.',
    body: z
      .strictObject({
        status: z.enum(['active', 'disabled', 'deleted']).optional(),
        store_responses: z.boolean().optional(),
      })
      .refine(
        ({ status, store_responses }) => status !== undefined || store_responses !== undefined,
        'Send status, store_responses, or both.',
      ),
    answer: webhook,
    example: { request: { status: 'active' }, answer: examples.webhook },
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: '/webhooks/:whk_id',
    scope: 'admin',
    summary: 'Delete a webhook',
    answer: z.null(),
    shape: 'gone',
    example: { answer: null },
  }),
}

export const webhookFamily: Family = {
  name: 'Webhooks',
  about:
    'Your endpoints that receive events. Each one receives a single event type. docs/webhooks.md describes the deliveries and how to verify them.',
  endpoints: { ...endpoints, ...deliveries },
}
