import { z } from 'zod'
import { text as matching } from '../text.js'

const text = z.string().max(200).nullable()
const cents = z.int().min(0).nullable()
const day = matching({
  max: 10,
  pattern: /^\d{4}-\d\d-\d\d$/,
  error: 'must be a date in the format YYYY-MM-DD.',
}).nullable()

const tradeline = z.object({
  type_code: text,
  portfolio_type_code: text,
  designator_code: text,
  number: text,
  creditor_name: text,
  creditor_code: text,
  external_id: text.optional(),
  balance: cents,
  highest_balance: cents,
  credit_limit: cents,
  term: z.int().min(0).nullable().describe('In months'),
  next_payment_minimum_amount: cents,
  last_payment_amount: cents,
  past_due_amount: cents,
  delinquency_charge_off_amount: cents,
  opened_at: day,
  closed_at: day,
  last_activity_date: day,
  reported_date: day,
  next_payment_due_date: day,
  last_payment_date: day,
  delinquency_first_start_date: day,
  payment_history: z.array(z.string().max(20)).max(200).nullable(),
  narrative_codes: z
    .array(z.object({ code: text, description: text }))
    .max(100)
    .nullable(),
})

/** The tradelines of a credit report, as sent in the body of a manual connect. */
export const tradelines = z.object({
  bureau: z.enum(['equifax', 'transunion']),
  tradelines: z.array(tradeline).min(1).max(200),
})
