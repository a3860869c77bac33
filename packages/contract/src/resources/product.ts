import { z } from 'zod'
import { cents, recordStatuses, resourceError, timestamp } from './shared.js'

/** What an institution says is owed on an account. */
export const balance = z.object({
  id: z.string(),
  account_id: z.string(),
  status: z.enum(recordStatuses),
  amount: cents.nullable().describe('Cents; null until completed'),
  error: resourceError.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Balance = z.infer<typeof balance>
