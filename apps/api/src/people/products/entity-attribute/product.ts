import {
  attributeBundles,
  type CreditHealth,
  creditHealth,
  type EntityAttribute,
  entityAttributes,
  type NumericAttribute,
  numericAttributes,
} from '@causeway/contract/entity-attributes'
import { resourceError } from '@causeway/contract/errors'
import type { EventType } from '@causeway/contract/events'
import {
  entityAttributeProduct,
  type entityAttributesInput,
  entityAttributesPayload,
} from '@causeway/contract/products/entity-attribute'
import { z } from 'zod'
import { createPortCall } from '../../../network/ports.js'
import { jsonColumn } from '../../../platform/db/json-column.js'
import { parse } from '../../../platform/http/request/body.js'
import { declaredAs, type EntityProduct } from '../../holders/product.js'
import { forVerified } from '../../holders/product-rules.js'
import { monthlyFeed } from '../change-feeds.js'

type Value = { value: unknown; error: unknown; metadata?: Record<string, unknown> }

const namedPayload = entityAttributesPayload.in.pipe(
  z.object({ attributes: z.object({ requested_attributes: z.array(z.enum(creditHealth)).min(1) }) }),
)

type AttributesInput = z.output<typeof entityAttributesInput>

function namesOf({ requested_attributes = [], bundles = [] }: AttributesInput): EntityAttribute[] {
  const names = new Set([...requested_attributes, ...bundles.flatMap(name => [...attributeBundles[name]])])
  return entityAttributes.filter(name => names.has(name))
}

/**
 * Returns the attribute names that a POST requests, or all names if it lists none.
 * @param body `named` contains the names in versions whose POST waits for the result
 */
function readNames({ named, ...body }: AttributesInput & { named?: readonly string[] }): {
  names: string[]
  named: boolean
} {
  if (named) return { names: [...new Set(named)], named: true }
  const names = namesOf(body)
  return { names: names.length > 0 ? names : [...entityAttributes], named: false }
}

/**
 * Reads the attributes from an enrollment's payload.
 * @param named true in versions whose requests list attribute names
 */
const readPayload = (value: unknown, named: boolean): Record<string, unknown> =>
  parse(named ? namedPayload : entityAttributesPayload, value, 'payload')

function payloadNames(payload: Record<string, unknown> | null): string[] {
  const attributes = payload?.['attributes'] as { requested_attributes?: string[]; bundles?: string[] } | undefined
  const bundles = (attributes?.bundles ?? []).flatMap(name => [
    ...(attributeBundles[name as keyof typeof attributeBundles] ?? []),
  ])
  return [...new Set([...(attributes?.requested_attributes ?? []), ...bundles])]
}

const insufficient: Value = { value: null, error: resourceError(27001) }
const numeric = new Set<string>(numericAttributes)

/** Returns the event for a value, or null if the value did not change or has no event. */
function changeEvent(name: string, now: unknown, then: unknown): EventType | null {
  if (now === null || then === null || then === undefined || now === then) return null
  if (name === 'usage_pattern') return 'entity_attribute.usage_pattern.changed'
  if (name === 'delinquency_flag_credit_cards')
    return `entity_attribute.delinquency_flag_credit_cards.${now === 'overdue' ? 'set' : 'cleared'}`
  if (typeof now !== 'number' || typeof then !== 'number') return null
  const direction = now > then ? 'increased' : 'decreased'
  if (numeric.has(name)) return `entity_attribute.${name as NumericAttribute}.${direction}`
  return `entity_attribute.${name as CreditHealth}_value.${direction}`
}

const attributesRequest = jsonColumn<{ names: string[] }>('records.request')

export const entityAttribute: EntityProduct = {
  ...declaredAs(entityAttributeProduct),
  initialStatus: 'in_progress',
  waits: ({ named }) => named === true,
  creatable: true,
  unreachable: 24001,
  request: readNames,
  subscriptions: [
    {
      name: 'attribute',
      payload: readPayload,
      feed: monthlyFeed(
        () => entityAttribute,
        payload => ({ names: payloadNames(payload), named: false }),
      ),
    },
  ],
  availability: (team, entity) => forVerified(team, entity, 'attribute'),
  async fetchData(scope, entity, record) {
    const { names } = attributesRequest.read(record.request)
    const answer = await scope.deps.ports.network.entityAttributes({
      ...createPortCall(scope, record.id),
      person: entity.person ?? '',
      names,
      soft_inquiries: await scope.deps.behaviours.softInquiries(scope, entity.id),
    })
    if (answer.status !== 'completed') return answer
    const values = names.map((name): [string, Value] => {
      const attribute = answer.attributes[name]
      return [name, attribute ? { value: attribute.value, error: null, ...metadataOf(attribute) } : insufficient]
    })
    return { status: 'completed', data: { attributes: Object.fromEntries(values) } }
  },
  show: ({ data }) => ({ attributes: data?.['attributes'] ?? null }),
  extraEvents(data, before) {
    const old = (before?.['attributes'] ?? {}) as Record<string, Value>
    return Object.entries(data['attributes'] as Record<string, Value>).flatMap(
      ([name, { value }]) => changeEvent(name, value, old[name]?.value) ?? [],
    )
  },
}

const metadataOf = ({ metadata }: { metadata?: Record<string, unknown> }) => (metadata ? { metadata } : {})
