/** The endpoint of the console's own listener that lists the accounts that payments can come from. */
import { z } from 'zod'
import { endpoint } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { sourceErrors } from './payments.js'

const source = z.object({
  id: z.string(),
  name: z.string().nullable().describe("The holder's name"),
  type: z.enum(['checking', 'savings']).nullable(),
  mask: z.string().nullable().describe('The last four digits of the account number'),
  verified: z.boolean(),
  is_default: z.boolean().describe('True for the default source account of the team'),
  why_not: z.enum(sourceErrors).nullable().describe('The error of a payment from the account; null if it can pay'),
})
export type SourceView = z.input<typeof source>

/** For every user of the team. */
export const consoleSources = {
  listSources: endpoint({
    method: 'GET',
    path: '/console/sources',
    summary: 'List the accounts that the team can pay from',
    description:
      "Lists the ACH accounts of companies, and the team's default source account. A person's own account is not listed, unless it is the default.",
    answer: z.object({
      data: z.array(source),
      more: z.boolean().describe('True if there are more accounts than the 100 that are listed'),
    }),
    example: {
      answer: {
        data: [
          {
            ...{ id: examples.ach.id, name: 'Northwind Lending', type: 'checking', mask: '6789' },
            ...{ verified: true, is_default: true, why_not: null },
          },
        ],
        more: false,
      },
    },
  }),
}
