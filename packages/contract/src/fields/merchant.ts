import { z } from 'zod'
import { mayGainValues } from './names.js'

/** Merchant types. Source: contract, merchants. */
export const merchantTypes = [
  'auto_loan',
  'bank',
  'bnpl',
  'business_loan',
  'city',
  'collection',
  'county',
  'credit_builder',
  'credit_card',
  'electric_utility',
  'fintech',
  'home_equity_loan',
  'home_loan',
  'insurance',
  'internet_utility',
  'loan',
  'medical',
  'mortgage',
  'personal_loan',
  'student_loan',
  'student_loans',
  'subscription',
  'telephone_utility',
  'television_utility',
  'unknown',
  'utility',
  'waste_utility',
  'water_utility',
] as const

/**
 * The creditor of a debt. There is one merchant for each product of an institution, and all teams see the same
 * merchants.
 */
export const merchant = z.object({
  id: z.string(),
  parent_name: z.string(),
  name: z.string(),
  logo: z.string().nullable(),
  type: z.enum(merchantTypes).describe(`\`unknown\` if the network reports none of the other types. ${mayGainValues}`),
  provider_ids: z.object({
    plaid: z.array(z.string()),
    mx: z.array(z.string()),
    finicity: z.array(z.string()),
    dpp: z.array(z.string()),
    rpps: z.array(z.string()),
  }),
  is_temp: z.boolean(),
  account_number_formats: z.array(z.string()).describe('The formats of account numbers, with a `#` for each digit'),
})
export type Merchant = z.infer<typeof merchant>
