import type { Migration } from '../migrate.js'

/** Reports, requests that are forwarded, and the lists of what a team has below it. */
export const platform: Migration = ({ id }) => [
  `create table reports (
    id ${id} primary key, team_id ${id} not null, type text not null, from_time bigint not null, to_time bigint not null,
    metadata text, created_at bigint not null, updated_at bigint not null)`,
  `create table forwarding_requests (
    id ${id} primary key, team_id ${id} not null, request text not null, status text not null, response text, fault text,
    sent_at bigint, duration_ms bigint, metadata text, created_at bigint not null, updated_at bigint not null)`,
  'create index teams_parent on teams (parent_id, id)',
  'create index reversals_team on reversals (team_id, id)',
  'create index payments_pulled on payments (team_id, source_settlement_date, id)',
  'create index ledger_team on ledger (team_id, created_at)',
]
