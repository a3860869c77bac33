import type { Step } from './steps.js'

/** The version that a webhook speaks, instead of its team's; and whether it is signed by the other mount's headers too. */
export const webhookVersions: Step = () => [
  'alter table webhooks add column api_version text',
  'alter table webhooks add column peer_headers integer not null default 0',
]
