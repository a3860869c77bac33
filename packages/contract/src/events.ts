/** The one catalogue of event types that the service records, by noun. Source: contract, events; rulings 15. */
export const eventTypes = [
  'entity.create',
  'entity.update',
  'entity_verification_session.create',
  'entity_verification_session.update',
  'connect.create',
  'connect.update',
  'account.create',
  'account.update',
  'account_verification_session.create',
  'account_verification_session.update',
  'balance.create',
  'balance.update',
  'update.create',
  'update.update',
  'payoff.create',
  'payoff.update',
  'card_brand.create',
  'card_brand.update',
  'card_brand.available',
  'sensitive.create',
  'sensitive.update',
  'account_attribute.create',
  'account_attribute.update',
  'payment_instrument.create',
  'payment_instrument.update',
  'transaction.create',
  'transaction.update',
  'account.opened',
  'account.closed',
  'account.number.update',
  'product.create',
  'product.update',
  'subscription.create',
  'subscription.update',
  'payment.create',
  'payment.update',
  'payment_reversal.create',
  'payment_reversal.update',
  'opal_session.update',
  'element_session.update',
] as const
export type EventType = (typeof eventTypes)[number]

/** Events of the catalogue that nothing here causes yet: a webhook can wait for them. By noun. */
const announced: Readonly<Record<string, readonly string[]>> = {
  account: ['balance_increased', 'balance_decreased', 'credit_limit_increased', 'credit_limit_decreased'],
  entity: ['new_accounts_pending_consent'],
  account_verification: ['create', 'update'],
  connection: ['create', 'update'],
  connect: ['available'],
  manual_connect: ['create', 'update'],
  credit_score: ['create', 'update', 'available', 'increased', 'decreased'],
  identity: ['create', 'update'],
  report: ['create', 'update'],
  attribute: ['create', 'update'],
  entity_attribute: ['create', 'update'],
  entity_vehicle: ['create', 'update'],
  service_jwk: ['create', 'update'],
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

/** Every type that a webhook can be made for. Source: contract, events. */
export const webhookTypes: ReadonlySet<string> = new Set([
  ...eventTypes,
  ...Object.entries(announced).flatMap(([noun, actions]) => actions.map(action => `${noun}.${action}`)),
  ...health.flatMap(name => changes.map(change => `attribute.credit_health_${name}.${change}`)),
  ...[...health, 'soft_inquiries'].flatMap(name =>
    changes.map(change => `entity_attribute.credit_health_${name}_value.${change}`),
  ),
])
