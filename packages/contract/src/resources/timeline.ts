import { z } from 'zod'
import { timestamp } from './shared.js'

export const momentKinds = ['request', 'event', 'delivery', 'posting', 'person', 'staff'] as const

/** An entry of a timeline. */
export const moment = z.object({
  at: timestamp.describe('The time of a delivery is that of its event'),
  kind: z.enum(momentKinds),
  id: z.string(),
  what: z
    .string()
    .describe(
      'A code: the method and route of a request, the type of an event, the status that a posting was made for, the step of a person, the action of the audit log',
    ),
  status: z
    .union([z.int(), z.string()])
    .nullable()
    .describe('The status of a request or a delivery; the step of a person, if any'),
  actor: z.string().nullable().describe('A key, a token, the session of an operator in the console, or `operator`'),
  amount: z.int().nullable().describe('Cents of a posting'),
  refs: z.array(z.string()).describe('What it is about, or was caused by'),
  host: z.string().optional().describe('Of a delivery: the host of its webhook'),
  finished_at: timestamp
    .nullable()
    .optional()
    .describe('Of a delivery: when it arrived, was given up or was canceled; null while it is being delivered'),
})

/** The events of a resource and of the resources that belong to it, in order of time. */
export const timeline = z.object({
  data: z.array(moment).describe('Newest first'),
  missing: z.array(z.enum(momentKinds)).describe('Kinds that could not be read now'),
  next_cursor: z.string().nullable().describe('`page_cursor` of the next page; null at the end'),
})
