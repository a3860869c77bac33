import { z } from 'zod'
import { attributeBundles, entityAttributes } from '../entity-attributes.js'
import type { ErrorSubType } from '../errors.js'
import { connect } from '../resources/connect.js'
import { creditScore, entityAttribute, identity, manualConnect, vehicles } from '../resources/entity-products.js'
import { balance } from '../resources/product.js'
import { tradelines } from '../resources/tradelines.js'
import { update } from '../resources/update.js'
import { type Endpoint, expand, type Family, paging } from './endpoint.js'
import * as of from './entity-examples.js'
import * as examples from './examples.js'
import { accountFields } from './expandable.js'

/** What is said of the records of one product; the endpoints follow from it. */
interface Records {
  /** As the operation ids name one and several: `Balance`, `Balances`. */
  ids: readonly [one: string, many: string]
  /** With its article: `a balance`. */
  one: string
  many: string
  /** Path of the list. */
  path: string
  answer: z.ZodType
  example: unknown
  create: { description: string; body?: z.ZodType; request?: unknown; errors: readonly ErrorSubType[] }
  query?: Endpoint['query']
  /** False where there is no list. */
  listed?: false
  /** Of all of them. */
  scope?: Endpoint['scope']
}

export function endpointsOf({
  ids,
  one,
  many,
  path,
  answer,
  example,
  create,
  query,
  listed,
  scope,
}: Records): Record<string, Endpoint> {
  const expanded = { ...(query && { query }), ...(scope && { scope }) }
  const list: Endpoint = {
    method: 'GET',
    path,
    summary: `List ${many}`,
    query: { ...paging, ...query },
    ...(scope && { scope }),
    answer,
    shape: 'list',
    example: { answer: [example] },
  }
  return {
    [`create${ids[0]}`]: {
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
    ...(listed === false ? {} : { [`list${ids[1]}`]: list }),
    [`retrieve${ids[0]}`]: {
      method: 'GET',
      path: `${path}/:id`,
      summary: `Retrieve ${one}`,
      ...expanded,
      answer,
      example: { answer: example },
    },
  }
}

const ofEntity = [
  'ENTITY_VERIFICATION_MISSING',
  'INVALID_ENTITY_TYPE',
  'PRODUCT_UNAVAILABLE',
  'TEAM_CAPABILITY_RESTRICTED',
] as const
export const ofAccount = ['PRODUCT_UNAVAILABLE', 'TEAM_CAPABILITY_RESTRICTED', 'PRODUCT_VERIFICATION_MISSING'] as const

/** Products that a connect can request for each account that it finds. */
export const connectProducts = ['attribute', 'balance', 'card_brand', 'update', 'payoff'] as const

export const connectInput = z.object({
  products: z.array(z.enum(connectProducts)).optional(),
  subscriptions: z.array(z.enum(['card_brand', 'update', 'update.snapshot', 'transaction'])).optional(),
})

export const connectFamily: Family = {
  name: 'Connect',
  about:
    'Finds the debts of a verified person. The first search finds all, a later one what is new since. Of someone who chose accounts in an element, and did not say there that later ones are shared too, what a later search finds is in no list until they choose it: `entity.new_accounts_pending_consent` tells of it.',
  endpoints: endpointsOf({
    ids: ['Connect', 'Connects'],
    one: 'a connect',
    many: 'connects',
    path: '/entities/:ent_id/connect',
    answer: connect,
    example: examples.connect,
    query: expand(['accounts', ...accountFields.map(field => `accounts.${field}`)]),
    create: {
      description:
        'Waits up to ten seconds for the bureau; with `Prefer: respond-async`, or with `products` or `subscriptions`, it answers at once. Those are requested and enrolled for each account that is found, as far as the account has them.',
      body: connectInput,
      request: { products: ['balance'] },
      errors: ofEntity,
    },
  }),
}

const bundles = Object.keys(attributeBundles) as [keyof typeof attributeBundles]

/** Attributes of an entity by name or in bundles; all where neither is given. */
export const entityAttributesInput = z.object({
  requested_attributes: z.array(z.enum(entityAttributes)).optional(),
  bundles: z.array(z.enum(bundles)).optional(),
})

export const entityProductFamilies: readonly Family[] = [
  {
    name: 'Credit scores',
    about: "A verified person's scores. A record is `pending` first; `credit_score.update` tells of the end.",
    endpoints: endpointsOf({
      ids: ['CreditScore', 'CreditScores'],
      one: 'a credit score',
      many: 'credit scores',
      path: '/entities/:ent_id/credit_scores',
      answer: creditScore,
      example: of.creditScore,
      create: {
        description:
          'In the sandbox it stays `pending` until `POST /simulate/entities/{ent}/credit_scores/{crs}`. A failed record has error 23001.',
        errors: ofEntity,
      },
    }),
  },
  {
    name: 'Identities',
    about: 'Who the details of an entity may be, with social security numbers in full. Every reading is written down.',
    endpoints: endpointsOf({
      ids: ['Identity', 'Identities'],
      one: 'identities',
      many: 'identities',
      path: '/entities/:ent_id/identities',
      scope: 'sensitive',
      answer: identity,
      example: of.identity,
      create: { description: 'Needs a name and a phone, and no verification.', errors: ofEntity },
    }),
  },
  {
    name: 'Entity attributes',
    about: 'Numbers, words and flags that are computed about a verified person.',
    endpoints: endpointsOf({
      ids: ['EntityAttributes', 'EntityAttributes'],
      one: 'attributes',
      many: 'attributes',
      path: '/entities/:ent_id/attributes',
      answer: entityAttribute,
      example: of.entityAttribute,
      create: {
        description:
          'From 2026-03-30 on `in_progress` first, and everything is computed unless told. Before, `attributes` names what is wanted of `credit_health_*`, and the answer waits for it.',
        body: entityAttributesInput,
        request: { requested_attributes: ['credit_card_utilization'] },
        errors: ofEntity,
      },
    }),
  },
  {
    name: 'Vehicles',
    about: 'The vehicles of a verified person.',
    endpoints: endpointsOf({
      ids: ['Vehicles', 'Vehicles'],
      one: 'vehicles',
      many: 'vehicles',
      path: '/entities/:ent_id/vehicles',
      answer: vehicles,
      example: of.vehicles,
      create: { description: 'Waits up to ten seconds for the register.', errors: ofEntity },
    }),
  },
  {
    name: 'Manual connect',
    about: 'Accounts from a credit report that you hold. For teams that have `manual_connect` enabled.',
    endpoints: endpointsOf({
      ids: ['ManualConnect', 'ManualConnects'],
      one: 'a manual connect',
      many: 'manual connects',
      path: '/entities/:ent_id/manual_connect',
      answer: manualConnect,
      example: of.manualConnect,
      listed: false,
      create: {
        description: 'Money in cents. A line whose creditor is not known makes no account.',
        body: tradelines,
        request: of.tradelines,
        errors: ofEntity,
      },
    }),
  },
]

export const balanceFamily: Family = {
  name: 'Balances',
  about: 'What is owed, asked of the institution now. A record is `pending` first; `balance.update` tells of the end.',
  endpoints: endpointsOf({
    ids: ['Balance', 'Balances'],
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
    ids: ['Update', 'Updates'],
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
