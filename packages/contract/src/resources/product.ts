import { z } from 'zod'
import { cents, resourceError, timestamp } from './shared.js'

export const recordStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const
const common = { error: resourceError.nullable(), created_at: timestamp, updated_at: timestamp }

export const connect = z.object({
  id: z.string(),
  entity_id: z.string(),
  status: z.enum(recordStatuses),
  accounts: z.array(z.unknown()).nullable(),
  requested_products: z.array(z.string()),
  requested_subscriptions: z.array(z.string()),
  ...common,
})
export type Connect = z.infer<typeof connect>

export const balance = z.object({
  id: z.string(),
  account_id: z.string(),
  status: z.enum(recordStatuses),
  amount: cents.nullable(),
  ...common,
})
export type Balance = z.infer<typeof balance>

export const update = z
  .object({
    id: z.string(),
    account_id: z.string(),
    status: z.enum(recordStatuses),
    source: z.enum(['direct', 'snapshot']),
    type: z.string(),
    data_as_of: timestamp.nullable(),
    ...common,
  })
  .catchall(z.unknown())
export type Update = z.infer<typeof update>

export const verificationStatuses = ['pending', 'in_progress', 'verified', 'failed'] as const
export const entityVerificationSession = z
  .object({
    id: z.string(),
    entity_id: z.string(),
    status: z.enum(verificationStatuses),
    type: z.enum(['phone', 'identity']),
    method: z.string(),
    ...common,
  })
  .catchall(z.unknown())
export type EntityVerificationSession = z.infer<typeof entityVerificationSession>

export const accountVerificationSession = z
  .object({
    id: z.string(),
    account_id: z.string(),
    status: z.enum(verificationStatuses),
    type: z.string(),
    ...common,
  })
  .catchall(z.unknown())
export type AccountVerificationSession = z.infer<typeof accountVerificationSession>
