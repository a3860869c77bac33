import { z } from 'zod'
import { sessionMethods } from '../fields/names.js'
import { resourceError, timestamp } from '../fields/shared.js'
import { sessionBlocks } from './method.js'
import { accountMethods } from './of-accounts.js'
import { entityMethods } from './of-entities.js'

const common = { error: resourceError.nullable(), created_at: timestamp, updated_at: timestamp }

const verificationStatuses = ['pending', 'in_progress', 'verified', 'failed'] as const

/** A phone or identity verification. Only the block for the session's method is present. */
export const entityVerificationSession = z.object({
  id: z.string(),
  entity_id: z.string(),
  status: z.enum(verificationStatuses),
  type: z.enum(['phone', 'identity']),
  method: z.enum(sessionMethods),
  ...sessionBlocks(entityMethods),
  ...common,
})

/** An account verification. Only the block for the session's type is present. */
export const accountVerificationSession = z.object({
  id: z.string(),
  account_id: z.string(),
  status: z.enum(verificationStatuses),
  type: z.enum(accountMethods.map(({ name }) => name)),
  ...sessionBlocks(accountMethods),
  ...common,
})
