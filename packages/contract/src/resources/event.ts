import { z } from 'zod'
import { timestamp } from './shared.js'

const body = z.record(z.string(), z.unknown())

/** Something that changed. */
export const event = z.object({
  id: z.string(),
  type: z.string(),
  resource_id: z.string(),
  resource_type: z.string(),
  data: body.describe(
    'The resource as it was then, at the version of the request. Never a number, a name or an address',
  ),
  diff: z
    .object({ before: body.nullable(), after: body.nullable() })
    .describe('The fields that changed. `before` is null of something new; both are null once consent was withdrawn'),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Event = z.infer<typeof event>
