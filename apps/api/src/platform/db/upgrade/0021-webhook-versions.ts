import type { Step } from './steps.js'

/**
 * Adds a webhook's own API version, which overrides its team's, and a flag for the signature headers of the other
 * mount.
 */
export const webhookVersions: Step = () => [
  'alter table webhooks add column api_version text',
  'alter table webhooks add column peer_headers integer not null default 0',
]
