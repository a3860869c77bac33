import { z } from 'zod'
import { liabilityTypes } from './liability.js'
import { cents, recordStatuses, resourceError, timestamp } from './shared.js'

const record = { id: z.string(), account_id: z.string(), status: z.enum(recordStatuses) }
const tail = { error: resourceError.nullable(), created_at: timestamp, updated_at: timestamp }
const text = z.string().nullable()

/** What would settle a loan. */
export const payoff = z.object({
  ...record,
  amount: cents.nullable().describe('Cents; null until completed'),
  per_diem_amount: cents.nullable().describe('Cents that a further day adds'),
  term: z.int().nullable().describe('Days for which the amount holds'),
  ...tail,
})
export type Payoff = z.infer<typeof payoff>

const networks = ['visa', 'mastercard', 'amex', 'discover'] as const
const cardTypes = ['specific', 'generic', 'in_review'] as const

/** A design that a card has. */
const brand = z.object({
  id: z.string(),
  art_id: z.string().optional().describe('Only in 2024-04-04'),
  card_product_id: z.string().nullable().optional(),
  description: z.string().optional(),
  name: z.string(),
  issuer: z.string().optional(),
  network: z.enum(networks).optional(),
  network_tier: z.string().optional(),
  type: z.enum(cardTypes).optional(),
  url: z.string().describe('A picture of the card'),
  details: z.record(z.string(), z.unknown()).nullable().optional().describe('Rates in percent, fees in cents'),
})

/** Which card an account is. */
export const cardBrand = z.object({
  ...record,
  brands: z.array(brand).describe('Empty until completed'),
  source: z.enum(['network', 'method']).nullable(),
  shared: z.boolean(),
  last4: text,
  network: z.enum(networks).nullable().optional().describe('Only in 2024-04-04; later of each brand'),
  issuer: z.string().nullable().optional().describe('Only in 2024-04-04; later of each brand'),
  ...tail,
})
export type CardBrand = z.infer<typeof cardBrand>

/** A card as its issuer offers it. */
export const cardProduct = z.object({
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  type: z.enum(cardTypes),
  brands: z.array(
    z.object({
      id: z.string(),
      description: z.string(),
      network: z.enum(networks),
      network_tier: z.string(),
      default_image: z.string(),
    }),
  ),
  ...tail,
})
export type CardProduct = z.infer<typeof cardProduct>

const loanNumber = z.object({ number: text }).optional()

/** The fields of each type of debt that can be asked for in full. A card's verification value is named, and never known. */
export const sensitiveFields = {
  credit_card: ['billing_zip_code', 'number', 'exp_month', 'exp_year', 'cvv'],
  auto_loan: ['number'],
  mortgage: ['number'],
  personal_loan: ['number'],
  collection: ['number'],
} as const

/** Full numbers. Only the block of its type is there; what was not asked for is null. */
export const sensitive = z.object({
  ...record,
  type: z.enum(liabilityTypes).nullable().describe('Null, and no block, once consent to the account was withdrawn'),
  credit_card: z
    .object({ billing_zip_code: text, number: text, exp_month: text, exp_year: text, cvv: z.null() })
    .optional(),
  auto_loan: loanNumber,
  mortgage: loanNumber,
  personal_loan: loanNumber,
  collection: loanNumber,
  ...tail,
})
export type Sensitive = z.infer<typeof sensitive>

/** What can be said of how an account is used and paid, by the attribute's name. */
export const accountAttribute = z.object({
  ...record,
  attributes: z
    .record(
      z.string(),
      z.object({
        value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
        error: resourceError.nullable().optional().describe('Why there is no value; from 2026-03-30'),
      }),
    )
    .nullable()
    .describe('Null until completed'),
  ...tail,
})
export type AccountAttribute = z.infer<typeof accountAttribute>

export const instrumentTypes = ['card', 'network_token', 'inbound_achwire_payment'] as const

/** A way to move money from or to an account. Only the block of its type is not null. */
export const paymentInstrument = z.object({
  id: z.string(),
  account_id: z.string(),
  type: z.enum(instrumentTypes),
  card: z.object({ number: text, exp_month: text, exp_year: text, billing_zip_code: text }).nullable(),
  network_token: z.object({ token: text }).nullable(),
  inbound_achwire_payment: z.object({ account_number: text, routing_number: text }).nullable(),
  chargeable: z.boolean(),
  status: z.enum([...recordStatuses, 'closed']),
  ...tail,
})
export type PaymentInstrument = z.infer<typeof paymentInstrument>

/** What was bought with a card. Cents; `transaction_*` are those of the place where it was bought. */
export const transaction = z.object({
  id: z.string(),
  account_id: z.string(),
  status: z.enum(['pending', 'posted', 'voided']),
  descriptor: z.string(),
  merchant: z.object({ name: z.string(), logo: z.string().nullable() }).nullable(),
  merchant_category_code: z.string(),
  amount: z.int(),
  auth_amount: z.int(),
  currency_code: z.string(),
  transaction_amount: z.int(),
  transaction_auth_amount: z.int(),
  transaction_currency_code: z.string(),
  transacted_at: timestamp,
  posted_at: timestamp.nullable(),
  voided_at: timestamp.nullable(),
  original_txn_id: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Transaction = z.infer<typeof transaction>
