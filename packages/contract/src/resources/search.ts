import { z } from 'zod'

export const searchKinds = ['payment', 'person', 'account', 'session', 'webhook', 'request', 'event'] as const

/** A resource in the results of a search. */
export const hit = z.object({
  kind: z.enum(searchKinds).describe('`person` is an entity, `session` an Opal session'),
  id: z.string(),
  title: z.string().describe('A name, an amount or a code'),
  hint: z.string().nullable().describe('Tells similar results apart, such as the last four digits of an account'),
  status: z.string().nullable(),
})

/** The results of a search. */
export const searchResults = z.object({ data: z.array(hit).describe('By kind, newest first') })
