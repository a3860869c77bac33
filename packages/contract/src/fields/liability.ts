import { z } from 'zod'
import { merchant } from './merchant.js'

/** The types of debt. Source: contract, liability types. */
export const liabilityTypes = [
  'credit_card',
  'auto_loan',
  'mortgage',
  'personal_loan',
  'student_loan',
  'student_loans',
  'loan',
  'bnpl',
  'collection',
  'credit_builder',
  'fintech',
  'insurance',
  'medical',
  'utility',
] as const

/** Returns the types that filters treat as equivalent to a type. A student loan has two names. */
export const sameLiability = (type: string): string[] =>
  type === 'student_loan' || type === 'student_loans' ? ['student_loan', 'student_loans'] : [type]

/** A debt as described by the institution and the bureau. */
export const liability = z.object({
  mch_id: z.union([z.string(), merchant]).describe('The merchant that holds the account'),
  mask: z.string().nullable().describe('The last four digits of the account number'),
  ownership: z.enum(['primary', 'authorized', 'joint', 'unknown']).nullable(),
  fingerprint: z
    .string()
    .nullable()
    .describe('Identifies the account. The same account has the same fingerprint in every team'),
  type: z.enum(liabilityTypes),
  sub_type: z.string().nullable(),
  name: z.string().nullable(),
})
