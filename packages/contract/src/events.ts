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
  'payment.create',
  'payment.update',
  'payment_reversal.create',
  'payment_reversal.update',
  'opal_session.update',
  'element_session.update',
] as const
export type EventType = (typeof eventTypes)[number]
