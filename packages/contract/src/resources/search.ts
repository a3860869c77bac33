import { z } from 'zod'
import { timestamp } from '../fields/shared.js'

export const searchKinds = ['payment', 'person', 'account', 'session', 'webhook', 'request', 'event'] as const

/** A resource in search results. */
export const hit = z.object({
  kind: z.enum(searchKinds).describe('`person` is an entity, and `session` is an Opal session'),
  id: z.string(),
  title: z.string().describe('A name, an amount or a code'),
  hint: z
    .string()
    .nullable()
    .describe(
      'Distinguishes similar results, such as with the last four digits of an account and the name of its holder',
    ),
  status: z.string().nullable(),
  created_at: timestamp.describe('When the resource was created. Tells results of the same name apart'),
})

/** Search results. */
export const searchResults = z.object({ data: z.array(hit).describe('The results, grouped by kind, newest first') })
