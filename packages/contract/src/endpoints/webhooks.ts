import { z } from 'zod'
import { webhookTypes } from '../events.js'
import { webhook } from '../resources/webhook.js'
import { type Endpoint, type Family, metadataInput, paging } from './endpoint.js'
import * as examples from './examples.js'

const secret = z.string().min(1).max(1_024).nullable().optional()

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
  about: 'Where events are sent. One type of event each.',
  endpoints,
}
