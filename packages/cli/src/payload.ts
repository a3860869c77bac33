import type { Event, WebhookPayload } from '@causeway/sdk'

/** The path segment before the id of a resource that belongs to an entity or an account, by event noun. */
const segments: Readonly<Record<string, string>> = {
  entity_verification_session: 'verification_sessions',
  account_verification_session: 'verification_sessions',
  connect: 'connect',
  credit_score: 'credit_scores',
  identity: 'identities',
  entity_attribute: 'attributes',
  entity_vehicle: 'vehicles',
  manual_connect: 'manual_connect',
  balance: 'balances',
  update: 'updates',
  payoff: 'payoffs',
  card_brand: 'card_brands',
  sensitive: 'sensitive',
  account_attribute: 'attributes',
  payment_instrument: 'payment_instruments',
  transaction: 'transactions',
  product: 'products',
  subscription: 'subscriptions',
}
/** The path of each top-level resource, by id prefix. */
const roots: Readonly<Record<string, string>> = {
  ent: 'entities',
  acc: 'accounts',
  pmt: 'payments',
  osess: 'opal/sessions',
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Builds the webhook payload for an event. With `expand`, the payload contains the full event instead of its id. */
export function payloadOf(event: Event, expand: boolean): WebhookPayload {
  const { type, resource_id: id, data } = event
  const noun = type.split('.')[0] ?? type
  const root = noun === 'element_session' ? 'elements/sessions' : roots[id.slice(0, id.lastIndexOf('_'))]
  const entity = root === 'entities' ? id : (text(data['entity_id']) ?? text(data['holder_id']))
  const account = root === 'accounts' ? id : text(data['account_id'])
  const payment = text(data['pmt_id'])
  const refs = {
    ...(entity ? { entity } : {}),
    ...(account ? { account } : {}),
    ...(payment ? { payment } : {}),
  }
  const holder = account ? `accounts/${account}` : entity && `entities/${entity}`
  const segment = segments[noun]
  const inside = payment ? `payments/${payment}/reversals/${id}` : holder && segment && `${holder}/${segment}/${id}`
  const path = root ? `${root}/${id}` : inside
  return {
    webhook_id: 'whk_listen',
    id,
    type,
    op: type.split('.').at(-1) ?? type,
    ...(path ? { path: `/${path}` } : {}),
    event: expand ? event : event.id,
    refs: Object.keys(refs).length > 0 ? refs : null,
  }
}
