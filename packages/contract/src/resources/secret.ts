import { z } from 'zod'
import { metadata, resourceError, timestamp } from '../fields/shared.js'

/** A value stored for forwarding. No response returns the value. */
export const secret = z.object({
  id: z.string(),
  metadata,
  status: z.enum(['active', 'deleted']),
  error: resourceError.nullable().optional(),
  created_at: timestamp,
  updated_at: timestamp,
})
