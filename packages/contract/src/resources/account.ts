import { z } from 'zod'
import { metadata, resourceError, timestamp } from './shared.js'

export const liability = z.object({
  mch_id: z.string(),
  mask: z.string().nullable(),
  ownership: z.enum(['primary', 'authorized', 'joint', 'unknown']).nullable(),
  fingerprint: z.string().nullable(),
  type: z.string(),
  sub_type: z.string().nullable(),
  name: z.string().nullable(),
})

export const ach = z.object({ routing: z.string(), number: z.string(), type: z.enum(['checking', 'savings']) })

export const account = z.object({
  id: z.string(),
  holder_id: z.string(),
  status: z.enum(['active', 'processing', 'disabled', 'closed']),
  type: z.enum(['ach', 'liability']).nullable(),
  ach: ach.optional(),
  liability: liability.nullable().optional(),
  latest_verification_session: z.unknown(),
  products: z.array(z.string()),
  restricted_products: z.array(z.string()),
  error: resourceError.nullable(),
  metadata: metadata.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Account = z.infer<typeof account>
