import { z } from 'zod'
import { accountAttributeBundles, accountAttributeNames } from '../account-attributes.js'
import { liability, record } from '../declaration/examples.js'
import { pointer, resourceError } from '../fields/shared.js'
import { accountRecord, product, recordEnd } from './product.js'

/** Attributes that describe an account's usage and payments, by name. */
const accountAttribute = z.object({
  ...accountRecord,
  attributes: z
    .record(
      z.string(),
      z.object({
        value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
        error: resourceError
          .nullable()
          .optional()
          .describe('The reason that the value is missing. From version 2026-03-30'),
      }),
    )
    .nullable()
    .describe('Null until completed'),
  ...recordEnd,
})

const example = {
  id: 'acc_attr_4kYq8ZbT1mXe3',
  account_id: liability.id,
  ...record,
  attributes: { utilization: { value: 25.75, error: null }, usage_pattern: { value: 'revolver', error: null } },
}

/** The account attributes to compute, named individually or in bundles. Default: all attributes of the account's type. */
export const accountAttributesInput = z.object({
  requested_attributes: z.array(z.enum(accountAttributeNames)).max(100).optional(),
  bundles: z
    .array(z.enum(Object.keys(accountAttributeBundles)))
    .max(100)
    .optional(),
})

export const accountAttributeProduct = product({
  holder: 'account',
  name: 'attribute',
  path: 'attributes',
  prefixes: { account_attribute: 'acc_attr_' },
  events: ['account_attribute.create', 'account_attribute.update'],
  resource: ['AccountAttribute', accountAttribute],
  pointers: { attribute: pointer(accountAttribute).optional() },
  connectable: true,
  shares: 'usage',
  title: 'Account attributes',
  about: 'Attributes that describe how an open or closed credit card, personal loan or mortgage is used and paid.',
  records: {
    ids: ['AccountAttributes', 'AccountAttributes'],
    one: "an account's attributes",
    many: "requests for an account's attributes",
    example,
    create: {
      description:
        'In version 2026-03-30 and later, computes the attributes that you name, or all attributes of the account type. The service sends an `account_attribute.update` event when they are complete. In versions up to 2025-12-01, immediately computes the attributes listed in `attributes`.',
      body: accountAttributesInput,
    },
  },
})
