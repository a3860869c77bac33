import { z } from 'zod'
import { type ErrorSubType, errors } from '../errors.js'
import { versions } from '../versions.js'
import { growing } from './names.js'
import { timestamp } from './shared.js'

/** The listeners that accept requests. */
export const requestSources = ['api', 'console'] as const
/** Outcomes of a request's Idempotency-Key. */
const idempotencyOutcomes = ['stored', 'replayed', 'mismatch', 'bypassed'] as const
export const requestOutcomes = ['succeeded', 'failed'] as const

const subType = z.enum(Object.keys(errors) as ErrorSubType[])
const redacted = z
  .unknown()
  .describe(
    'JSON. Only numbers, flags, ids, times and values of lists are kept; every other text is `[redacted]`. Null after 7 days, and where there is none',
  )

/** A request in the log, which is kept for 30 days. */
export const request = z.object({
  id: z.string().describe('The `Request-Id` of its answer'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  route: z.string().describe('The path with the names of its parameters, such as `/payments/:pmt_id`'),
  status: z.int(),
  sub_type: subType.nullable().describe(`The \`sub_type\` of its error; null if it succeeded. ${growing}`),
  ms: z.int().min(0).describe('Time to answer it'),
  version: z.enum(versions).nullable().describe('Null where it was refused before its version was read'),
  actor: z.string().describe('The id of the key, or the handle of the token'),
  source: z.enum(requestSources),
  idempotency: z.enum(idempotencyOutcomes),
  resource_ids: z.array(z.string()).describe('Ids in its path, its body and its answer'),
  created_at: timestamp,
})

/** A request with its bodies. */
export const requestDetail = request.extend({ request: redacted, response: redacted })

/** Counts of requests in a period. */
export const requestStats = z.object({
  from: timestamp,
  to: timestamp,
  bucket: z.enum(['hour', 'day']),
  buckets: z
    .array(
      z.object({
        at: timestamp.describe('The beginning of the hour or day, UTC'),
        count: z.int(),
        by_status: z.record(z.string(), z.int()).describe('Counts by `2xx`, `4xx` and `5xx`'),
        p50_ms: z.int(),
        p95_ms: z.int(),
      }),
    )
    .describe('Those with requests, oldest first'),
  top_errors: z.array(z.object({ sub_type: subType, count: z.int() })).describe('The ten most frequent'),
})
