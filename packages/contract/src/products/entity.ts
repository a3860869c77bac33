import { z } from 'zod'
import { identityMethods, productName, subscriptionName } from '../fields/names.js'
import { metadata, pointer, resourceError, timestamp } from '../fields/shared.js'
import { entityVerificationSession } from '../methods/verification.js'
import { entityExpanded, entityPointers } from './of-entities.js'

export const entityTypes = ['individual', 'corporation'] as const
export const entityStatuses = ['active', 'incomplete', 'disabled'] as const
/** Kinds of corporations. Only versions before 2024-04-04 distinguish these kinds. */
export const corporationKinds = ['c_corporation', 's_corporation', 'llc', 'partnership', 'sole_proprietorship'] as const

/** The default kind of a corporation. */
export const ANY_KIND = 'c_corporation'

const blank = z.string().nullable()

export const address = z.object({ line1: blank, line2: blank, city: blank, state: blank, zip: blank })

export const individual = z.object({
  first_name: blank,
  last_name: blank,
  phone: blank.describe('A United States number in E.164 format'),
  dob: blank.describe('YYYY-MM-DD'),
  email: blank,
  ssn: z.null().describe('Never returned'),
  ssn_4: blank.describe('Masked as `xxxx`; null if unknown'),
})

const corporation = z.object({
  name: z.string(),
  dba: blank.describe('The trade name'),
  ein: blank.describe('Nine digits'),
  owners: z.array(z.record(z.string(), z.unknown())),
})

const proof = z.object({
  verified: z.boolean(),
  matched: z.boolean().optional().describe("True if the entity's details match exactly one person"),
  latest_verification_session: pointer(entityVerificationSession),
  methods: z.array(z.enum(identityMethods)).describe('The methods that are still available; empty after verification'),
})

export const entity = z.object({
  id: z.string(),
  type: z.enum(entityTypes).nullable().describe('Null after consent is withdrawn'),
  individual: individual.nullable().optional(),
  corporation: corporation.nullable().optional(),
  address: z.union([address, z.strictObject({})]),
  status: z.enum(entityStatuses),
  verification: z.object({ identity: proof, phone: proof }).nullable(),
  ...entityPointers,
  ...entityExpanded,
  products: z.array(productName).optional(),
  restricted_products: z.array(productName).optional(),
  subscriptions: z.array(subscriptionName).optional(),
  available_subscriptions: z.array(subscriptionName).optional(),
  restricted_subscriptions: z.array(subscriptionName).optional(),
  error: resourceError.nullable(),
  metadata: metadata.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
