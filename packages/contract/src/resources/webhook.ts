import { z } from 'zod'
import { metadata, resourceError, timestamp } from '../fields/shared.js'
import { versions } from '../versions.js'
import { eventType } from './event.js'

/** A secret in Standard Webhooks format. */
export const STANDARD_SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** A secret with fewer characters is easier to guess. The root mount rejects it. */
export const STRONG_SECRET_LENGTH = 24

const isReadable = (text: string) => !text.startsWith('whsec_') || STANDARD_SECRET.test(text)
const unreadable = 'must be base64 after the whsec_ prefix'

/** A secret that a customer provides for signing deliveries. */
export const hmacSecret = z
  .string()
  .min(STRONG_SECRET_LENGTH)
  .max(1_024, { abort: true })
  .refine(isReadable, unreadable)
  .nullish()

/** A secret that the `/enveloped` mount accepts, because receivers there may already use it. */
export const weakHmacSecret = z
  .string()
  .min(1)
  .max(255, { abort: true })
  .refine(isReadable, unreadable)
  .nullish()
  .describe(
    `A secret with fewer than ${STRONG_SECRET_LENGTH} characters is accepted, and named in the \`Service-Warning\` header`,
  )

export const webhook = z.object({
  id: z.string(),
  type: eventType,
  url: z.string(),
  metadata: metadata.nullable(),
  expand_event: z.boolean(),
  api_version: z.enum(versions).nullable().describe("The API version of the events; null to use the team's version"),
  store_responses: z
    .boolean()
    .describe('If true, the service stores the first 512 bytes of each response for 30 days, encrypted'),
  weak_secret: z
    .boolean()
    .describe(
      `True if \`hmac_secret\` has fewer than ${STRONG_SECRET_LENGTH} characters. Only the \`/enveloped\` mount accepts such a secret. Rotate it`,
    ),
  status: z.enum(['active', 'requires_attention', 'disabled', 'deleted']),
  error: resourceError.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})

/** A new webhook. If the service generated the secret, only this response includes it. */
export const newWebhook = webhook.extend({
  hmac_secret: z
    .string()
    .nullable()
    .describe('The generated secret, returned only once. Null if you sent your own, or if the response is a replay'),
})

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'canceled'] as const

const failure = z
  .enum(['refused', 'lookup', 'timeout', 'connection', 'redirect', 'internal'])
  .nullable()
  .describe(
    'The reason that the last attempt failed; null if there was none, if it succeeded, or if the response status shows the reason. `internal`: the service gave up because of an error of its own',
  )

/** One delivery attempt. */
export const attempt = z.object({
  number: z.int().min(1).describe('The number of the attempt since the delivery was last queued'),
  at: timestamp,
  ms: z.int().min(0),
  response_status: z.int().nullable().describe('Null if there was no response'),
  failure: failure.describe(
    'The reason that the attempt failed; null if it succeeded or if the response status shows the reason',
  ),
  excerpt: z
    .string()
    .nullable()
    .describe('The first 512 bytes of the response; null if there was none or if `store_responses` was off'),
})

/** The outcome of a test request. */
export const webhookTest = z.object({
  webhook_id: z.string(),
  delivered: z.boolean().describe('True if the endpoint returned a 2xx status'),
  response_status: z.int().nullable().describe('Null if there was no response'),
  failure: failure.describe(
    'The reason that there was no valid response; null if the response status shows the reason',
  ),
  ms: z.int().min(0).describe('The time until the response, in ms'),
})

/** The HTTP request that delivers an event. */
export const deliveryRequest = z.object({
  delivery_id: z.string(),
  attempt: z.int().min(1).nullable().describe('The number of the last attempt; null if none is stored'),
  sent_at: timestamp.nullable().describe('When the last attempt was signed. This is real time, even in the sandbox'),
  url: z.string(),
  headers: z
    .record(z.string(), z.string())
    .describe(
      'The headers that identify the delivery, as sent in its last attempt. The `Authorization` token is redacted',
    ),
  signed: z
    .boolean()
    .describe(
      'False if the headers contain no signature, because nothing has been sent yet or because the secret or the data has changed since then',
    ),
  body: z.string().describe('The exact text of the body'),
  erased: z
    .boolean()
    .describe('True if the data was deleted after the attempt, so the body is no longer the one that was sent'),
})

/** Delivery outcomes for a webhook. */
export const webhookStats = z.object({
  from: timestamp,
  to: timestamp,
  outcomes: z
    .object({ delivered: z.int(), failed: z.int(), canceled: z.int() })
    .describe(
      'The deliveries that finished between `from` and `to`, each counted once by its current status. A failed delivery that was redelivered successfully counts as delivered',
    ),
  bucket: z.enum(['hour', 'day']),
  buckets: z
    .array(
      z.object({
        at: timestamp.describe('The start of the hour or day, in UTC'),
        delivered: z.int(),
        failed: z
          .int()
          .describe('The number of deliveries whose attempts all failed, including those that were redelivered later'),
        canceled: z.int().describe('The number of deliveries that are currently canceled'),
        p50_ms: z.int().nullable().describe('The median duration of the attempts; null if there were none'),
        p95_ms: z.int().nullable(),
      }),
    )
    .describe('The hours or days that had deliveries or attempts, oldest first'),
  paused_until: timestamp.nullable(),
  paused_by: z
    .enum(['endpoint', 'failures'])
    .nullable()
    .describe("`endpoint`: the endpoint's response specified how long to pause"),
  failures_in_row: z.int().describe('The number of consecutive deliveries whose attempts all failed'),
  failing_since: timestamp
    .nullable()
    .describe('The time of the first failed attempt since the last success; null if there was none'),
  switch_off_at: timestamp
    .nullable()
    .describe('The time from which a failed attempt disables the webhook, unless a delivery succeeds first'),
  switched_off_at: timestamp
    .nullable()
    .describe(
      'When the webhook was disabled or, if it was changed later, when it was last changed; null if it is not disabled',
    ),
  next_probe_at: timestamp
    .nullable()
    .describe(
      'When the service next tries the endpoint of a webhook that it disabled. If the endpoint accepts the request, the webhook is enabled and receives what it missed. Null if no attempt is planned',
    ),
})

/** A delivery of an event to a webhook. */
export const delivery = z.object({
  id: z.string().describe('The id of the delivery, sent as the `webhook-id` header. The same on every attempt'),
  webhook_id: z.string(),
  event_id: z.string(),
  type: eventType,
  resource_id: z.string().describe('The id of the resource that the event is about'),
  status: z
    .enum(deliveryStatuses)
    .describe(
      '`failed`: the last attempt failed. `canceled`: the webhook was disabled before the event was delivered. Both can be redelivered',
    ),
  attempts: z.int().describe('The number of attempts since the delivery was last queued'),
  response_status: z.int().nullable().describe('The status of the last attempt; null if there was no response'),
  failure,
  next_attempt_at: timestamp.nullable(),
  attempted_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
