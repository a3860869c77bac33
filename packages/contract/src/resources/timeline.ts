import { z } from 'zod'
import { timestamp } from '../fields/shared.js'

export const momentKinds = ['request', 'event', 'delivery', 'posting', 'person', 'staff'] as const

const scalar = z.union([z.string(), z.number(), z.boolean()]).nullable()

/** An entry in a timeline. */
export const moment = z.object({
  at: timestamp.describe('When the entry happened. For a delivery, the time of its event'),
  kind: z.enum(momentKinds),
  id: z.string(),
  what: z
    .string()
    .describe(
      'The method and route of a request, the type of an event or a delivery, the payment status that caused a posting, the step that a person reached, or the action in an audit entry',
    ),
  status: z
    .union([z.int(), z.string()])
    .nullable()
    .describe('The status of a request or a delivery, or the step that a person reached'),
  actor: z.string().nullable().describe('A key, a token, the console session of an operator, or `operator`'),
  amount: z.int().nullable().describe('The amount of a posting, in cents'),
  refs: z.array(z.string()).describe('The ids of the resources that the entry is about, or that caused it'),
  changes: z
    .array(z.object({ path: z.string(), before: scalar, after: scalar }))
    .optional()
    .describe(
      'For an event that changed a resource: at most six of the changed fields, such as `bt.payout_status`. For a list, the size',
    ),
  host: z.string().optional().describe('For a delivery: the host of the webhook'),
  finished_at: timestamp
    .nullable()
    .optional()
    .describe(
      'For a delivery: when it was delivered or canceled, or when its last attempt failed. Null while it is in progress',
    ),
})

/** The history of a resource and of the resources that belong to it. */
export const timeline = z.object({
  data: z.array(moment).describe('The entries, newest first'),
  missing: z.array(z.enum(momentKinds)).describe('The kinds that could not be read for this response'),
  next_cursor: z.string().nullable().describe('The `page_cursor` of the next page; null on the last page'),
})
