import { z } from 'zod'
import { accountAttributeBundles, accountAttributeNames } from '../account-attributes.js'
import {
  accountAttribute,
  cardBrand,
  cardProduct,
  instrumentTypes,
  paymentInstrument,
  payoff,
  sensitive,
  sensitiveFields,
  transaction,
} from '../resources/account-products.js'
import * as examples from './account-examples.js'
import { alias, endpoint, type Family, paging } from './endpoint.js'
import { endpointsOf, ofAccount } from './records.js'

export const payoffFamily: Family = {
  name: 'Payoffs',
  about: 'What would settle an auto loan or a mortgage.',
  endpoints: endpointsOf({
    ids: ['Payoff', 'Payoffs'],
    one: 'a payoff',
    many: 'payoffs',
    path: '/accounts/:acc_id/payoffs',
    answer: payoff,
    example: examples.payoff,
    create: { description: 'Amounts are cents. A failed record has error 18001.', errors: ofAccount },
  }),
}

const retrieveCardProduct = endpoint({
  method: 'GET',
  path: '/card_products/:pdt_id',
  summary: 'Retrieve a card product',
  answer: cardProduct,
  example: { answer: examples.cardProduct },
})

export const cardProducts = {
  retrieveCardProduct,
  retrieveCardProductSingular: alias(retrieveCardProduct, '/card_product/:pdt_id'),
}

export const cardBrandFamily: Family = {
  name: 'Card brands',
  about: 'Which card it is: product, network and picture.',
  endpoints: {
    ...endpointsOf({
      ids: ['CardBrand', 'CardBrands'],
      one: 'a card brand',
      many: 'card brands',
      path: '/accounts/:acc_id/card_brands',
      answer: cardBrand,
      example: examples.cardBrand,
      create: { description: 'Of a credit card. `card_brand.update` tells of the end.', errors: ofAccount },
    }),
    ...cardProducts,
  },
}

const names = Object.entries(sensitiveFields).flatMap(([type, keys]) => keys.map(key => `${type}.${key}`))

/** Numbers by name. Those of another type of debt than the account's are rejected. */
export const sensitiveInput = z.object({ expand: z.array(z.enum(names)).min(1) })

export const sensitiveFamily: Family = {
  name: 'Sensitive',
  about: 'Full numbers of a verified account. Each showing is in the audit log, and no event carries one.',
  endpoints: endpointsOf({
    ids: ['Sensitive', 'Sensitives'],
    one: "an account's numbers",
    many: 'requests for numbers',
    path: '/accounts/:acc_id/sensitive',
    scope: 'sensitive',
    answer: sensitive,
    example: examples.sensitive,
    create: {
      description:
        'Waits for the institution. `expand` names fields of the account’s own type. A card’s verification value is nowhere kept, so it is null.',
      body: sensitiveInput,
      request: { expand: ['credit_card.number'] },
      errors: ofAccount,
    },
  }),
}

/** Attributes of an account by name or in bundles; all that its type has where neither is given. */
export const accountAttributesInput = z.object({
  requested_attributes: z.array(z.enum(accountAttributeNames)).optional(),
  bundles: z.array(z.enum(Object.keys(accountAttributeBundles))).optional(),
})

export const accountAttributeFamily: Family = {
  name: 'Account attributes',
  about: 'What can be said of how a credit card, a personal loan or a mortgage is used and paid; of closed ones too.',
  endpoints: endpointsOf({
    ids: ['AccountAttributes', 'AccountAttributes'],
    one: "an account's attributes",
    many: "requests for an account's attributes",
    path: '/accounts/:acc_id/attributes',
    answer: accountAttribute,
    example: examples.accountAttribute,
    create: {
      description:
        'From 2026-03-30 all that the type has, or those named, and `account_attribute.update` tells of the end. Up to 2025-12-01 by `attributes`, at once.',
      body: accountAttributesInput,
      errors: ofAccount,
    },
  }),
}

export const closing = {
  closePaymentInstrument: endpoint({
    method: 'DELETE',
    path: '/accounts/:acc_id/payment_instruments/:id',
    scope: 'sensitive',
    summary: 'Close a payment instrument',
    since: '2025-12-01',
    description:
      'From 2025-12-01, of type `inbound_achwire_payment`: nothing comes in through it any more. Answers it as `closed`.',
    answer: paymentInstrument,
    example: { answer: { ...examples.instrument, status: 'closed', chargeable: false } },
  }),
}

export const instrumentInput = z.object({ type: z.enum(instrumentTypes) })

export const instrumentFamily: Family = {
  name: 'Payment instruments',
  about: 'Ways to move money from a card, or to an account.',
  endpoints: {
    ...endpointsOf({
      ids: ['PaymentInstrument', 'PaymentInstruments'],
      one: 'a payment instrument',
      many: 'payment instruments',
      path: '/accounts/:acc_id/payment_instruments',
      scope: 'sensitive',
      answer: paymentInstrument,
      example: examples.instrument,
      create: {
        description:
          '`card` and `network_token` of a credit card that a session of type `network` verified; `inbound_achwire_payment` from 2025-12-01.',
        body: instrumentInput,
        request: { type: 'inbound_achwire_payment' },
        errors: ofAccount,
      },
    }),
    ...closing,
  },
}

const unread = ['PRODUCT_UNAVAILABLE', 'TEAM_CAPABILITY_RESTRICTED', 'PRODUCT_VERIFICATION_MISSING'] as const

export const transactions = {
  listTransactions: endpoint({
    method: 'GET',
    path: '/accounts/:acc_id/transactions',
    summary: 'List transactions',
    query: paging,
    answer: transaction,
    shape: 'list',
    errors: unread,
    example: { answer: [examples.transaction] },
  }),
  retrieveTransaction: endpoint({
    method: 'GET',
    path: '/accounts/:acc_id/transactions/:id',
    summary: 'Retrieve a transaction',
    answer: transaction,
    errors: unread,
    example: { answer: examples.transaction },
  }),
}

export const transactionFamily: Family = {
  name: 'Transactions',
  about: 'What was bought with a card, from the time that its account was subscribed to `transaction`.',
  endpoints: transactions,
}

/** What the sandbox can be made to do to an account. */
export const accountSimulations = {
  simulateTransaction: endpoint({
    method: 'POST',
    path: '/simulate/accounts/:acc_id/transactions',
    summary: 'Buy something with a card',
    description: 'The account must be subscribed to `transaction`.',
    body: z.object({
      amount: z.int().min(1).max(100_000_000).optional().describe('Cents'),
      type: z.enum(['purchase']).optional(),
      merchant_name: z.string().min(1).max(100).nullish(),
    }),
    answer: transaction,
    errors: ['SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION'],
    example: { request: { amount: 2499 }, answer: examples.transaction },
  }),
  simulateCardBrand: endpoint({
    method: 'POST',
    path: '/simulate/accounts/:acc_id/card_brands',
    summary: 'Turn a card into another one',
    description: 'The account must be subscribed to `card_brand`; `card_brand.available` tells of it.',
    body: z.object({ brand_id: z.string().optional() }),
    answer: cardBrand,
    errors: ['SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION'],
    example: { request: { brand_id: 'pdt_example_brd_1' }, answer: examples.cardBrand },
  }),
}
