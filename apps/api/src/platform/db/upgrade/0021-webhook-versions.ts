import type { Step } from './steps.js'

/**
 * Adds two columns to webhooks: an API version that overrides the team's version, and a flag that adds the other
 * mount's signature headers.
 */
export const webhookVersions: Step = () => [
  'alter table webhooks add column api_version text',
  'alter table webhooks add column peer_headers integer not null default 0',
]
