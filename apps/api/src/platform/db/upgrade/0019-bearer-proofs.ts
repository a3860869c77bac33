import type { Step } from './steps.js'

/**
 * Stores the proof of a phone with the bearer that proved it. Bearers that are open now must prove it again, since the
 * rows do not say which of them did. Links created before always ask for a code, as new ones do.
 */
export const bearerProofs: Step = () => [
  'alter table bearers add column proved_at bigint',
  'alter table tokens add column phone_proof_days integer',
  'update tokens set phone_proof_days = 0 where redirect_url is not null',
]
