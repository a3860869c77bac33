import { webhookTypes } from '@causeway/contract/events'
import { nounOf } from '@causeway/contract/products/product'
import { allProducts } from '@causeway/contract/products/registry'
import { jsonColumn } from '../../platform/db/json-column.js'

export type Body = Record<string, unknown>

/** Fields that never appear in events. */
const HIDDEN = ['ach', /* mutant: events-hide-people (remove) */ 'individual', 'corporation', 'address', 'number']

/** Removes the fields that an event must not contain. Pure. */
export function harmless(value: Body): Body
export function harmless(value: Body | null): Body | null
export function harmless(value: Body | null): Body | null {
  if (!value || !HIDDEN.some(field => field in value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !HIDDEN.includes(key)))
}

/** Returns the fields of `body` that are missing from `other` or have a different value there. Pure. */
function changed(body: Body, other: Body | null): Body {
  return Object.fromEntries(
    Object.entries(body).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(other?.[key])),
  )
}

/** Computes the difference between two states of a resource. For a new resource, returns the whole resource. Pure. */
export const diffOf = (before: Body | null, after: Body | null): Diff => ({
  before: before && changed(before, after),
  after: after && (before ? changed(after, before) : after),
})

/** An event's JSON columns that are not encrypted. */
export const eventJson = { refs: jsonColumn<Record<string, string>>('events.refs') }

export interface Diff {
  before: Body | null
  after: Body | null
}

/** The path segments of resources that belong to an entity or an account, keyed by the noun in their event types. */
const segments: Readonly<Record<string, string>> = {
  entity_verification_session: 'verification_sessions',
  account_verification_session: 'verification_sessions',
  ...Object.fromEntries(allProducts.map(each => [nounOf(each), each.path])),
  product: 'products',
  subscription: 'subscriptions',
}
/** The paths of top-level resources, keyed by the noun in their event types. */
const roots: Readonly<Record<string, string>> = {
  entity: 'entities',
  account: 'accounts',
  payment: 'payments',
  report: 'reports',
  opal_session: 'opal/sessions',
  element_session: 'elements/sessions',
  service_jwk: 'auth',
}

const id = (value: unknown) => (typeof value === 'string' ? value : undefined)

/**
 * Returns the path of an event's resource, and the id of each entity, account or payment that the resource belongs to.
 * Pure.
 */
export function placeOf(type: string, body: Body): { path: string | null; refs: Record<string, string> | null } {
  const noun = type.split('.')[0] ?? type
  const own = id(body['id'])
  // The noun in an event type may differ from the resource in the event. For example, an `account.opened` event
  // contains the entity.
  const root = own?.startsWith('ent_') ? 'entities' : roots[noun]
  const entity = root === 'entities' ? own : (id(body['entity_id']) ?? id(body['holder_id']))
  const account = root === 'accounts' ? own : id(body['account_id'])
  const payment = id(body['pmt_id'])
  const refs = {
    ...(entity ? { entity } : {}),
    ...(account ? { account } : {}),
    ...(payment ? { payment } : {}),
  }
  const base = account ? `/accounts/${account}` : entity ? `/entities/${entity}` : null
  const segment = segments[noun]
  const path = root
    ? `/${root}/${own}`
    : payment
      ? `/payments/${payment}/reversals/${own}`
      : base && segment
        ? `${base}/${segment}/${own}`
        : null
  return { path, refs: Object.keys(refs).length > 0 ? refs : null }
}

/**
 * Returns the event types that a version shows under a given name. `nameOf` returns the version's name for a type.
 * Pure.
 */
export const typesNamed = (name: string, nameOf: (type: string) => string): string[] => [
  ...new Set([name, ...[...webhookTypes].filter(type => nameOf(type) === name)]),
]
