/**
 * The tables of providers: what they store, the objects that belong to our resources, and the payee directory. Also what
 * they report about payments.
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
      resource_id ${id} not null, created_at bigint not null`,
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
  provider_states: {
    columns: 'provider text not null, rejected_key_at bigint, hook_at bigint',
    key: 'provider',
  },
  provider_usage: {
    columns: `provider text not null, hour bigint not null, calls bigint not null, failures bigint not null,
      hooks bigint not null, failed_at bigint, failure text, failed_path text`,
    key: 'provider, hour',
  },
})

const indexes = [
  'create index provider_calls_age on provider_calls (created_at)',
  'create index provider_rows_age on provider_rows (expires_at) where expires_at is not null',
  'create unique index provider_objects_external on provider_objects (external_id, provider)',
  'create index provider_objects_age on provider_objects (provider, created_at)',
  'create index provider_objects_resource on provider_objects (team_id, resource_id)',
  "create unique index payees_active on payees (mch_id) where status = 'active'",
  'create index payees_merchant on payees (mch_id, id)',
  'create index payees_latest on payees (status, id)',
  'create index payment_notices_age on payment_notices (created_at)',
  'create index provider_pushes_due on provider_pushes (next_at)',
  'create index provider_hooks_age on provider_hooks (received_at)',
  'create index provider_usage_age on provider_usage (hour)',
]

export function createProviderTables(engine: Engine): string[] {
  const tables = Object.entries(tablesOf(engine === 'postgres' ? 'text collate "C"' : 'text'))
  return [
    ...tables.map(([name, { columns, key }]) => `create table ${name} (${columns}, primary key (${key}))`),
    ...indexes,
    'alter table payments add column returned_as text',
  ]
}
