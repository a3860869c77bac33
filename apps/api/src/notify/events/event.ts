import { webhookTypes } from '@causeway/contract/events'
import { nounOf } from '@causeway/contract/products/product'
import { allProducts } from '@causeway/contract/products/registry'

type Body = Record<string, unknown>

/** Fields that never appear in an event, whatever the resource. */
const HIDDEN = new Set(['ach', 'individual', 'corporation', 'address', 'number'])

/** A resource as an event may hold it. Pure. */
export function harmless(value: Body | null): Body | null {
  return value && Object.fromEntries(Object.entries(value).filter(([key]) => !HIDDEN.has(key)))
}

/** The fields of `body` that `other` does not have, or has with another value. Pure. */
function changed(body: Body, other: Body | null): Body {
  return Object.fromEntries(
    Object.entries(body).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(other?.[key])),
  )
}

/** The changes, from the whole of before and after. For a new resource: all of it. Pure. */
export const diffOf = (before: Body | null, after: Body | null): Diff => ({
  before: before && changed(before, after),
  after: after && (before ? changed(after, before) : after),
})

export interface Diff {
  before: Body | null
  after: Body | null
}

/** The whole resource as it was, from how it is and what changed; null for one that was not. Pure. */
export function wholeBefore(data: Body, diff: Diff): Body | null {
  if (diff.before === null) return null
  const came = Object.keys(diff.after ?? {})
  return { ...Object.fromEntries(Object.entries(data).filter(([key]) => !came.includes(key))), ...diff.before }
}

/** The last segment of the path of what belongs to an entity or an account, by the noun of its events. */
const segments: Readonly<Record<string, string>> = {
  entity_verification_session: 'verification_sessions',
  account_verification_session: 'verification_sessions',
  ...Object.fromEntries(allProducts.map(each => [nounOf(each), each.path])),
  product: 'products',
  subscription: 'subscriptions',
}
/** The path of what stands for itself. */
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

/** The path at which the resource of an event is read, and the ids that it belongs to. Pure. */
export function placeOf(type: string, body: Body): { path: string | null; refs: Record<string, string> | null } {
  const noun = type.split('.')[0] ?? type
  const own = id(body['id'])
  // An event named after one resource can tell of another: `account.opened` of its entity.
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

/** The types whose events go by a name, given how a version names each. Pure. */
export const typesNamed = (name: string, nameOf: (type: string) => string): string[] => [
  ...new Set([name, ...[...webhookTypes].filter(type => nameOf(type) === name)]),
]
