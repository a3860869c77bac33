import { z } from 'zod'
import { metadata, timestamp } from './shared.js'

export const forwardingMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const status = z.enum(['processing', 'completed', 'failed'])

/** A request that was sent to somebody else once, with values put into it that the team never sees here. */
export const forwardingRequest = z.object({
  id: z.string(),
  bindings: z.record(z.string(), z.string()),
  request: z
    .object({
      url: z.string(),
      method: z.enum(forwardingMethods),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    })
    .describe('As it was given: templates are not filled'),
  response: z
    .object({
      status_code: z.int().nullable().describe('null where no answer came'),
      headers: z.record(z.string(), z.string()),
      body: z.unknown().describe('JSON where it is JSON, else text'),
    })
    .describe('Where the destination repeats a value that was filled in, its template stands instead'),
  duration_ms: z.int().nullable(),
  status: status.describe('completed: the destination answered, whatever it said'),
  status_history: z.array(z.object({ status, timestamp })),
  metadata: metadata.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
