import { z } from 'zod'
import { metadata, resourceError, timestamp } from './shared.js'

export const webhook = z.object({
  id: z.string(),
  type: z.string(),
  url: z.string(),
  metadata: metadata.nullable(),
  expand_event: z.boolean(),
  status: z.enum(['active', 'requires_attention', 'disabled', 'deleted']),
  error: resourceError.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Webhook = z.infer<typeof webhook>
