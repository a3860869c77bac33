import type { Migration } from '../migrate.js'

/** So that what is too old is found without reading what is not. */
export const ages: Migration = () => [
  'create index code_sends_age on code_sends (at)',
  'create index bearers_age on bearers (expires_at)',
  'create index tokens_age on tokens (expires_at)',
]
