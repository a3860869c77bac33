import { z } from 'zod'
import { date, recordStatuses, resourceError, timestamp } from './shared.js'

const head = { id: z.string(), entity_id: z.string(), status: z.enum(recordStatuses) }
const tail = { error: resourceError.nullable(), created_at: timestamp, updated_at: timestamp }
const text = z.string().nullable()

export const score = z.object({
  score: z.int().min(300).max(850),
  source: z.enum(['equifax', 'experian', 'transunion']),
  model: z.enum(['vantage_3', 'vantage_4']),
  factors: z.array(
    z.object({ code: z.string().regex(/^\d{5}$/, 'must be five digits.'), description: z.string().max(500) }),
  ),
  created_at: timestamp,
})
export type Score = z.infer<typeof score>

/** What bureaus think of a person's credit. */
export const creditScore = z.object({ ...head, scores: z.array(score).nullable(), ...tail })
export type CreditScore = z.infer<typeof creditScore>

export const candidate = z.object({
  first_name: text,
  last_name: text,
  phone: text,
  dob: date.nullable(),
  address: z.object({ address: text, city: text, state: text, postal_code: text }),
  ssn: text.describe('Nine digits, in full'),
})
export type Candidate = z.infer<typeof candidate>

/** Everybody whom an entity's details fit. */
export const identity = z.object({ ...head, identities: z.array(candidate).nullable(), ...tail })
export type Identity = z.infer<typeof identity>

export const attributeValue = z.object({
  value: z.union([z.number(), z.string(), z.boolean()]).nullable(),
  error: resourceError.nullable().optional().describe('Why it could not be computed; from 2026-03-30 on'),
  rating: z.enum(['excellent', 'good', 'fair', 'needs_work']).nullable().optional().describe('Up to 2025-12-01'),
  metadata: z.record(z.string(), z.unknown()).nullable().optional(),
})
/** What can be computed about a person. */
export const entityAttribute = z.object({
  ...head,
  attributes: z.record(z.string(), attributeValue).nullable(),
  ...tail,
})
export type EntityAttributeRecord = z.infer<typeof entityAttribute>

export const vehicle = z.object({
  vin: text,
  year: text,
  make: text,
  model: text,
  series: text,
  major_color: text,
  style: text,
})
export type Vehicle = z.infer<typeof vehicle>
/** The vehicles of a person. */
export const vehicles = z.object({ ...head, vehicles: z.array(vehicle).nullable(), ...tail })
export type Vehicles = z.infer<typeof vehicles>

/** Accounts from a credit report that the team itself holds. */
export const manualConnect = z.object({
  ...head,
  accounts: z.array(z.object({ account_id: z.string(), external_id: text })).nullable(),
  ...tail,
})
export type ManualConnect = z.infer<typeof manualConnect>
