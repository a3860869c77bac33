import { z } from 'zod'
import { date } from '../fields/shared.js'

/** An account that the rail holds for a team. It contains the team's own funds. */
export const managedAccount = z.object({
  id: z.string(),
  routing: z.string(),
  number: z.string().describe('The full account number. Use it to send money to the account'),
  current_balance: z.int().describe('In cents; negative if the account is overdrawn'),
  available_balance: z.int().describe('In cents, excluding pending amounts'),
})

export const managedTransaction = z.object({
  id: z.string(),
  description: z.string(),
  date,
  amount: z.int().describe('In cents: positive for deposits, negative for withdrawals'),
})
