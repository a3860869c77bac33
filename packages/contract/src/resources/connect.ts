import { z } from 'zod'
import { account } from './account.js'
import { productName, subscriptionName } from './names.js'
import { recordStatuses, resourceError, timestamp } from './shared.js'

/** A search for a person's debts. */
export const connect = z.object({
  id: z.string(),
  entity_id: z.string(),
  status: z.enum(recordStatuses),
  accounts: z
    .array(z.union([z.string(), account]))
    .nullable()
    .describe('What this search found and the ones before it had not; null until it completed'),
  requested_products: z.array(productName),
  requested_subscriptions: z.array(subscriptionName),
  error: resourceError.nullable(),
  files: z
    .array(
      z.object({
        id: z.string(),
        type: z.enum(['raw_credit_report', 'credit_report_pdf']),
        bureau: z.enum(['equifax', 'transunion']),
        mime_type: z.string(),
      }),
    )
    .describe('Reports that the search brought along; empty where the network keeps them to itself'),
  credit_reports: z.record(z.string(), z.unknown()).nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Connect = z.infer<typeof connect>
