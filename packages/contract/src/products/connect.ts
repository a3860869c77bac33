import { z } from 'zod'
import { expand } from '../declaration/endpoint.js'
import { entity, liability, record } from '../declaration/examples.js'
import { productName, subscriptionName } from '../fields/names.js'
import { pointer } from '../fields/shared.js'
import { artifacts, reportBureaus } from '../resources/file.js'
import { account } from './account.js'
import { accountFields, connectProducts, connectSubscriptions } from './of-accounts.js'
import { entityRecord, product, recordEnd } from './product.js'

/** The credit reports of a connect. */
export const connectFiles = z
  .array(
    z.object({
      id: z.string().describe('Retrieve it with `GET /files/{id}`'),
      type: z.enum(artifacts),
      bureau: z.enum(reportBureaus),
      mime_type: z.string(),
    }),
  )
  .describe('The requested credit reports; empty if none were requested, and until the connect is completed')

/** A search for a person's debts. */
const connect = z.object({
  ...entityRecord,
  accounts: z
    .array(z.union([z.string(), account]))
    .nullable()
    .describe('The accounts first found by this search; null until completed'),
  requested_products: z.array(productName),
  requested_subscriptions: z.array(subscriptionName),
  files: connectFiles,
  credit_reports: z.record(z.string(), z.unknown()).nullable(),
  ...recordEnd,
})

/** The connect that the endpoint examples show. */
export const connectExample = {
  id: 'cxn_4kYq8ZbT1mXcW',
  entity_id: entity.id,
  ...record,
  accounts: [liability.id],
  requested_products: ['balance'],
  requested_subscriptions: [],
  files: [],
  credit_reports: null,
}

export const connectInput = z.object({
  products: z.array(z.enum(connectProducts)).max(100).optional(),
  subscriptions: z.array(z.enum(connectSubscriptions)).max(100).optional(),
  bureau: z
    .enum(reportBureaus)
    .nullish()
    .describe('The bureau whose report to return. Required with `artifacts`, and not allowed without them'),
  artifacts: z
    .array(z.enum(artifacts))
    .max(100)
    .nullish()
    .describe('The forms of the credit report to return as `files`. Requires a key with the scope `sensitive`'),
})

/** The fields that `expand[]` can name. */
export const connectFields = ['accounts', ...accountFields.map(field => `accounts.${field}`)] as const

export const connectProduct = product({
  holder: 'entity',
  name: 'connect',
  path: 'connect',
  prefixes: { connect: 'cxn_' },
  events: ['connect.create', 'connect.update', 'connect.available'],
  resource: ['Connect', connect],
  pointers: { connect: pointer(connect).optional() },
  shares: 'accounts',
  title: 'Connect',
  about:
    'Finds the liability accounts of a verified person. The first search finds all accounts, and later searches find only new ones. If the person chose accounts in an element without agreeing to share future accounts, lists omit accounts found by later searches until the person chooses them. The `entity.new_accounts_pending_consent` event reports those accounts.',
  records: {
    ids: ['Connect', 'Connects'],
    one: 'a connect',
    many: 'connects',
    example: connectExample,
    query: expand(connectFields),
    create: {
      description:
        'Waits up to ten seconds for the bureau. Responds immediately if the request has `Prefer: respond-async`, `products` or `subscriptions`. For each account that it finds, the service requests the products and enrolls the subscriptions that the account supports.',
      body: connectInput,
      request: { products: ['balance'] },
    },
  },
})
