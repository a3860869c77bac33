import type { Step } from './steps.js'

/**
 * Stores the time of a bearer's phone proof in the bearer's row. Open bearers require a new proof, because their rows
 * don't show whether a proof exists. Existing links always require a code, just like new ones.
 */
export const bearerProofs: Step = () => [
  'alter table bearers add column proved_at bigint',
  'alter table tokens add column phone_proof_days integer',
  'update tokens set phone_proof_days = 0 where redirect_url is not null',
]
