/** The tables of version 0.2.0. This file is long because it contains all of them. */
import type { Engine } from '../store.js'

/**
 * The statements that create a new store's tables, in two parts. An upgrade copies the old store's rows after the first
 * part and before the second.
 */
export interface Schema {
  /** The tables. Each table is listed after the tables that it references. */
  tables: { name: string; columns: string[]; create: string }[]
  /** Indexes and triggers. On PostgreSQL, keys are also created here, because copying rows is faster without keys. */
  rest: string[]
}

interface Table {
  columns: string
  /** The primary key's columns. */
  key: string
  /** The foreign key: its columns, and the key that they reference. */
  references?: readonly [string, string]
}

/**
 * Tables whose rows don't belong to a team, and tables used to find a request's team. Every machine in a cluster has a
 * copy of these tables.
 */
const global = (id: string): Record<string, Table> => ({
  settings: { columns: 'name text not null, value text not null', key: 'name' },
  service_keys: {
    columns: `id ${id} not null, n text not null, e text not null, private text not null, thumbprint text not null,
      status text not null, created_at bigint not null, updated_at bigint not null`,
    key: 'id',
  },
  teams: {
    columns: `id ${id} not null, parent_id ${id}, path ${id} not null, name text not null, version text not null,
      settings text not null, clock_offset bigint not null, data_key text not null, payments_stopped_at bigint,
      created_at bigint not null, updated_at bigint not null`,
    key: 'id',
  },
  team_grants: {
    columns: `team_id ${id} not null, name text not null, value text not null`,
    key: 'team_id, name',
  },
  api_keys: {
    columns: `id ${id} not null, team_id ${id} not null, hash text not null, last4 text not null, scopes text not null,
      created_by ${id}, created_at bigint not null, last_used_at bigint, revoked_at bigint`,
    key: 'id',
    references: ['team_id', 'teams (id)'],
  },
  directory: { columns: `key ${id} not null, team_id ${id} not null`, key: 'key' },
  counters: {
    columns: `kind text not null, subject ${id} not null, used integer not null, ends_at bigint not null`,
    key: 'kind, subject',
  },
})

/** Tables whose rows belong to a team. Each primary key begins with the team. */
const ofTeams = (id: string): Record<string, Table> => ({
  idempotency: {
    columns: `team_id ${id} not null, key text not null, state text not null, method text not null, path text not null,
      body_hash text not null, subject text, status integer, body text, waits_for text, created_at bigint not null`,
    key: 'team_id, key',
  },
  jobs: {
    columns: `team_id ${id} not null, id ${id} not null, kind text not null, payload text not null, state text not null,
      run_at bigint not null, clocked integer not null, lease_owner text, lease_until bigint, attempts integer not null,
      last_error text, unique_key text, lane text, request_id ${id}, created_at bigint not null`,
    key: 'team_id, id',
  },
  lanes: {
    columns: `team_id ${id} not null, lane text not null, paused_until bigint not null, failures integer not null`,
    key: 'team_id, lane',
  },
  connector_acts: {
    columns: `team_id ${id} not null, method text not null, request_id text not null, sent_at bigint not null`,
    key: 'team_id, method, request_id',
  },
  connector_pushes: {
    columns: `team_id ${id} not null, id ${id} not null, received_at bigint not null`,
    key: 'team_id, id',
  },
  entities: {
    columns: `team_id ${id} not null, id ${id} not null, type text not null, kind text, status text not null, details text,
      typed text not null, nameable integer not null, person text, matched integer not null, phone_verified_at bigint,
      phone_proved_at bigint, phone_session text, identity_verified_at bigint, identity_session text,
      subscribed text not null, element_connect_at bigint, future_accounts_at bigint, withdrawn_at bigint, error text,
      metadata text, created_at bigint not null, updated_at bigint not null`,
    key: 'team_id, id',
  },
  name_words: {
    columns: `team_id ${id} not null, word text not null, entity_id ${id} not null`,
    key: 'team_id, word, entity_id',
  },
  accounts: {
    columns: `team_id ${id} not null, id ${id} not null, holder_id ${id} not null, type text not null, status text not null,
      ach_type text, routing text, number text, number_hash text, mch_id text, mask text, ownership text, fingerprint text,
      liability_type text, sub_type text, name text, reference text, payable text not null, supports text not null,
      details text, verified_at bigint, proven text not null, subscribed text not null, awaits_consent ${id},
      withdrawn_at bigint, error text, metadata text, created_at bigint not null, updated_at bigint not null`,
    key: 'team_id, id',
    references: ['team_id, holder_id', 'entities (team_id, id)'],
  },
  records: {
    columns: `team_id ${id} not null, id ${id} not null, holder_id ${id} not null, product text not null,
      status text not null, request text not null, data text, error text, subscription_id ${id}, change text,
      created_at bigint not null, updated_at bigint not null`,
    key: 'team_id, id',
  },
  latest: {
    columns: `team_id ${id} not null, holder_id ${id} not null, product text not null, record_id ${id} not null`,
    key: 'team_id, holder_id, product',
  },
  subscriptions: {
    columns: `team_id ${id} not null, id ${id} not null, holder_id ${id} not null, name text not null, status text not null,
      payload text, latest_request_id ${id}, next_at bigint, cursor text, watched_from bigint, created_at bigint not null,
      updated_at bigint not null`,
    key: 'team_id, id',
  },
  behaviours: {
    columns: `team_id ${id} not null, id ${id} not null, entity_id ${id} not null, kind text not null, name text not null,
      created_at bigint not null, consumed_at bigint`,
    key: 'team_id, id',
  },
  faults: {
    columns: `team_id ${id} not null, target text not null, mode text not null, until bigint not null`,
    key: 'team_id, target',
  },
  payments: {
    columns: `team_id ${id} not null, id ${id} not null, source ${id}, destination ${id}, source_holder_id ${id},
      destination_holder_id ${id}, amount bigint not null, description text not null, status text not null,
      fund_status text not null, estimated_completion_date text, source_trace_id text, source_settlement_date text,
      source_status text, destination_trace_id text, destination_settlement_date text, destination_status text,
      destination_payment_method text, destination_posted_date text, reversal_id text, reversal_account text, fee text,
      type text not null, error text, idempotency_key text, session_id ${id}, metadata text, payment_instrument ${id},
      simulated integer not null, failed_at bigint, created_at bigint not null, updated_at bigint not null`,
    key: 'team_id, id',
  },
  reversals: {
    columns: `team_id ${id} not null, id ${id} not null, payment_id ${id} not null, target_account ${id}, trace_id text,
      direction text not null, description text not null, amount bigint not null, status text not null, error text,
      approved_at bigint, created_at bigint not null, updated_at bigint not null`,
    key: 'team_id, id',
    references: ['team_id, payment_id', 'payments (team_id, id)'],
  },
  ledger: {
    columns: `team_id ${id} not null, payment_id ${id} not null, leg text not null, account ${id} not null,
      amount bigint not null, created_at bigint not null`,
    key: 'team_id, payment_id, leg',
  },
  events: {
    columns: `team_id ${id} not null, id ${id} not null, type text not null, resource_id ${id} not null,
      resource_type text not null, data text not null, diff text not null, path text, refs text, request_id ${id},
      created_at bigint not null`,
    key: 'team_id, id, created_at',
  },
  webhooks: {
    columns: `team_id ${id} not null, id ${id} not null, type text not null, url text not null, lane text not null,
      expand_event integer not null, api_version text, peer_headers integer not null, auth_token text, hmac_secret text,
      previous_secret text, previous_until bigint, failures integer not null, counted_since bigint not null,
      status text not null, error text, metadata text, created_at bigint not null, updated_at bigint not null`,
    key: 'team_id, id',
  },
  deliveries: {
    columns: `team_id ${id} not null, id ${id} not null, webhook_id ${id} not null, event_id ${id} not null,
      event_at bigint not null, status text not null, attempts integer not null, response_status integer, fault text,
      next_at bigint, attempted_at bigint, finished_at bigint, request_id ${id}, created_at bigint not null,
      updated_at bigint not null`,
    key: 'team_id, id, event_at',
    references: ['team_id, webhook_id', 'webhooks (team_id, id)'],
  },
  secrets: {
    columns: `team_id ${id} not null, id ${id} not null, value text not null, status text not null, metadata text not null,
      created_at bigint not null, updated_at bigint not null`,
    key: 'team_id, id',
  },
  reports: {
    columns: `team_id ${id} not null, id ${id} not null, type text not null, from_time bigint not null,
      to_time bigint not null, metadata text, file text, created_at bigint not null, updated_at bigint not null`,
    key: 'team_id, id',
  },
  report_parts: {
    columns: `team_id ${id} not null, file ${id} not null, number integer not null, report_id ${id} not null,
      text text not null`,
    key: 'team_id, file, number',
    references: ['team_id, report_id', 'reports (team_id, id)'],
  },
  forwarding_requests: {
    columns: `team_id ${id} not null, id ${id} not null, request text not null, status text not null, response text,
      fault text, sent_at bigint, duration_ms bigint, metadata text, linked integer not null, created_at bigint not null,
      updated_at bigint not null`,
    key: 'team_id, id',
  },
  forwarding_holders: {
    columns: `team_id ${id} not null, holder_id ${id} not null, request_id ${id} not null`,
    key: 'team_id, holder_id, request_id',
    references: ['team_id, request_id', 'forwarding_requests (team_id, id)'],
  },
  sessions: {
    columns: `team_id ${id} not null, id ${id} not null, entity_id ${id}, inline_entity text, mode text not null,
      config text not null, config_hash text not null, revision integer not null, progress text not null,
      allocations text not null, connect_id ${id}, completed_at bigint, payout_status text not null,
      payment_ids text not null, payment_errors text not null, released_at bigint, created_at bigint not null,
      updated_at bigint not null`,
    key: 'team_id, id',
  },
  tokens: {
    columns: `team_id ${id} not null, handle ${id} not null, kind text not null, session_id ${id} not null,
      secret_hash text not null, origins text, appearance text, display text not null, redirect_url text,
      phone_proof_days integer, expires_at bigint not null, consumed_at bigint, exchange_hash text, exchange_until bigint,
      revoked_at bigint, created_by ${id}, created_at bigint not null`,
    key: 'team_id, handle',
    references: ['team_id, session_id', 'sessions (team_id, id)'],
  },
  bearers: {
    columns: `team_id ${id} not null, hash ${id} not null, session_id ${id} not null, handle ${id} not null, origin text,
      mode text not null, idle_until bigint not null, expires_at bigint not null, revoked_at bigint, proved_at bigint,
      created_at bigint not null`,
    key: 'team_id, hash',
    references: ['team_id, session_id', 'sessions (team_id, id)'],
  },
  session_events: {
    columns: `team_id ${id} not null, id ${id} not null, session_id ${id} not null, handle ${id} not null,
      type text not null, data text, created_at bigint not null`,
    key: 'team_id, id, created_at',
  },
  consents: {
    columns: `team_id ${id} not null, id ${id} not null, entity_id ${id} not null, session_id ${id} not null,
      document text not null, version text not null, locale text not null, created_at bigint not null`,
    key: 'team_id, id',
  },
  team_public_keys: {
    columns: `team_id ${id} not null, id ${id} not null, type text not null, contact text, jwk text,
      well_known_endpoint text, kids text not null, status text not null, created_at bigint not null,
      updated_at bigint not null`,
    key: 'team_id, id',
  },
  audit: {
    columns: `team_id ${id} not null, id ${id} not null, actor text not null, action text not null, resource_id text,
      request_id ${id}, created_at bigint not null`,
    key: 'team_id, id, created_at',
  },
})

/**
 * For a small table, PostgreSQL estimates the same cost for all indexes and chooses the one created last. A connection
 * keeps that plan even as the table grows. Primary keys are therefore created after all other indexes that begin with
 * the team. Indexes that are partial or begin with another column are created after the primary keys, because only
 * queries with a matching condition can use those indexes.
 */
const before = [
  'create index idempotency_age on idempotency (created_at)',
  'create index idempotency_subject on idempotency (team_id, subject) where subject is not null',
  "create index jobs_team on jobs (team_id) where state = 'ready'",
  'create index accounts_status on accounts (team_id, status, id)',
  'create index accounts_type on accounts (team_id, type, id)',
  'create index accounts_liability_type on accounts (team_id, liability_type, id) where liability_type is not null',
  'create index accounts_ownership on accounts (team_id, ownership, id) where ownership is not null',
  'create index accounts_merchant on accounts (team_id, mch_id, id) where mch_id is not null',
  'create index accounts_withdrawn on accounts (team_id, id) where withdrawn_at is not null',
  'create index accounts_awaiting on accounts (team_id, id) where awaits_consent is not null',
  'create index entities_status on entities (team_id, status, id)',
  'create index entities_type on entities (team_id, type, id)',
  'create index payments_status on payments (team_id, status, id)',
  'create unique index payments_session on payments (team_id, session_id, destination)',
  'create index payments_pulled on payments (team_id, source_settlement_date, id)',
  'create index ledger_team on ledger (team_id, created_at)',
  'create index events_type on events (team_id, type, id)',
  'create index webhooks_type on webhooks (team_id, type)',
  'create index forwarding_unlinked on forwarding_requests (team_id) where linked = 0',
  'create index audit_time on audit (team_id, created_at, id)',
]
const after = [
  'create index teams_parent on teams (parent_id, id)',
  'create index teams_path on teams (path)',
  'create index teams_stopped on teams (id) where payments_stopped_at is not null',
  'create unique index api_keys_hash on api_keys (hash)',
  'create index api_keys_team on api_keys (team_id, id)',
  'create index api_keys_created_by on api_keys (created_by) where created_by is not null',
  "create unique index service_keys_active on service_keys (status) where status = 'active'",
  'create index counters_age on counters (ends_at)',
  'create unique index jobs_key on jobs (unique_key, team_id)',
  "create index jobs_free on jobs (run_at, id) where state = 'ready' and lane is null",
  "create index jobs_lane on jobs (lane, run_at, id) where state = 'ready' and lane is not null",
  'create index connector_acts_age on connector_acts (sent_at)',
  'create index connector_pushes_age on connector_pushes (received_at)',
  'create index name_words_entity on name_words (entity_id, team_id)',
  'create index accounts_holder on accounts (holder_id, id)',
  'create index accounts_number on accounts (team_id, number_hash) where number_hash is not null',
  'create unique index accounts_reference on accounts (team_id, holder_id, reference) where reference is not null',
  'create index records_holder on records (holder_id, product, id)',
  'create unique index records_change on records (team_id, holder_id, product, change) where change is not null',
  'create index subscriptions_holder on subscriptions (holder_id, id)',
  "create unique index subscriptions_active on subscriptions (team_id, holder_id, name) where status = 'active'",
  'create index behaviours_entity on behaviours (entity_id, kind, id)',
  'create index payments_source on payments (source, id)',
  'create index payments_destination on payments (destination, id)',
  'create index payments_source_holder on payments (source_holder_id, id)',
  'create index payments_destination_holder on payments (destination_holder_id, id)',
  'create unique index payments_key on payments (team_id, idempotency_key) where idempotency_key is not null',
  'create index payments_failed on payments (team_id, failed_at) where failed_at is not null',
  'create index payments_source_errors on payments (team_id, source) where error is not null',
  'create index payments_destination_errors on payments (team_id, destination) where error is not null',
  "create index payments_type on payments (team_id, type, id) where type <> 'standard'",
  'create index reversals_payment on reversals (payment_id, id)',
  'create index events_resource on events (resource_id, id)',
  'create index deliveries_webhook on deliveries (webhook_id, id)',
  'create index deliveries_status on deliveries (webhook_id, status, id)',
  'create index deliveries_finished on deliveries (webhook_id, finished_at)',
  'create unique index deliveries_event on deliveries (webhook_id, event_id, team_id, event_at)',
  'create index report_parts_report on report_parts (report_id)',
  'create index sessions_entity on sessions (entity_id, mode, id)',
  'create index tokens_session on tokens (session_id)',
  'create index tokens_age on tokens (expires_at)',
  'create index bearers_session on bearers (session_id)',
  'create index bearers_handle on bearers (handle)',
  'create index bearers_age on bearers (expires_at)',
  'create index session_events_handle on session_events (handle, id)',
  'create index session_events_session on session_events (session_id, id)',
  'create index consents_session on consents (session_id, id)',
  // Indexes on the id of the request that created a row. The jobs table has no such index: it holds few jobs at a time,
  // and each job would update the index several times.
  ...['events', 'deliveries', 'audit'].map(
    table => `create index ${table}_request on ${table} (request_id) where request_id is not null`,
  ),
]

/** Maps each column that has few distinct values to a low estimate of their number. */
const coarse: Readonly<Record<string, number>> = {
  team_id: 10,
  type: 3,
  status: 3,
  kind: 3,
  liability_type: 5,
  ownership: 3,
  source_settlement_date: 200,
}

/**
 * The index statistics of a large store, for SQLite. Without these statistics, SQLite assumes that a condition on the
 * team is as selective as one on the holder, and reads all of a team's rows. For each index, `sqlite_stat1` holds the
 * number of rows, then the number of rows that share a value in the first column, in the first two columns, and so on.
 */
function statistics(tables: Schema['tables'], keys: readonly [string, string][]): string[] {
  const named = [...before, ...after].map(
    text => /^create (?:unique )?index (\w+) on (\w+) \(([^)]*)\)/.exec(text)!.slice(1) as [string, string, string],
  )
  const primary = keys.map(([table, key]): [string, string, string] => [`sqlite_autoindex_${table}_1`, table, key])
  const known = new Set(tables.map(table => table.name))
  for (const [index, table] of named) if (!known.has(table)) throw new Error(`No table has the index ${index}.`)
  return rated([...primary, ...named])
}

/**
 * Returns the statements that store SQLite's statistics for the given indexes. Each index is listed with its table,
 * columns and number of rows.
 */
export function rated(
  indexes: readonly (readonly [index: string, table: string, columns: string, size?: number])[],
): string[] {
  const rows = indexes.map(([index, table, columns, size = 1_000_000]) => {
    let left = size
    const alike = columns.split(', ').map(column => {
      left = Math.ceil(coarse[column] ? left / coarse[column] : Math.min(left, left > 10 ? 10 : 1))
      return left
    })
    // Each primary key value matches a single row.
    if (index === table || index.startsWith('sqlite')) alike[alike.length - 1] = 1
    return `('${table}', '${index}', '${size} ${alike.join(' ')}')`
  })
  // The first statement creates the statistics table, and the last makes this connection reload it.
  return [
    'analyze sqlite_schema',
    `insert into sqlite_stat1 (tbl, idx, stat) values ${rows.join(', ')}`,
    'analyze sqlite_schema',
  ]
}

/** Triggers that make the ledger append-only by rejecting all updates and deletes. */
const appendOnly: Record<Engine, string[]> = {
  sqlite: ['update', 'delete'].map(
    act => `create trigger ledger_no_${act} before ${act} on ledger
      begin select raise(abort, 'The ledger is append-only.'); end`,
  ),
  postgres: [
    `create or replace function refuse_ledger_change() returns trigger language plpgsql as
      $$ begin raise exception 'The ledger is append-only.'; end $$`,
    `create trigger ledger_append_only before update or delete on ledger
      for each row execute function refuse_ledger_change()`,
  ],
}

/** SQL expressions for a payment's month of creation, and for the end of that month in epoch milliseconds. */
const month: Record<Engine, { name: string; end: string }> = {
  sqlite: {
    name: "strftime('%Y-%m', new.created_at / 1000, 'unixepoch')",
    end: "strftime('%s', new.created_at / 1000, 'unixepoch', 'start of month', '+1 month') * 1000",
  },
  postgres: {
    name: "to_char(to_timestamp(new.created_at / 1000) at time zone 'UTC', 'YYYY-MM')",
    end: `extract(epoch from
      date_trunc('month', to_timestamp(new.created_at / 1000) at time zone 'UTC') + interval '1 month')::bigint * 1000`,
  },
}

/**
 * Returns triggers that count a team's payments by month of creation, excluding canceled and inbound payments. A
 * counter's subject is the team's path and a slot. On PostgreSQL, the slot depends on the connection, so a team's
 * simultaneous payments rarely wait for the same row.
 */
function counted(engine: Engine): string[] {
  const slot = engine === 'sqlite' ? "'0'" : 'pg_backend_pid() % 64'
  const count = `insert into counters (kind, subject, used, ends_at) values (
      'payments ' || ${month[engine].name}, (select path from teams where id = new.team_id) || '/' || ${slot},
      case new.status when 'canceled' then -1 else 1 end, ${month[engine].end})
    on conflict (kind, subject) do update set used = counters.used + excluded.used;`
  const created = "new.payment_instrument is null and new.status <> 'canceled'"
  const changed = "new.payment_instrument is null and (old.status = 'canceled') <> (new.status = 'canceled')"
  if (engine === 'sqlite')
    return [
      `create trigger payments_counted after insert on payments when ${created} begin ${count} end`,
      `create trigger payments_recounted after update of status on payments when ${changed} begin ${count} end`,
    ]
  return [
    `create or replace function count_payment() returns trigger language plpgsql as
      $$ begin ${count} return null; end $$`,
    `create trigger payments_counted after insert on payments
      for each row when (${created}) execute function count_payment()`,
    `create trigger payments_recounted after update of status on payments
      for each row when (${changed}) execute function count_payment()`,
  ]
}

/** The schema of version 0.2.0, the first version whose migrations are numbered without gaps. */
export function tenants(engine: Engine): Schema {
  const id = engine === 'postgres' ? 'text collate "C"' : 'text'
  const declared = Object.entries({ ...global(id), ...ofTeams(id) })
  const primary = ({ key }: Table) => `primary key (${key})`
  const foreign = ({ references }: Table) =>
    references ? [`foreign key (${references[0]}) references ${references[1]}`] : []
  const tables = declared.map(([name, table]) => {
    const keys = engine === 'sqlite' ? [primary(table), ...foreign(table)] : []
    return {
      name,
      columns: table.columns.split(',').map(column => column.trim().split(' ')[0]!),
      create: `create table ${name} (${[table.columns, ...keys].join(', ')})`,
    }
  })
  const triggers = [...appendOnly[engine], ...counted(engine)]
  if (engine === 'sqlite') {
    const keys = declared.map(([name, table]): [string, string] => [name, table.key])
    return { tables, rest: [...before, ...after, ...triggers, ...statistics(tables, keys)] }
  }
  const rest = [
    ...before,
    ...declared.map(([name, table]) => `alter table ${name} add ${primary(table)}`),
    ...after,
    ...declared.flatMap(([name, table]) => foreign(table).map(key => `alter table ${name} add ${key}`)),
    ...triggers,
  ]
  return { tables, rest }
}
