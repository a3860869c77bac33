import { type CreditHealth, type NumericAttribute, numericAttributes } from './entity-attributes.js'
import { accountProducts } from './products/of-accounts.js'
import { entityProducts } from './products/of-entities.js'
import type { Declaration } from './products/product.js'

const eventsOf = <P extends Declaration>(products: readonly P[]) =>
  products.flatMap(({ events }) => events) as P['events'][number][]

/** The single catalog of recorded event types, by noun. Each product's declaration lists its own events. */
export const eventTypes = [
  'entity.create',
  'entity.update',
  'entity.new_accounts_pending_consent',
  'entity.institution_disconnected',
  'entity.institution_repair_required',
  'entity_verification_session.create',
  'entity_verification_session.update',
  ...eventsOf(entityProducts),
  'account.create',
  'account.update',
  'account.opened',
  'account.closed',
  'account.balance_increased',
  'account.balance_decreased',
  'account.credit_limit_increased',
  'account.credit_limit_decreased',
  'account_verification_session.create',
  'account_verification_session.update',
  ...eventsOf(accountProducts),
  'account.number.update',
  'product.create',
  'product.update',
  'subscription.create',
  'subscription.update',
  'payment.create',
  'payment.update',
  'payment_reversal.create',
  'payment_reversal.update',
  'report.create',
  'report.update',
  'opal_session.update',
  'element_session.update',
  'service_jwk.create',
  'service_jwk.update',
  'webhook.update',
] as const
type Change = 'increased' | 'decreased'
/**
 * Event types for a changed attribute. In the latest version, each type contains the attribute's name, or
 * `<name>_value` for a credit health attribute.
 */
type AttributeEvent =
  | `entity_attribute.${NumericAttribute}.${Change}`
  | `entity_attribute.${CreditHealth}_value.${Change}`
export type EventType = (typeof eventTypes)[number] | AttributeEvent

/** Events in the catalog that this service never emits, by noun. A webhook can still subscribe to them. */
const announced: Readonly<Record<string, readonly string[]>> = {
  account_verification: ['create', 'update'],
  connection: ['create', 'update'],
  attribute: ['create', 'update'],
}

const health = [
  'credit_card_usage',
  'derogatory_marks',
  'hard_inquiries',
  'total_accounts',
  'credit_age',
  'payment_history',
  'open_accounts',
]
const changes = ['increased', 'decreased']

/** Every event type that a webhook can subscribe to. Source: contract, events. */
export const webhookTypes: ReadonlySet<string> = new Set([
  ...eventTypes,
  ...Object.entries(announced).flatMap(([noun, actions]) => actions.map(action => `${noun}.${action}`)),
  ...numericAttributes.flatMap(name => changes.map(change => `entity_attribute.${name}.${change}`)),
  ...health.flatMap(name => changes.map(change => `attribute.credit_health_${name}.${change}`)),
  ...[...health, 'soft_inquiries'].flatMap(name =>
    changes.map(change => `entity_attribute.credit_health_${name}_value.${change}`),
  ),
])

/**
 * Other names under which a webhook can be created on the `/enveloped` mount. Its deliveries and responses keep the name
 * that it was created with.
 */
export const webhookAliases: Readonly<Record<string, EventType>> = {
  'method_jwk.create': 'service_jwk.create',
  'method_jwk.update': 'service_jwk.update',
}

/** Returns the aliases of an event type. */
export const aliasesOf = (type: string): string[] =>
  Object.keys(webhookAliases).filter(alias => webhookAliases[alias] === type)

/** Returns our name for an event type, given its name or an alias. */
export const eventTypeOf = (name: string): string =>
  Object.hasOwn(webhookAliases, name) ? webhookAliases[name]! : name

/** The first segments of event types. */
export const eventNouns: readonly string[] = [...new Set([...webhookTypes].map(type => type.split('.')[0]!))]
