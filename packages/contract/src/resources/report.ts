import { z } from 'zod'
import { metadata, timestamp } from '../fields/shared.js'

export const reportTypes = [
  'payments.created.current',
  'payments.created.previous',
  'payments.created.previous_day',
  'payments.updated.current',
  'payments.updated.previous',
  'payments.failed.previous_day',
  'ach.pull.upcoming',
  'ach.pull.previous',
  'ach.pull.nightly',
  'ach.debit.daily',
  'ach.reversals.nightly',
  'entities.created.previous_day',
  'reserve_fbo_balance.created.previous_day',
] as const
export type ReportType = (typeof reportTypes)[number]

/**
 * A file that contains the rows for one period. The service sets the period when the report is requested. The exact
 * field names are part of the contract.
 */
export const report = z.object({
  id: z.string(),
  type: z.enum(reportTypes),
  url: z
    .string()
    .nullable()
    .describe('The URL of the CSV file. Downloading it requires a secret key. Null until the report is completed'),
  status: z.enum(['processing', 'completed']),
  metadata: metadata.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
