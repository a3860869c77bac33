import type { Step } from './steps.js'

/**
 * The proof of a phone belongs to the bearer that gave it. Bearers that are open now prove it again, since their rows do
 * not say which of them did. Links that are out always ask for a code, as new ones do.
 */
export const bearerProofs: Step = () => [
  'alter table bearers add column proved_at bigint',
  'alter table tokens add column phone_proof_days integer',
  'update tokens set phone_proof_days = 0 where redirect_url is not null',
]
