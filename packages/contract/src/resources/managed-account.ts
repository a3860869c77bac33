import { z } from 'zod'
import { date } from './shared.js'

/** An account that the rail holds for a team. It contains the team's own money. */
export const managedAccount = z.object({
  id: z.string(),
  routing: z.string(),
  number: z.string().describe('The full number, for sending money to it'),
  current_balance: z.int().describe('Cents; negative if overdrawn'),
  available_balance: z.int().describe('Cents, without pending amounts'),
})

export const managedTransaction = z.object({
  id: z.string(),
  description: z.string(),
  date,
  amount: z.int().describe('Cents: positive for money in, negative for money out'),
})
