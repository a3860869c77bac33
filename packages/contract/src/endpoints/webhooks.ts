import { z } from 'zod'
import { webhookTypes } from '../events.js'
import { delivery, deliveryStatuses, webhook } from '../resources/webhook.js'
import { type Endpoint, type Family, metadataInput, paging } from './endpoint.js'
import * as examples from './examples.js'

const secret = z.string().min(1).max(1_024).nullable().optional()

const deliveries: Endpoint[] = [
  {
    method: 'POST',
    path: '/webhooks/:whk_id/rotate',
    summary: 'Change the secret or the token of a webhook',
    description:
      'For 24 hours `webhook-signature` holds a signature by the old secret too. The other headers change at once.',
    body: z.strictObject({ hmac_secret: secret, auth_token: secret }),
    answer: webhook,
    example: { request: { hmac_secret: 'a long random text' }, answer: examples.webhook },
  },
  {
    method: 'GET',
    path: '/webhooks/:whk_id/deliveries',
    summary: 'List what was sent to a webhook',
    query: { status: z.enum(deliveryStatuses), ...paging },
    answer: delivery,
    shape: 'list',
    example: { answer: [examples.delivery] },
  },
  {
    method: 'GET',
    path: '/webhooks/:whk_id/deliveries/:dlv_id',
    summary: 'Retrieve a delivery',
    answer: delivery,
    example: { answer: examples.delivery },
  },
  {
    method: 'POST',
    path: '/webhooks/:whk_id/deliveries/:dlv_id/redeliver',
    summary: 'Send one delivery again',
    description: 'At once, and by the whole schedule, also one that arrived.',
    answer: delivery,
    errors: ['INVALID_STATUS'],
    example: { answer: { ...examples.delivery, status: 'pending', attempts: 0, finished_at: null } },
  },
  {
    method: 'POST',
    path: '/webhooks/:whk_id/redeliver',
    summary: 'Send everything again that has not arrived since a time',
    description:
      'What was given up or called off, and what happened while the webhook was off. `queued` says how many events.',
    body: z.object({ since: z.iso.datetime() }),
    answer: z.object({ webhook_id: z.string(), since: z.string(), queued: z.int() }),
    errors: ['INVALID_STATUS'],
    example: {
      request: { since: '2026-03-02T00:00:00.000Z' },
      answer: { webhook_id: examples.webhook.id, since: '2026-03-02T00:00:00.000Z', queued: 12 },
    },
  },
]

const endpoints: Endpoint[] = [
  {
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    description:
      'Deliveries are POSTs, signed with `hmac_secret` over the timestamp and the body, and retried until an answer of 2xx.',
    body: z.object({
      type: z.enum([...webhookTypes] as [string, ...string[]]),
      url: z.url({ protocol: /^https$/ }),
      auth_token: secret,
      hmac_secret: secret,
      expand_event: z.boolean().optional(),
      metadata: metadataInput,
    }),
    answer: webhook,
    errors: ['MAX_WEBHOOK_METADATA_SIZE_EXCEEDED'],
    example: { request: { type: 'payment.update', url: 'https://lender.example/hooks' }, answer: examples.webhook },
  },
  {
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks',
    query: paging,
    answer: webhook,
    shape: 'list',
    example: { answer: [examples.webhook] },
  },
  {
    method: 'GET',
    path: '/webhooks/:whk_id',
    summary: 'Retrieve a webhook',
    answer: webhook,
    example: { answer: examples.webhook },
  },
  {
    method: 'PATCH',
    path: '/webhooks/:whk_id',
    summary: 'Switch a webhook on or off',
    body: z.strictObject({ status: z.enum(['active', 'disabled']) }),
    answer: webhook,
    example: { request: { status: 'active' }, answer: examples.webhook },
  },
  {
    method: 'DELETE',
    path: '/webhooks/:whk_id',
    summary: 'Delete a webhook',
    answer: z.null(),
    shape: 'gone',
    example: { answer: null },
  },
]

export const webhookFamily: Family = {
  name: 'Webhooks',
  about: 'Where events are sent. One type of event each. What is sent, and how to check it, is in docs/webhooks.md.',
  endpoints: [...endpoints, ...deliveries],
}
