import type { Migration } from '../migrate.js'

/** The version that a webhook speaks, instead of its team's; and whether it is signed by the other mount's headers too. */
export const webhookVersions: Migration = () => [
  'alter table webhooks add column api_version text',
  'alter table webhooks add column peer_headers integer not null default 0',
]
