/** Endpoints of the console's own listener about providers: their state, the payee directory, and banks' notices. */
import { z } from 'zod'
import { endpoint } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { timestamp } from '../fields/shared.js'

const page_cursor = z.string().describe('The `next_cursor` of the previous page')
const next_cursor = z.string().nullable().describe('The `page_cursor` of the next page; null on the last page')

const counts = z.object({ calls: z.int(), failures: z.int(), webhooks: z.int() })

const connection = z.object({
  name: z.string().describe('The name in `PROVIDERS`'),
  title: z.string(),
  environment: z
    .enum(['sandbox', 'production', 'any'])
    .describe("The provider's system that the settings reach. `any`: the provider has one system"),
  hosts: z.array(z.string()).describe('The base addresses that the service calls'),
  proven: z
    .object({ level: z.enum(['emulator', 'sandbox', 'live']), on: z.string() })
    .nullable()
    .describe('The evidence that the provider works; null for the sandbox and for your own connector'),
  methods: z.array(z.string()).describe('The methods that the provider serves'),
  other_methods: z
    .array(z.object({ method: z.string(), provider: z.string().nullable() }))
    .describe('The methods that the provider could serve, each with the provider that serves it instead, if any'),
  settings: z.array(
    z.object({
      name: z.string(),
      is_secret: z.boolean(),
      is_set: z.boolean(),
      value: z.string().nullable().describe('Null for a secret, and for a setting without a value'),
    }),
  ),
  key_rejected_at: timestamp
    .nullable()
    .describe('The time since which the provider has rejected the credentials; null if it accepts them'),
  receives_webhooks: z.boolean(),
  webhook_at: timestamp.nullable().describe('The last webhook about a known object, accurate to a minute'),
  day: counts.nullable().describe('The last 24 hours; null for the sandbox, whose calls are not counted'),
  week: counts.nullable().describe('The last 7 days'),
  last_failure: z
    .object({
      at: timestamp,
      kind: z
        .enum(['rejected_key', 'refused', 'busy', 'no_answer', 'unknown_method', 'internal'])
        .describe('`refused`: an error that a repetition would not fix. `internal`: a fault in the service'),
      method: z.string(),
    })
    .nullable()
    .describe('The last failed call within 7 days'),
})
export type ConnectionView = z.infer<typeof connection>

const capability = z.object({
  kind: z.string().describe('Such as `entity_product`'),
  name: z.string().describe('Such as `connect`'),
  reason: z.string().nullable().describe('The reason that it is not offered; null if it is'),
  providers: z.array(z.string()).describe('The providers that serve its methods'),
})

const payee = z.object({
  id: z.string(),
  merchant: z.object({ id: z.string(), name: z.string().nullable() }),
  status: z.enum(['proposed', 'active']),
  route: z.enum(['ach', 'check', 'card_push']),
  details: z
    .record(z.string(), z.string())
    .describe('The details of the route. Account numbers show only their last four digits'),
  max_amount: z.int().nullable().describe('The maximum amount of one payment, in cents'),
  note: z.string().nullable(),
  proposed_by: z.string(),
  proposed_at: timestamp,
  confirmed_by: z.string().nullable(),
  confirmed_at: timestamp.nullable(),
})
export type PayeeView = z.infer<typeof payee>

const notice = z.object({
  team_id: z.string(),
  payment_id: z.string(),
  account_id: z.string().nullable().describe("The payment's destination"),
  merchant: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  code: z.string().describe("The bank's code, such as `C01`"),
  at: timestamp.describe("The time of the notice, on the team's clock"),
  received_at: timestamp,
  corrected: z
    .record(z.string(), z.string())
    .describe('The details that later payments must use. Account numbers show only their last four digits'),
  state: z
    .enum(['open', 'account_corrected', 'payee_confirmed'])
    .describe('`payee_confirmed`: a payee of the merchant was confirmed after the notice'),
})
export type NoticeView = z.infer<typeof notice>

const exampleConnection = {
  name: 'increase',
  title: 'Increase',
  environment: 'sandbox' as const,
  hosts: ['https://sandbox.increase.com'],
  proven: { level: 'emulator' as const, on: '2026-11-29' },
  methods: ['rail/submit'],
  other_methods: [{ method: 'network/deposit', provider: 'sandbox' }],
  settings: [{ name: 'INCREASE_API_KEY', is_secret: true, is_set: true, value: null }],
  key_rejected_at: null,
  receives_webhooks: true,
  webhook_at: examples.times.created_at,
  day: { calls: 120, failures: 2, webhooks: 40 },
  week: { calls: 900, failures: 3, webhooks: 300 },
  last_failure: { at: examples.times.created_at, kind: 'no_answer' as const, method: 'rail/status' },
}

const repairCount = z.object({
  count: z.int().describe('The number of people, up to 1,000'),
  more: z.boolean().describe('True if there are more people'),
})

/** Endpoints for operators. */
export const connections = {
  listConnections: endpoint({
    method: 'GET',
    path: '/operator/connections',
    summary: 'List the configured providers',
    description: 'No secret is ever included.',
    answer: z.object({
      data: z.array(connection),
      capabilities: z.array(capability).describe('The parts of the service that need providers'),
      repairs: repairCount.describe('The people who must sign in to an institution again, in all teams'),
    }),
    example: {
      answer: {
        data: [exampleConnection],
        capabilities: [
          {
            kind: 'entity_product',
            name: 'credit_score',
            reason: 'credit_score is not available: no provider in PROVIDERS serves network/credit_score.',
            providers: [],
          },
        ],
        repairs: { count: 0, more: false },
      },
    },
  }),
  listPayees: endpoint({
    method: 'GET',
    path: '/operator/payees',
    summary: 'List how merchants are paid, latest first',
    query: { status: z.enum(['proposed', 'active']).describe('Default: `active`'), page_cursor },
    answer: z.object({ data: z.array(payee), next_cursor }),
    example: { answer: { data: [], next_cursor: null } },
  }),
  listNotices: endpoint({
    method: 'GET',
    path: '/operator/notices',
    summary: "List banks' notifications of change, latest first",
    query: { page_cursor },
    answer: z.object({ data: z.array(notice), next_cursor }),
    example: { answer: { data: [], next_cursor: null } },
  }),
}

/** For every user of the team. */
export const paymentProvider = endpoint({
  method: 'GET',
  path: '/payments/:pmt_id/provider',
  summary: "Retrieve the provider's ids of a payment",
  answer: z.object({
    objects: z.array(
      z.object({
        provider: z.string(),
        title: z.string().describe("The provider's name or, if it is not configured any more, the name in `PROVIDERS`"),
        kind: z.enum(['payment', 'reversal']),
        resource_id: z.string(),
        external_id: z.string().describe("The provider's id of the transfer"),
        created_at: timestamp,
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
  example: {
    answer: {
      objects: [
        {
          provider: 'increase',
          title: 'Increase',
          kind: 'payment',
          resource_id: 'pmt_4kYq8ZbT1mXd5',
          external_id: 'ach_transfer_uoxatyh3lt5evrsdvo7q',
          created_at: examples.times.created_at,
        },
      ],
    },
  },
})

const linkedAccounts = z.array(z.string()).describe('The ids of its accounts that the person shares')

/** For every user of the team. */
export const institutions = {
  listOfPerson: endpoint({
    method: 'GET',
    path: '/entities/:ent_id/institutions',
    summary: 'List the institutions that a person has linked',
    description: 'Lists only institutions of which the person shares at least one account.',
    answer: z.object({
      institutions: z.array(
        z.object({
          name: z.string(),
          status: z
            .enum(['ok', 'repair', 'name_mismatch'])
            .describe('`repair`: the person must sign in again. `name_mismatch`: an account is in another name'),
          accounts: linkedAccounts,
        }),
      ),
      checked_at: timestamp.nullable().describe('The time at which the institutions were last read; null if never'),
    }),
    errors: ['NOT_FOUND'],
    example: {
      answer: {
        institutions: [{ name: 'Harbor Credit Union', status: 'repair', accounts: ['acc_eKKmrXDpJBKgw'] }],
        checked_at: examples.times.created_at,
      },
    },
  }),
  listRepairs: endpoint({
    method: 'GET',
    path: '/institutions/repairs',
    summary: 'List the people who must sign in to an institution again',
    description:
      'Lists only institutions of which the person shares at least one account, so a page can have fewer entries than others.',
    query: {
      page_cursor,
      count: z.enum(['only']).describe('Returns only `total`, and no people. Opens no institution'),
    },
    answer: z.object({
      data: z.array(
        z.object({
          id: z.string().describe("The person's entity"),
          name: z.string().nullable(),
          institutions: z.array(z.object({ name: z.string(), accounts: linkedAccounts })),
          checked_at: timestamp.nullable(),
        }),
      ),
      next_cursor,
      total: repairCount
        .optional()
        .describe('With `count`: the people who share an account that they linked, and must sign in again'),
    }),
    example: {
      answer: {
        data: [
          {
            id: 'ent_au22b1fbFJbp8',
            name: 'Kevin Doyle',
            institutions: [{ name: 'Harbor Credit Union', accounts: ['acc_eKKmrXDpJBKgw'] }],
            checked_at: examples.times.created_at,
          },
        ],
        next_cursor: null,
      },
    },
  }),
}
