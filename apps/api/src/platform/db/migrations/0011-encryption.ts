import type { Migration } from '../migrate.js'

/** Keys of message-level encryption: the service's own, and those that teams registered. */
export const encryption: Migration = ({ id }) => [
  `create table service_keys (
    id ${id} primary key, n text not null, e text not null, private text not null, thumbprint text not null,
    status text not null, created_at bigint not null, updated_at bigint not null)`,
  // Of any number of processes that make the first one, one does.
  `create unique index service_keys_active on service_keys (status) where status = 'active'`,
  `create table team_public_keys (
    id ${id} primary key, team_id ${id} not null, type text not null, contact text, jwk text, well_known_endpoint text,
    kids text not null, status text not null, created_at bigint not null, updated_at bigint not null)`,
  'create index team_public_keys_team on team_public_keys (team_id, id)',
]
