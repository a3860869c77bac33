import type { Migration } from '../migrate.js'

/** So that a filter that few rows or none pass reads those, and not a team's whole list. */
export const filters: Migration = () => [
  'create index accounts_status on accounts (team_id, status, id)',
  'create index accounts_type on accounts (team_id, type, id)',
  'create index accounts_liability_type on accounts (team_id, liability_type, id) where liability_type is not null',
  'create index accounts_ownership on accounts (team_id, ownership, id) where ownership is not null',
  'create index accounts_merchant on accounts (team_id, mch_id, id) where mch_id is not null',
  'create index accounts_withdrawn on accounts (team_id, id) where withdrawn_at is not null',
  'create index entities_status on entities (team_id, status, id)',
  'create index entities_type on entities (team_id, type, id)',
]
