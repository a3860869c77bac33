import type { Migration } from '../migrate.js'

/** Whether a person who connected by an element shares what they open later, and what waits for their word. */
export const futureAccounts: Migration = ({ id }) => [
  'alter table entities add column element_connect_at bigint',
  'alter table entities add column future_accounts_at bigint',
  // Whoever chose in an element before was not asked either.
  `update entities set element_connect_at = (select min(sessions.created_at) from sessions
    where sessions.entity_id = entities.id and sessions.connect_id is not null) where withdrawn_at is null`,
  `alter table accounts add column awaits_consent ${id}`,
  'create index accounts_awaiting on accounts (team_id, id) where awaits_consent is not null',
]
