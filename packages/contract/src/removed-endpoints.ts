/**
 * An endpoint that is no longer available, and its replacement. The service rejects calls to the endpoint with a
 * message that names the replacement.
 */
export interface RemovedEndpoint {
  readonly path: string
  /** A message that names the replacement. */
  readonly instead: string
}

/**
 * Endpoints that were removed in version 2024-04-04 and are unavailable in every version. This list omits
 * `/entities/:ent_id/vehicles` and `/accounts/:acc_id/sensitive`, because only their old form was removed: both paths
 * now belong to products.
 */
export const removedEndpoints: readonly RemovedEndpoint[] = [
  {
    path: '/entities/:ent_id/auth_session',
    instead: 'Use /entities/{ent_id}/verification_sessions to verify, and /entities/{ent_id}/connect to find accounts.',
  },
  {
    path: '/entities/:ent_id/manual_auth_session',
    instead:
      'Use /entities/{ent_id}/verification_sessions with byo_kyc, and /entities/{ent_id}/connect to find accounts.',
  },
  { path: '/entities/:ent_id/credit_score', instead: 'Use /entities/{ent_id}/credit_scores.' },
  { path: '/entities/:ent_id/sensitive', instead: 'Use /entities/{ent_id}/identities.' },
  {
    path: '/entities/:ent_id/refresh_capabilities',
    instead: 'Use /entities/{ent_id}/products, which is always up to date.',
  },
  { path: '/accounts/:acc_id/syncs', instead: 'Use /accounts/{acc_id}/updates.' },
  {
    path: '/accounts/:acc_id/sync_enrollment',
    instead: 'Use /accounts/{acc_id}/subscriptions and enroll in update or update.snapshot.',
  },
  { path: '/accounts/:acc_id/verification', instead: 'Use /accounts/{acc_id}/verification_sessions.' },
  { path: '/accounts/:acc_id/card', instead: 'Use /accounts/{acc_id}/card_brands.' },
  {
    path: '/accounts/:acc_id/payment_history',
    instead: 'Use /accounts/{acc_id}/updates: a snapshot lists late payments.',
  },
  { path: '/accounts/:acc_id/details', instead: 'Use /accounts/{acc_id}/updates.' },
  { path: '/accounts/:acc_id/match_vehicle', instead: 'Use /entities/{ent_id}/vehicles.' },
  { path: '/accounts/bulk_sensitive', instead: 'Use /accounts/{acc_id}/sensitive for each account.' },
  {
    path: '/accounts/bulk_sync',
    instead: 'Use /accounts/{acc_id}/updates for each account, or /accounts/{acc_id}/subscriptions.',
  },
  { path: '/accounts/:acc_id/bulk_sensitive', instead: 'Use /accounts/{acc_id}/sensitive for each account.' },
  {
    path: '/accounts/:acc_id/bulk_sync',
    instead: 'Use /accounts/{acc_id}/updates for each account, or /accounts/{acc_id}/subscriptions.',
  },
  { path: '/transactions', instead: 'Use /accounts/{acc_id}/transactions.' },
  {
    path: '/routing_numbers',
    instead: 'Use POST /accounts, which checks the routing number.',
  },
  { path: '/bins', instead: 'Use /accounts/{acc_id}/card_brands, and /card_products/{id} for a card.' },
]

const patterns = removedEndpoints.map(({ path, instead }) => ({
  // Also matches longer paths, such as those with an id or an action at the end.
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}(/[^/]+)*/?$`),
  instead,
}))

/** Returns the message that names a removed path's replacement, or undefined for any other path. */
export const replacementOf = (path: string): string | undefined =>
  patterns.find(({ pattern }) => pattern.test(path))?.instead
