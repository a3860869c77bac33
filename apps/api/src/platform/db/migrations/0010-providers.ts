/**
 * The tables of providers: what they store, the objects that belong to our resources, and the payee directory. Also what
 * they report about payments, and the comparison of their statements with the store. Also what people share: accounts and
 * products. Also what teams report about
 * people and simulate at the rail, the schedules of their reports, and the files that bureaus return.
 */
import type { Engine } from '../types.js'
import type { Table } from './0009-tables.js'

const tablesOf = (id: string): Record<string, Table> => ({
  provider_calls: {
    columns: `team_id ${id} not null, path text not null, request_id text not null, question text not null,
      answer text not null, created_at bigint not null`,
    key: 'team_id, path, request_id, question',
  },
  provider_rows: {
    columns: `team_id ${id} not null, provider text not null, kind text not null, id text not null,
      value text not null, expires_at bigint, updated_at bigint not null`,
    key: 'team_id, provider, kind, id',
  },
  provider_objects: {
    columns: `team_id ${id} not null, provider text not null, external_id text not null, kind text not null,
      resource_id ${id} not null, line_id text, return_line_id text, created_at bigint not null`,
    key: 'team_id, provider, external_id',
  },
  provider_hooks: {
    columns: 'provider text not null, id text not null, received_at bigint not null',
    key: 'provider, id',
  },
  provider_pushes: {
    columns: `team_id ${id} not null, id text not null, kind text not null, resource_id ${id} not null,
      attempts integer not null, next_at bigint not null, created_at bigint not null`,
    key: 'team_id, id',
  },
  payees: {
    columns: `id ${id} not null, mch_id text not null, status text not null, route text not null, data_key text not null,
      details text not null, max_amount bigint, note text, proposed_by text not null, proposed_at bigint not null,
      decided_by text, decided_at bigint`,
    key: 'id',
  },
  payment_notices: {
    columns: `team_id ${id} not null, payment_id ${id} not null, code text not null, at bigint not null,
      corrected text, handled_at bigint, created_at bigint not null`,
    key: 'team_id, payment_id, code, at',
  },
  entity_links: {
    columns: `team_id ${id} not null, entity_id ${id} not null, pages integer not null, request_id text, page text,
      expires_at bigint, opened_at bigint, ending text, institutions text not null, repairs integer not null, checked_at bigint not null,
      linked_at bigint`,
    key: 'team_id, entity_id',
  },
  provider_states: {
    columns: 'provider text not null, rejected_key_at bigint, hook_at bigint',
    key: 'provider',
  },
  provider_usage: {
    columns: `provider text not null, hour bigint not null, calls bigint not null, failures bigint not null,
      hooks bigint not null, failed_at bigint, failure text, failed_path text`,
    key: 'provider, hour',
  },
  reconciliations: {
    columns: `team_id ${id} not null, id ${id} not null, provider text not null, from_day text not null,
      to_day text not null, status text not null, progress text, result text, created_at bigint not null,
      ended_at bigint`,
    key: 'team_id, id',
  },
  reconciliation_states: {
    columns: `team_id ${id} not null, provider text not null, scheduled_at bigint not null, complete_at bigint not null,
      has_run integer not null`,
    key: 'team_id, provider',
  },
  reconciliation_exceptions: {
    columns: `team_id ${id} not null, id ${id} not null, provider text not null, kind text not null, subject text not null,
      resource_id ${id}, line_id text, amount bigint not null, expected_amount bigint, at bigint not null,
      first_seen_at bigint not null, last_seen_at bigint not null, resolved_at bigint, explained_at bigint,
      explained_by text, explanation text`,
    key: 'team_id, id',
  },
  intents: {
    columns: `team_id ${id} not null, id ${id} not null, event text not null, identity text not null,
      context text not null, metadata text, created_at bigint not null`,
    key: 'team_id, id',
  },
  preauths: {
    columns: `team_id ${id} not null, id ${id} not null, account_id ${id}, ownership text, standing text,
      likelihood integer, retry_at bigint, error text, metadata text, created_at bigint not null`,
    key: 'team_id, id',
  },
  files: {
    columns: `team_id ${id} not null, id ${id} not null, entity_id ${id} not null, type text not null,
      mime_type text not null, size bigint not null, parts integer not null, expires_at bigint,
      created_at bigint not null`,
    key: 'team_id, id',
  },
  file_parts: {
    columns: `team_id ${id} not null, file_id ${id} not null, number integer not null, content text not null`,
    key: 'team_id, file_id, number',
  },
  report_schedules: {
    columns: `team_id ${id} not null, id ${id} not null, types text not null, delivery_methods text not null,
      recipients text, cron text not null, status text not null, next_at bigint, created_at bigint not null,
      updated_at bigint not null`,
    key: 'team_id, id',
  },
  simulated_transactions: {
    columns: `team_id ${id} not null, id ${id} not null, amount bigint not null, created_at bigint not null`,
    key: 'team_id, id',
  },
})

const indexes = [
  'create index entity_links_repairs on entity_links (team_id, entity_id) where repairs > 0',
  'create index provider_calls_age on provider_calls (created_at)',
  'create index provider_rows_age on provider_rows (expires_at) where expires_at is not null',
  'create unique index provider_objects_external on provider_objects (external_id, provider)',
  'create index provider_objects_age on provider_objects (provider, created_at)',
  'create index provider_objects_resource on provider_objects (team_id, resource_id)',
  'create index provider_objects_unmatched on provider_objects (team_id, provider, created_at, external_id) where line_id is null',
  "create unique index payees_active on payees (mch_id) where status = 'active'",
  'create index payees_merchant on payees (mch_id, id)',
  'create index payees_latest on payees (status, id)',
  'create index payment_notices_age on payment_notices (created_at)',
  'create index intents_age on intents (created_at)',
  'create index files_entity on files (team_id, entity_id)',
  'create index files_age on files (expires_at) where expires_at is not null',
  'create index provider_pushes_due on provider_pushes (next_at)',
  'create index provider_hooks_age on provider_hooks (received_at)',
  'create index provider_usage_age on provider_usage (hour)',
  'create index reconciliations_latest on reconciliations (id, team_id)',
  'create index reconciliations_age on reconciliations (created_at)',
  'create index reconciliation_states_age on reconciliation_states (provider, complete_at)',
  'create unique index reconciliation_exceptions_subject on reconciliation_exceptions (team_id, provider, kind, subject)',
  `create index reconciliation_exceptions_unresolved on reconciliation_exceptions (team_id, provider, at)
    where resolved_at is null`,
  `create index reconciliation_exceptions_open on reconciliation_exceptions (id, team_id)
    where resolved_at is null and explained_at is null`,
  `create index reconciliation_exceptions_counted on reconciliation_exceptions (provider)
    where resolved_at is null and explained_at is null`,
  'create index reconciliation_exceptions_latest on reconciliation_exceptions (id, team_id)',
  "create index deliveries_unsuccessful on deliveries (team_id, status, id) where status <> 'delivered'",
]

export function createProviderTables(engine: Engine): string[] {
  const tables = Object.entries(tablesOf(engine === 'postgres' ? 'text collate "C"' : 'text'))
  return [
    ...tables.map(([name, { columns, key }]) => `create table ${name} (${columns}, primary key (${key}))`),
    ...indexes,
    'alter table payments add column returned_as text',
    'alter table payments add column provider text',
    'alter table accounts add column hidden_at bigint',
    'alter table accounts add column shared_at bigint',
    'alter table consents add column products text',
    'alter table entities add column agreed text',
    'alter table entities add column match_job text',
    'alter table accounts add column agreed text',
    // Lists a team's accounts without reading those that their holders don't share.
    'create index accounts_shared on accounts (team_id, id) where awaits_consent is null',
  ]
}
