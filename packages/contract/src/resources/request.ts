import { z } from 'zod'
import { type ErrorSubType, errors } from '../errors.js'
import { mayGainValues } from '../fields/names.js'
import { timestamp } from '../fields/shared.js'
import { versions } from '../versions.js'

/** The listeners that accept requests. */
export const requestSources = ['api', 'console'] as const
/** Possible outcomes for a request's `Idempotency-Key`. */
const idempotencyOutcomes = ['stored', 'replayed', 'mismatch', 'bypassed'] as const
export const requestOutcomes = ['succeeded', 'failed'] as const

const subType = z.enum(Object.keys(errors) as ErrorSubType[])
const redacted = z
  .unknown()
  .describe(
    'The JSON body. Numbers, booleans, ids, times and enum values are stored; all other text is `[redacted]`. Null if there was no body, and after 7 days',
  )

/** A request in the log. Requests are kept for 30 days. */
export const request = z.object({
  id: z.string().describe('The `Request-Id` of the response'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  route: z.string().describe('The path with parameter names, such as `/payments/:pmt_id`'),
  status: z.int(),
  sub_type: subType
    .nullable()
    .describe(`The \`sub_type\` of the error; null if the request succeeded. ${mayGainValues}`),
  ms: z.int().min(0).describe('The duration of the request in milliseconds'),
  version: z
    .enum(versions)
    .nullable()
    .describe('Null if the request was rejected before the service determined its version'),
  actor: z.string().describe('The id of the key or the handle of the token that made the request'),
  source: z.enum(requestSources),
  idempotency: z.enum(idempotencyOutcomes),
  resource_ids: z.array(z.string()).describe('Ids in the path, the request body and the response'),
  created_at: timestamp,
})

/** A logged request, including the request and response bodies. */
export const requestDetail = request.extend({ request: redacted, response: redacted })

/** Request counts for a period. */
export const requestStats = z.object({
  from: timestamp,
  to: timestamp,
  bucket: z.enum(['hour', 'day']),
  buckets: z
    .array(
      z.object({
        at: timestamp.describe('The start of the hour or day, in UTC'),
        count: z.int(),
        by_status: z
          .record(z.string(), z.int())
          .describe('The number of requests by status class: `2xx`, `4xx` and `5xx`'),
        p50_ms: z.int(),
        p95_ms: z.int(),
      }),
    )
    .describe('The hours or days that had requests, oldest first'),
  top_errors: z.array(z.object({ sub_type: subType, count: z.int() })).describe('The ten most frequent errors'),
})
