import { z } from 'zod'
import { keyScopes } from '../fields/key-scopes.js'
import { ALL_INSTRUMENTS, capabilityKinds, identityMethods, mayGainValues, teamProducts } from '../fields/names.js'
import { cents, timestamp } from '../fields/shared.js'
import { MAX_DESCRIPTION_LENGTH } from '../money.js'
import { accountSharings } from '../session.js'
import { versions } from '../versions.js'

const link = z.string().nullable()

/** A team and its settings. */
export const team = z.object({
  id: z.string(),
  parent_id: z.string().nullable(),
  name: z.string(),
  legal_name: z.string().describe('The same as `name` if none was given'),
  ein: z.string().nullable().describe('Nine digits'),
  contacts: z.array(z.object({ name: z.string(), email: z.string(), type: z.string() })),
  address: z
    .object({
      line1: z.string(),
      line2: z.string().nullable().optional(),
      city: z.string(),
      state: z.string(),
      zipcode: z.string(),
      country: z.string(),
    })
    .nullable(),
  status: z.literal('active'),
  logo: link.describe('The same as `brand.logo`'),
  api_version: z
    .enum(versions)
    .optional()
    .describe('Returned only in versions up to 2025-12-01. The same as `version`'),
  keys: z
    .array(
      z.object({
        id: z.string(),
        type: z.literal('secret'),
        deleted: z.literal(false),
        created_at: timestamp,
        updated_at: timestamp,
        last_used_at: timestamp.nullable(),
      }),
    )
    .optional()
    .describe('Returned only in versions up to 2025-12-01. The active keys, without their values'),
  version: z
    .enum(versions)
    .describe('The default API version, for requests that do not set one. It can only move forward'),
  default_source_account: z
    .string()
    .nullable()
    .describe('The default source account, for releases that do not set one'),
  payment_description: z
    .string()
    .describe(`The description of the payments that a release creates; at most ${MAX_DESCRIPTION_LENGTH} characters`),
  allowed_origins: z.array(z.string()).describe('The origins on which elements can be embedded'),
  brand: z.object({
    name: z.string(),
    logo: link,
    primary_color: z.string().nullable(),
    support_url: link,
    privacy_url: link,
  }),
  appearance: z.enum(['light', 'dark', 'system']),
  products: z
    .array(z.enum([...teamProducts, ALL_INSTRUMENTS]))
    .describe(`\`${ALL_INSTRUMENTS}\` includes all three instruments. ${mayGainValues}`),
  identity_methods: z.array(z.enum(identityMethods)),
  forwarding_allow_list: z.array(z.string()),
  webhook_schedule: z.enum(['standard', 'long']),
  ach_destinations: z.boolean().describe('True if the team can send payments to ACH accounts'),
  limits: z.object({
    payment_amount_max: cents.nullable(),
    payments_per_month: z
      .int()
      .nullable()
      .describe(
        'The maximum number of payments that the team can create in a calendar month (UTC). Canceled payments do not count',
      ),
    sensitive_reads_per_day: z
      .int()
      .nullable()
      .describe(
        'The maximum number of SSNs and full account numbers that the API returns within 24 hours. Further requests return 429',
      ),
  }),
  require_encryption: z
    .boolean()
    .describe(
      'If true, the service rejects requests without `Service-MLE: jwe`. Only an encrypted request can enable it',
    ),
  default_encryption_key: z
    .string()
    .nullable()
    .describe(
      "The key that encrypts responses to requests that do not name one of the team's keys. See “Encryption keys”",
    ),
  phone_proof_days: z
    .int()
    .nullable()
    .describe(
      'The number of days for which a phone verification is valid for new tokens. If 0, a code is sent in every session. If null, a code is sent only once',
    ),
  account_sharing: z
    .enum(accountSharings)
    .nullable()
    .describe(
      'The accounts that the team sees after a person chose accounts on a screen. `chosen`: only those that the person chose. `all`: all that were found. Applies to tokens created later. If null, `chosen`, and `all` for tokens created through `/enveloped`',
    ),
  capabilities: z
    .array(
      z.object({
        kind: z
          .enum(capabilityKinds)
          .describe(`The kind of thing that \`name\` names, such as a product of a person. ${mayGainValues}`),
        name: z.string().describe('The name, such as `credit_score`'),
        available: z.boolean(),
        reason: z.string().nullable().describe('The reason that it is not available, as a sentence. Otherwise null'),
      }),
    )
    .optional()
    .describe('What this service can offer with the providers that its operator configured. Omitted for child teams'),
  created_at: timestamp,
  updated_at: timestamp,
})

/** A secret key, without its value. */
export const key = z.object({
  id: z.string(),
  last4: z.string(),
  scopes: z.array(z.enum(keyScopes)).describe('The permissions of the key'),
  created_by: z
    .string()
    .nullable()
    .describe('The id of the key or the console user that created this key; null if the operator created it'),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
})

/** A new secret key. Only this response includes the key's value. */
export const newKey = key.extend({
  value: z
    .string()
    .nullable()
    .describe('The key, `sk_…`. Returned only once; null if a repeated Idempotency-Key replays the response'),
})

/** A new child team, with its first key. */
export const newTeam = team.extend({ key: newKey })
