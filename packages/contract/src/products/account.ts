import { z } from 'zod'
import { liability } from '../fields/liability.js'
import { productName, subscriptionName } from '../fields/names.js'
import { metadata, pointer, resourceError, timestamp } from '../fields/shared.js'
import { accountVerificationSession } from '../methods/verification.js'
import { accountExpanded, accountPointers } from './of-accounts.js'

/** A bank account that belongs to the team or to someone whom the team pays. The account number is shown in full. */
const ach = z.object({
  routing: z.string(),
  number: z.string().nullable(),
  type: z.enum(['checking', 'savings']),
})

export const account = z.object({
  id: z.string(),
  holder_id: z.string(),
  status: z.enum(['active', 'processing', 'disabled', 'closed']),
  consent_status: z
    .enum(['approved', 'withdrawn', 'pending'])
    .describe(
      '`pending`: the account was found after the holder chose accounts in an element. Lists include it only on request',
    ),
  type: z.enum(['ach', 'liability']).nullable().describe('Null after consent is withdrawn'),
  ach: ach.nullable().optional(),
  liability: liability.nullable().optional(),
  latest_verification_session: pointer(accountVerificationSession).optional(),
  ...accountPointers,
  ...accountExpanded,
  products: z.array(productName),
  restricted_products: z.array(productName).describe('Products that the account supports but cannot use yet'),
  subscriptions: z.array(subscriptionName).optional(),
  available_subscriptions: z.array(subscriptionName).optional(),
  restricted_subscriptions: z.array(subscriptionName).optional(),
  error: resourceError.nullable(),
  metadata: metadata.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
