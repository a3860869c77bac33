import { z } from 'zod'
import { aliasOf, endpoint } from '../declaration/endpoint.js'
import { liability, record, times } from '../declaration/examples.js'
import { pointer } from '../fields/shared.js'
import { idText } from '../text.js'
import { accountRecord, product, recordEnd } from './product.js'

const networks = ['visa', 'mastercard', 'amex', 'discover'] as const
const cardTypes = ['specific', 'generic', 'in_review'] as const

/** The design of a card. */
const brand = z.object({
  id: z.string(),
  art_id: z.string().optional().describe('Returned only in version 2024-04-04'),
  card_product_id: z.string().nullable().optional(),
  description: z.string().optional(),
  name: z.string(),
  issuer: z.string().optional(),
  network: z.enum(networks).optional(),
  network_tier: z.string().optional(),
  type: z.enum(cardTypes).optional(),
  url: z.string().describe('The URL of an image of the card'),
  details: z.record(z.string(), z.unknown()).nullable().optional().describe('Rates are in percent, fees in cents'),
})

/** The card product that an account belongs to. */
const cardBrand = z.object({
  ...accountRecord,
  brands: z.array(brand).describe('Empty until completed'),
  source: z.enum(['network', 'method']).nullable(),
  shared: z.boolean(),
  last4: z.string().nullable(),
  network: z
    .enum(networks)
    .nullable()
    .optional()
    .describe('Returned only in version 2024-04-04. Later versions return it in each brand'),
  issuer: z
    .string()
    .nullable()
    .optional()
    .describe('Returned only in version 2024-04-04. Later versions return it in each brand'),
  ...recordEnd,
})

/** An issuer's card product. */
const cardProduct = z.object({
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  type: z.enum(cardTypes),
  brands: z.array(
    z.object({
      id: z.string(),
      description: z.string(),
      network: z.enum(networks),
      network_tier: z.string(),
      default_image: z.string(),
    }),
  ),
  ...recordEnd,
})

const example = {
  id: 'crd_4kYq8ZbT1mXe1',
  account_id: liability.id,
  ...record,
  brands: [
    {
      id: 'pdt_example_brd_1',
      card_product_id: 'pdt_example',
      description: 'Harbor Rewards Card, signature',
      name: 'Harbor Rewards Card',
      issuer: 'Harbor Bank',
      network: 'visa',
      network_tier: 'signature',
      type: 'specific',
      url: 'https://assets.example/pdt_example_brd_1.png',
      details: null,
    },
  ],
  source: 'network',
  shared: false,
  last4: '8721',
}

const cardProductExample = {
  id: 'pdt_example',
  name: 'Harbor Rewards Card',
  issuer: 'Harbor Bank',
  type: 'specific',
  brands: [
    {
      id: 'pdt_example_brd_1',
      description: 'Harbor Rewards Card, signature',
      network: 'visa',
      network_tier: 'signature',
      default_image: 'https://assets.example/pdt_example_brd_1.png',
    },
  ],
  error: null,
  ...times,
}

const retrieveCardProduct = endpoint({
  method: 'GET',
  path: '/card_products/:pdt_id',
  summary: 'Retrieve a card product',
  answer: cardProduct,
  example: { answer: cardProductExample },
})

export const cardProducts = {
  retrieveCardProduct,
  retrieveCardProductSingular: aliasOf(retrieveCardProduct, '/card_product/:pdt_id'),
}

export const cardBrandProduct = product({
  holder: 'account',
  name: 'card_brand',
  path: 'card_brands',
  prefixes: { card_brand: 'crd_' },
  events: ['card_brand.create', 'card_brand.update', 'card_brand.available'],
  resource: ['CardBrand', cardBrand],
  resources: { CardProduct: cardProduct },
  pointers: { card_brand: pointer(cardBrand).optional() },
  connectable: true,
  enrollable: ['card_brand'],
  element: 'card_brand',
  shares: 'card',
  title: 'Card brands',
  about: 'The product, network and image of a card.',
  records: {
    ids: ['CardBrand', 'CardBrands'],
    one: 'a card brand',
    many: 'card brands',
    example,
    create: {
      description:
        'The account must be a credit card. A `card_brand.update` event is sent when the record is complete.',
    },
  },
  endpoints: cardProducts,
})

/** A simulated card change. */
export const cardBrandSimulations = {
  simulateCardBrand: endpoint({
    method: 'POST',
    path: '/simulate/accounts/:acc_id/card_brands',
    summary: 'Replace a card with a new one',
    description: 'The account must be subscribed to `card_brand`. `card_brand.available` reports the change.',
    body: z.object({ brand_id: idText.optional() }),
    answer: cardBrand,
    errors: ['SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION'],
    example: { request: { brand_id: 'pdt_example_brd_1' }, answer: example },
  }),
}
