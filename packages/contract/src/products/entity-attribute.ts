import { z } from 'zod'
import { entity, record } from '../declaration/examples.js'
import { attributeBundles, entityAttributes } from '../entity-attributes.js'
import { pointer, resourceError } from '../fields/shared.js'
import { entityRecord, product, recordEnd } from './product.js'

const attributeValue = z.object({
  value: z.union([z.number(), z.string(), z.boolean()]).nullable(),
  error: resourceError
    .nullable()
    .optional()
    .describe('The reason that the attribute could not be computed. From version 2026-03-30'),
  rating: z
    .enum(['excellent', 'good', 'fair', 'needs_work'])
    .nullable()
    .optional()
    .describe('Returned only in versions up to 2025-12-01'),
  metadata: z.record(z.string(), z.unknown()).nullable().optional(),
})
/** Attributes computed for a person. */
const entityAttribute = z.object({
  ...entityRecord,
  attributes: z.record(z.string(), attributeValue).nullable(),
  ...recordEnd,
})

const example = {
  id: 'attr_4kYq8ZbT1mXd6',
  entity_id: entity.id,
  ...record,
  attributes: { credit_card_utilization: { value: 25.7, error: null } },
}

const bundles = Object.keys(attributeBundles) as [keyof typeof attributeBundles]

/** The entity attributes to compute, named individually or in bundles. Default: all. */
export const entityAttributesInput = z.object({
  requested_attributes: z.array(z.enum(entityAttributes)).max(100).optional(),
  bundles: z.array(z.enum(bundles)).max(100).optional(),
})

/** The attributes that a subscription covers. */
export const entityAttributesPayload = z
  .unknown()
  .refine(
    value => value !== null,
    'payload is required for the product attribute, for example: { "attributes": { "requested_attributes": ["..."] } }.',
  )
  .pipe(
    z.object({
      attributes: entityAttributesInput.refine(
        ({ requested_attributes = [], bundles = [] }) => requested_attributes.length + bundles.length > 0,
        'must have requested_attributes or bundles',
      ),
    }),
  )

export const entityAttributeProduct = product({
  holder: 'entity',
  name: 'attribute',
  path: 'attributes',
  prefixes: { entity_attribute: 'attr_' },
  events: [
    'entity_attribute.create',
    'entity_attribute.update',
    'entity_attribute.usage_pattern.changed',
    'entity_attribute.delinquency_flag_credit_cards.set',
    'entity_attribute.delinquency_flag_credit_cards.cleared',
  ],
  resource: ['EntityAttribute', entityAttribute],
  pointers: { attribute: pointer(entityAttribute).optional() },
  shares: 'credit_profile',
  title: 'Entity attributes',
  about: 'Numeric, text and boolean attributes of a verified person.',
  records: {
    ids: ['EntityAttributes', 'EntityAttributes'],
    one: 'attributes',
    many: 'attributes',
    example,
    create: {
      description:
        'In version 2026-03-30 and later, a record is initially `in_progress`, and all attributes are computed unless you name some. In earlier versions, `attributes` names the `credit_health_*` attributes to compute, and the response waits for them.',
      body: entityAttributesInput,
      request: { requested_attributes: ['credit_card_utilization'] },
    },
  },
})
