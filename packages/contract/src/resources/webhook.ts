import { z } from 'zod'
import { versions } from '../versions.js'
import { eventType } from './event.js'
import { metadata, resourceError, timestamp } from './shared.js'

/** A secret in the format of Standard Webhooks. */
export const WHSEC = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** A secret that signs deliveries, in the form in which a customer sends it. */
export const hmacSecret = z
  .string()
  .min(24)
  .max(1_024)
  .refine(text => !text.startsWith('whsec_') || WHSEC.test(text), 'must be base64 after the prefix whsec_')
  .nullish()

export const webhook = z.object({
  id: z.string(),
  type: eventType,
  url: z.string(),
  metadata: metadata.nullable(),
  expand_event: z.boolean(),
  api_version: z.enum(versions).nullable().describe('The version of its events; null: the version of the team'),
  store_responses: z.boolean().describe('Stores the first 512 bytes of each response for 30 days, encrypted'),
  status: z.enum(['active', 'requires_attention', 'disabled', 'deleted']),
  error: resourceError.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})

/** A new webhook. Only this response shows a secret that the service generated. */
export const newWebhook = webhook.extend({
  hmac_secret: z.string().nullable().describe('Generated if none was sent, and returned only once; otherwise null'),
})

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'canceled'] as const

const failure = z
  .enum(['refused', 'lookup', 'timeout', 'connection', 'redirect'])
  .nullable()
  .describe('Why the last attempt failed, if there was no failing status')

/** One attempt at a delivery. */
export const attempt = z.object({
  number: z.int().min(1).describe('Attempts since the delivery was last queued'),
  at: timestamp,
  ms: z.int().min(0),
  response_status: z.int().nullable().describe('Null if there was no response'),
  failure: failure.describe('Why it failed, if there was no failing status'),
  excerpt: z
    .string()
    .nullable()
    .describe('The first 512 bytes of the response; null if there was none or if `store_responses` was off'),
})

/** The request of a delivery. */
export const deliveryRequest = z.object({
  delivery_id: z.string(),
  attempt: z.int().min(1).nullable().describe('The number of the last attempt; null if none is stored'),
  sent_at: timestamp.nullable().describe('When the last attempt was signed, in real time also in the sandbox'),
  url: z.string(),
  headers: z
    .record(z.string(), z.string())
    .describe('Those of the last attempt that identify the delivery. The token of `Authorization` is redacted'),
  signed: z
    .boolean()
    .describe('False if the headers have no signature: nothing was sent yet, or the secret or the data changed since'),
  body: z.string().describe('The exact text of the body'),
  erased: z.boolean().describe('True if the data was deleted since, so that the body is no longer what was sent'),
})

/** The outcomes of a webhook's deliveries. */
export const webhookStats = z.object({
  from: timestamp,
  to: timestamp,
  bucket: z.enum(['hour', 'day']),
  buckets: z
    .array(
      z.object({
        at: timestamp.describe('The beginning of the hour or day, UTC'),
        delivered: z.int(),
        failed: z.int().describe('Deliveries that were given up, also if they were redelivered later'),
        canceled: z.int().describe('Deliveries that are canceled now'),
        p50_ms: z.int().nullable().describe('Median time of the attempts; null if there were none'),
        p95_ms: z.int().nullable(),
      }),
    )
    .describe('Those with deliveries or attempts, oldest first'),
  paused_until: timestamp.nullable(),
  paused_by: z.enum(['endpoint', 'failures']).nullable().describe('`endpoint`: its answer named a time'),
  failures_in_row: z.int().describe('Deliveries in a row that were given up'),
  switch_off_after: z.int().describe('The webhook is switched off after this number in a row'),
  switched_off_at: timestamp.nullable().describe('When it was switched off, or changed after that'),
})

/** The delivery of an event to a webhook. */
export const delivery = z.object({
  id: z.string().describe('The same on every attempt: the `webhook-id` header'),
  webhook_id: z.string(),
  event_id: z.string(),
  type: eventType,
  resource_id: z.string().describe('The resource of the event'),
  status: z
    .enum(deliveryStatuses)
    .describe('`failed`: the last attempt failed. `canceled`: the webhook was disabled first. Both can be redelivered'),
  attempts: z.int().describe('Attempts since it was last queued'),
  response_status: z.int().nullable().describe('The status of the last attempt; null if there was no response'),
  failure,
  next_attempt_at: timestamp.nullable(),
  attempted_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
