import { z } from 'zod'
import { versions } from '../versions.js'
import { cents, timestamp } from './shared.js'

const link = z.string().nullable()

/** A team and what it can set for itself. */
export const team = z.object({
  id: z.string(),
  parent_id: z.string().nullable(),
  name: z.string(),
  version: z.enum(versions).describe('What is spoken where a request names no version; it only moves forward'),
  default_source_account: z.string().nullable().describe('Pays a release that names no source'),
  payment_description: z.string().describe('Of the payments of a release; at most 10 characters'),
  allowed_origins: z.array(z.string()).describe('Where elements may be embedded'),
  brand: z.object({
    name: z.string(),
    logo: link,
    primary_color: z.string().nullable(),
    support_url: link,
    privacy_url: link,
  }),
  appearance: z.enum(['light', 'dark', 'system']),
  products: z.array(z.string()),
  identity_methods: z.array(z.string()),
  forwarding_allow_list: z.array(z.string()),
  webhook_schedule: z.enum(['standard', 'long']),
  ach_destinations: z.boolean().describe('Whether payments may go to ach accounts'),
  limits: z.object({
    payment_amount_max: cents.nullable(),
    payments_per_month: z
      .int()
      .nullable()
      .describe('Of a month in UTC: those that the team made, canceled ones left out'),
  }),
  default_encryption_key: z
    .string()
    .nullable()
    .describe('Encrypts answers to requests that name no key of the team: see encryption keys'),
  phone_proof_days: z
    .int()
    .nullable()
    .describe('A returning person shows a code again after so many days; null: never'),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Team = z.infer<typeof team>

/** A secret key, without its value. */
export const key = z.object({
  id: z.string(),
  last4: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
})

/** A new secret key: the one answer that shows its value. */
export const newKey = key.extend({ value: z.string().describe('`sk_…`, shown this once') })
