import { artifacts, reportBureaus } from '@causeway/contract/resources/file'
import { text as matching } from '@causeway/contract/text'
import { z } from 'zod'
import type { Network } from '../ports/network.js'
import type { Methods } from './method.js'
import { completedOr, failed, liability, nullableText, reference } from './shapes.js'

/** The maximum length of a part of a credit report in base64: 1 MiB of bytes. */
const MAX_PART_LENGTH = 1_398_104
/** Sent as a header. */
const mimeType = matching({ max: 100, pattern: /^[\w.+-]+\/[\w.+-]+$/, error: 'must be a type such as text/plain' })

const tradeline = z.object({
  type_code: nullableText,
  portfolio_type_code: nullableText,
  designator_code: nullableText,
  number: nullableText,
  creditor_name: nullableText,
  creditor_code: nullableText,
  balance: z.number().nullable(),
  opened_at: nullableText,
  closed_at: nullableText,
})

/** The methods about the credit reports of people. */
export const creditReportMethods = {
  readTradelines: {
    kind: 'read',
    what: "Returns the liability account for each tradeline in a credit report, in the same order. An entry is null if the tradeline's institution is unknown.",
    question: z.object({ bureau: z.enum(reportBureaus), tradelines: z.array(tradeline).max(1_000) }),
    answer: completedOr({ liabilities: z.array(liability.nullable()).max(1_000) }),
  },
  creditReport: {
    kind: 'read',
    what: 'Returns a part of a person’s credit report, as base64: at most 1 MiB, beginning `offset` bytes after the start. Every call of one `request_id` reads the same report. `next`: the offset of the next part; null on the last one. The service seals the parts and gives the customer a link to them. `unavailable`: the network does not return this report. Optional.',
    question: z.object({
      person: reference,
      bureau: z.enum(reportBureaus),
      artifact: z.enum(artifacts),
      offset: z.int().min(0),
    }),
    answer: z.discriminatedUnion('status', [
      z.object({
        status: z.literal('completed'),
        mime_type: mimeType,
        content: z.string().min(1).max(MAX_PART_LENGTH),
        next: z.int().min(1).nullable(),
      }),
      failed,
      z.object({ status: z.literal('unavailable') }),
    ]),
    absent: { status: 'unavailable' },
  },
} satisfies Methods<Pick<Network, 'readTradelines' | 'creditReport'>>
