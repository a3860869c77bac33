import { z } from 'zod'
import { date } from './shared.js'

/** An account that the rail keeps for a team: its own money, and no person's. */
export const managedAccount = z.object({
  id: z.string(),
  routing: z.string(),
  number: z.string().describe('In full: money is sent to it'),
  current_balance: z.int().describe('Cents; below zero where it is overdrawn'),
  available_balance: z.int().describe('Cents, without what has not cleared'),
})

export const managedTransaction = z.object({
  id: z.string(),
  description: z.string(),
  date,
  amount: z.int().describe('Cents: positive came in, negative went out'),
})
