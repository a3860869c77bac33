import { z } from 'zod'
import { metadata, resourceError, timestamp } from './shared.js'

const blank = z.string().nullable()

export const address = z.object({ line1: blank, line2: blank, city: blank, state: blank, zip: blank })

export const individual = z.object({
  first_name: blank,
  last_name: blank,
  phone: blank.describe('E.164, United States'),
  dob: blank.describe('YYYY-MM-DD'),
  email: blank,
  ssn: z.null().describe('Never returned'),
  ssn_4: blank.describe('`xxxx` where known'),
})

const proof = z.object({
  verified: z.boolean(),
  matched: z.boolean().optional(),
  latest_verification_session: z.unknown(),
  methods: z.array(z.string()),
})

export const entity = z.object({
  id: z.string(),
  type: z.enum(['individual', 'corporation']).nullable(),
  individual: individual.nullable().optional(),
  address: z.union([address, z.object({}).strict()]),
  status: z.enum(['active', 'incomplete', 'disabled']),
  verification: z.object({ identity: proof, phone: proof }).nullable(),
  connect: z.unknown(),
  credit_score: z.unknown(),
  attribute: z.unknown(),
  vehicle: z.unknown(),
  products: z.array(z.string()),
  restricted_products: z.array(z.string()),
  subscriptions: z.array(z.string()),
  available_subscriptions: z.array(z.string()),
  restricted_subscriptions: z.array(z.string()),
  error: resourceError.nullable(),
  metadata: metadata.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Entity = z.infer<typeof entity>
