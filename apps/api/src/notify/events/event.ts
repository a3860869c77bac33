import { webhookTypes } from '@causeway/contract/events'
import { nounOf } from '@causeway/contract/products/product'
import { allProducts } from '@causeway/contract/products/registry'
import { jsonColumn } from '../../platform/db/json-column.js'

export type Body = Record<string, unknown>

/** Fields that never appear in events. */
const HIDDEN_FIELDS = [
  'ach',
  /* mutant: events-hide-people (remove) */ 'individual',
  'corporation',
  'address',
  'number',
]

/** Removes the fields that an event must not contain. Pure. */
export function omitHiddenFields(value: Body): Body
export function omitHiddenFields(value: Body | null): Body | null
export function omitHiddenFields(value: Body | null): Body | null {
  if (!value || !HIDDEN_FIELDS.some(field => field in value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !HIDDEN_FIELDS.includes(key)))
}

/** Returns the fields of `body` that are missing from `other` or have a different value there. Pure. */
function changedFields(body: Body, other: Body | null): Body {
  return Object.fromEntries(
    Object.entries(body).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(other?.[key])),
  )
}

/** Computes the difference between two states of a resource. For a new resource, returns the whole resource. Pure. */
export const diffOf = (before: Body | null, after: Body | null): Diff => ({
  before: before && changedFields(before, after),
  after: after && (before ? changedFields(after, before) : after),
})

/** An event's JSON columns that are not encrypted. */
export const eventJson = { refs: jsonColumn<Record<string, string>>('events.refs') }

export interface Diff {
  before: Body | null
  after: Body | null
}

/** The path segments of resources that belong to an entity or an account, keyed by the noun in their event types. */
const childPaths: Readonly<Record<string, string>> = {
  entity_verification_session: 'verification_sessions',
  account_verification_session: 'verification_sessions',
  ...Object.fromEntries(allProducts.map(each => [nounOf(each), each.path])),
  product: 'products',
  subscription: 'subscriptions',
}
/** The paths of top-level resources, keyed by the noun in their event types. */
const rootPaths: Readonly<Record<string, string>> = {
  entity: 'entities',
  account: 'accounts',
  payment: 'payments',
  report: 'reports',
  opal_session: 'opal/sessions',
  element_session: 'elements/sessions',
  service_jwk: 'auth',
  webhook: 'webhooks',
}

const stringId = (value: unknown) => (typeof value === 'string' ? value : undefined)

/**
 * Returns the path of an event's resource, and the id of each entity, account or payment that the resource belongs to.
 * Pure.
 */
export function pathAndRefsOf(type: string, body: Body): { path: string | null; refs: Record<string, string> | null } {
  const noun = type.split('.')[0] ?? type
  const resourceId = stringId(body['id'])
  // The noun in an event type may differ from the resource in the event. For example, an `account.opened` event
  // contains the entity.
  const root = resourceId?.startsWith('ent_') ? 'entities' : rootPaths[noun]
  const entity = root === 'entities' ? resourceId : (stringId(body['entity_id']) ?? stringId(body['holder_id']))
  const account = root === 'accounts' ? resourceId : stringId(body['account_id'])
  const payment = stringId(body['pmt_id'])
  const refs = {
    ...(entity ? { entity } : {}),
    ...(account ? { account } : {}),
    ...(payment ? { payment } : {}),
  }
  const base = account ? `/accounts/${account}` : entity ? `/entities/${entity}` : null
  const segment = childPaths[noun]
  const path = root
    ? `/${root}/${resourceId}`
    : payment
      ? `/payments/${payment}/reversals/${resourceId}`
      : base && segment
        ? `${base}/${segment}/${resourceId}`
        : null
  return { path, refs: Object.keys(refs).length > 0 ? refs : null }
}

/**
 * Returns the event types that a version shows under a given name. `nameOf` returns the version's name for a type.
 * Pure.
 */
export const typesShownAs = (name: string, nameOf: (type: string) => string): string[] => [
  ...new Set([name, ...[...webhookTypes].filter(type => nameOf(type) === name)]),
]
