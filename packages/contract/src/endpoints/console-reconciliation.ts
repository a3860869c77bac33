/** Endpoints of the console's own listener for operators: the comparison of providers' statements with the store. */
import { z } from 'zod'
import { endpoint } from '../declaration/endpoint.js'
import { cents, timestamp } from '../fields/shared.js'

/** The differences that a comparison can find. */
const exceptionKinds = [
  'missing_here',
  'missing_there',
  'different_amount',
  'repeated',
  'returned_there',
  'not_returned',
  'unlinked',
] as const
export type ExceptionKind = (typeof exceptionKinds)[number]

const page_cursor = z.string().describe('The `next_cursor` of the previous page')
const next_cursor = z.string().nullable().describe('The `page_cursor` of the next page; null on the last page')
const team = z.string().describe('The id of the team')
const status = z
  .enum(['open', 'all'])
  .describe('`open` (the default): the exceptions that are neither explained nor resolved')

const exception = z.object({
  id: z.string(),
  team_id: z.string(),
  provider: z.string(),
  kind: z.enum(exceptionKinds),
  status: z.enum(['open', 'explained', 'resolved']).describe('`resolved`: a later run no longer found the difference'),
  resource_id: z.string().nullable().describe('The payment or reversal, if there is one'),
  line_id: z.string().nullable().describe("The id of the line on the provider's statement, if there is one"),
  amount: z.int().describe('In cents. For a line, as on the statement: negative for money out'),
  expected_amount: cents.nullable().describe('For `different_amount`: the amount that the payment should have'),
  at: timestamp.describe('The time of the line or, without a line, of the payment'),
  first_seen_at: timestamp,
  last_seen_at: timestamp,
  resolved_at: timestamp.nullable(),
  explanation: z.object({ by: z.string(), at: timestamp, text: z.string() }).nullable(),
})
export type ReconciliationException = z.infer<typeof exception>

const run = z.object({
  id: z.string(),
  team_id: z.string(),
  provider: z.string(),
  from: z.iso.date().describe('The first day, in UTC'),
  to: z.iso.date().describe('The last day, in UTC'),
  status: z
    .enum(['scheduled', 'complete', 'failed'])
    .describe(
      '`scheduled`: waiting, in progress or retrying. `failed`: given up; the next daily run covers the period',
    ),
  created_at: timestamp,
  ended_at: timestamp.nullable(),
  result: z
    .object({
      lines: z.int(),
      matched: z.int(),
      recent: z.int().describe('Lines that do not agree yet but are too recent to be exceptions'),
      exceptions: z.int(),
      money_in: z.int().describe('The sum of the lines with money in, in cents'),
      money_out: z.int().describe('The sum of the lines with money out, in cents; negative'),
      other: z
        .array(z.object({ category: z.string(), count: z.int(), sum: z.int() }))
        .describe('Lines that no payment caused, by the category that the provider gives them'),
    })
    .nullable()
    .describe('Null until the run is complete'),
})
export type Reconciliation = z.infer<typeof run>

const at = '2026-03-02T15:00:00.000Z'
const exampleException = {
  id: 'rex_4kYq8ZbT1mXd5',
  team_id: 'team_4kYq8ZbT1mXd5',
  provider: 'increase',
  kind: 'missing_here' as const,
  status: 'explained' as const,
  resource_id: null,
  line_id: 'transaction_uyrp7fld2ium70oa7oi',
  amount: -5_000,
  expected_amount: null,
  at,
  first_seen_at: at,
  last_seen_at: at,
  resolved_at: null,
  explanation: { by: 'Ana Diaz', at, text: 'A refund that we made by hand in the dashboard' },
}

/** Endpoints for operators. */
export const reconciliation = {
  listExceptions: endpoint({
    method: 'GET',
    path: '/operator/exceptions',
    summary: "List differences between providers' statements and the store",
    description: 'Latest first, 50 on a page.',
    query: { status, page_cursor },
    answer: z.object({ data: z.array(exception), next_cursor }),
    example: { answer: { data: [exampleException], next_cursor: null } },
  }),
  downloadExceptions: endpoint({
    method: 'GET',
    path: '/operator/exceptions/csv',
    summary: "Download the differences between providers' statements and the store",
    query: { status },
    answer: z.string(),
    shape: 'raw',
    type: 'text/csv',
    example: { answer: 'id,team_id\r\n' },
  }),
  explainException: endpoint({
    method: 'POST',
    path: '/operator/exceptions/:rex_id/explanation',
    summary: 'Explain an exception',
    description: 'Replaces an earlier explanation. Each explanation is audited.',
    body: z.object({
      team,
      by: z.string().trim().min(1).max(60).describe('The name of the person who explains it'),
      text: z
        .string()
        .trim()
        .max(500)
        .refine(
          text => (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 3,
          'must contain at least three letters or digits',
        )
        .meta({ minLength: 3 }),
    }),
    answer: exception,
    errors: ['NOT_FOUND'],
    example: {
      request: {
        team: 'team_4kYq8ZbT1mXd5',
        by: 'Ana Diaz',
        text: 'A refund that we made by hand in the dashboard',
      },
      answer: exampleException,
    },
  }),
  listReconciliations: endpoint({
    method: 'GET',
    path: '/operator/reconciliations',
    summary: 'List comparisons, latest first',
    query: { page_cursor },
    answer: z.object({ data: z.array(run), next_cursor }),
    example: { answer: { data: [], next_cursor: null } },
  }),
  startReconciliation: endpoint({
    method: 'POST',
    path: '/operator/reconciliations',
    summary: 'Compare statements now',
    description: 'The comparisons run as jobs. `GET /operator/reconciliations` shows when they are complete.',
    body: z.object({
      team: z.string().describe('The id of a team, or `all`: the teams that have used the provider'),
      provider: z
        .string()
        .optional()
        .describe('The name of a provider. By default, every provider that has statements'),
    }),
    answer: z.object({ scheduled: z.int().describe('The number of comparisons that now wait or already did') }),
    errors: ['NOT_FOUND'],
    example: { request: { team: 'all' }, answer: { scheduled: 1 } },
  }),
}
