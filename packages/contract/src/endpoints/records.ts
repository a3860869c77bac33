import { z } from 'zod'
import type { ErrorSubType } from '../errors.js'
import { connect } from '../resources/connect.js'
import { balance } from '../resources/product.js'
import { update } from '../resources/update.js'
import { type Endpoint, expand, type Family, paging } from './endpoint.js'
import * as examples from './examples.js'
import { accountFields } from './expandable.js'

/** What is said of the records of one product; the endpoints follow from it. */
interface Records {
  /** With its article: `a balance`. */
  one: string
  many: string
  /** Path of the list. */
  path: string
  answer: z.ZodType
  example: unknown
  create: { description: string; body?: z.ZodType; request?: unknown; errors: readonly ErrorSubType[] }
  query?: Endpoint['query']
}

export function endpointsOf({ one, many, path, answer, example, create, query }: Records): Endpoint[] {
  const expanded = query ? { query } : {}
  return [
    {
      method: 'POST',
      path,
      summary: `Request ${one}`,
      description: create.description,
      ...expanded,
      body: create.body ?? z.object({}),
      answer,
      errors: create.errors,
      example: { request: create.request ?? {}, answer: example },
    },
    {
      method: 'GET',
      path,
      summary: `List ${many}`,
      query: { ...paging, ...query },
      answer,
      shape: 'list',
      example: { answer: [example] },
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      summary: `Retrieve ${one}`,
      ...expanded,
      answer,
      example: { answer: example },
    },
  ]
}

const ofEntity = ['ENTITY_VERIFICATION_MISSING', 'INVALID_ENTITY_TYPE', 'TEAM_CAPABILITY_RESTRICTED'] as const
export const ofAccount = ['PRODUCT_UNAVAILABLE', 'TEAM_CAPABILITY_RESTRICTED', 'PRODUCT_VERIFICATION_MISSING'] as const

export const connectFamily: Family = {
  name: 'Connect',
  about: 'Finds the debts of a verified person. The first search finds all, a later one what is new since.',
  endpoints: endpointsOf({
    one: 'a connect',
    many: 'connects',
    path: '/entities/:ent_id/connect',
    answer: connect,
    example: examples.connect,
    query: expand(['accounts', ...accountFields.map(field => `accounts.${field}`)]),
    create: {
      description:
        'Waits up to ten seconds for the bureau; with `Prefer: respond-async` it answers at once. `products` are requested for each account that is found.',
      body: z.object({
        products: z.array(z.enum(['balance', 'update'])).optional(),
        subscriptions: z.array(z.never()).optional(),
      }),
      request: { products: ['balance'] },
      errors: ofEntity,
    },
  }),
}

export const balanceFamily: Family = {
  name: 'Balances',
  about: 'What is owed, asked of the institution now. A record is `pending` first; `balance.update` tells of the end.',
  endpoints: endpointsOf({
    one: 'a balance',
    many: 'balances',
    path: '/accounts/:acc_id/balances',
    answer: balance,
    example: examples.balance,
    create: { description: 'Amounts are cents. A failed record has error 20001.', errors: ofAccount },
  }),
}

export const updateFamily: Family = {
  name: 'Updates',
  about: 'Everything an institution says of a debt: balance, payments, interest and terms.',
  endpoints: endpointsOf({
    one: 'an update',
    many: 'updates',
    path: '/accounts/:acc_id/updates',
    answer: update,
    example: examples.update,
    create: {
      description: 'From the institution (`direct`). Amounts are cents. A failed record has error 21001.',
      errors: ofAccount,
    },
  }),
}
