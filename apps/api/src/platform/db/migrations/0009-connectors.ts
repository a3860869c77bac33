import type { Migration } from '../migrate.js'

/** What a connector was told to do, so that nobody tells it twice, and what it told by itself. */
export const connectors: Migration = ({ id }) => [
  `create table connector_acts (method text not null, request_id ${id} not null, team_id ${id} not null, sent_at bigint not null,
     primary key (method, request_id))`,
  'create index connector_acts_age on connector_acts (sent_at)',
  `create table connector_pushes (id ${id} primary key, received_at bigint not null)`,
  'create index connector_pushes_age on connector_pushes (received_at)',
]
