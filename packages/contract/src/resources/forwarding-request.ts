import { z } from 'zod'
import { metadata, timestamp } from '../fields/shared.js'

export const forwardingMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const status = z.enum(['processing', 'completed', 'failed'])

/**
 * A request sent once to an external server. The service inserts secret values that the team never sees.
 */
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
    .describe('The request as you sent it, with the templates instead of their values'),
  response: z
    .object({
      status_code: z.int().nullable().describe('Null if there was no response'),
      headers: z.record(z.string(), z.string()),
      body: z
        .unknown()
        .describe(
          'The parsed JSON. The text if the body is not JSON, if parsing would lose repeated members or digits of a number, or if it is nested more than 32 levels deep',
        ),
    })
    .describe('If the destination repeats a value that a template inserted, the template is shown instead'),
  duration_ms: z.int().nullable(),
  status: status.describe('`completed`: the destination responded, with any HTTP status'),
  status_history: z.array(z.object({ status, timestamp })),
  metadata: metadata.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
