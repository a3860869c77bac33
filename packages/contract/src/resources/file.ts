import { z } from 'zod'
import { timestamp } from '../fields/shared.js'

/** The kinds of files that a connect can return. */
export const artifacts = ['raw_credit_report', 'credit_report_pdf'] as const
/** The bureaus whose reports a connect can return. */
export const reportBureaus = ['equifax', 'transunion'] as const

/** A file that another request created, and a link to its contents. */
export const file = z.object({
  id: z.string(),
  type: z.enum(artifacts),
  mime_type: z.string(),
  download_url: z
    .string()
    .describe(
      'A link to the contents that needs no key. Each response has another link. Treat it like a key, and do not store it',
    ),
  download_expires_at: timestamp.describe('The time at which the link stops working: 60 minutes after the response'),
  created_at: timestamp,
  updated_at: timestamp,
})
