import type { Step } from './steps.js'

/**
 * Adds an API version to webhooks, which overrides the team's version, and a flag for sending the other mount's
 * signature headers.
 */
export const webhookVersions: Step = () => [
  'alter table webhooks add column api_version text',
  'alter table webhooks add column peer_headers integer not null default 0',
]
