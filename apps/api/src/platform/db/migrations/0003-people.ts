import type { Migration } from '../migrate.js'

/**
 * Consent withdrawn, names to find people by, and what the sandbox was told to let happen to them. Names are encrypted,
 * so an entity from before is found by name after its next change.
 */
export const people: Migration = ({ id }) => [
  'alter table idempotency add column subject text',
  'create index idempotency_subject on idempotency (team_id, subject) where subject is not null',
  `create table name_words (
    team_id ${id} not null, word text not null, entity_id ${id} not null, primary key (team_id, word, entity_id))`,
  'create index name_words_entity on name_words (entity_id)',
  'alter table entities add column nameable integer not null default 0',
  'alter table entities add column withdrawn_at bigint',
  'update entities set nameable = matched',
  `create table behaviours (
    id ${id} primary key, team_id ${id} not null, entity_id ${id} not null, kind text not null, name text not null,
    created_at bigint not null, consumed_at bigint)`,
  'create index behaviours_entity on behaviours (entity_id, kind, id)',
]
