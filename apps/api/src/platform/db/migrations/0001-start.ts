import type { Migration } from '../migrate.js'

export const start: Migration = ({ id }) => [
  'create table settings (name text primary key, value text not null)',
  `create table teams (
    id ${id} primary key, parent_id ${id}, name text not null, version text not null, settings text not null,
    clock_offset bigint not null, data_key text not null, created_at bigint not null, updated_at bigint not null)`,
  `create table api_keys (
    id ${id} primary key, team_id ${id} not null references teams (id), hash text not null unique, last4 text not null,
    created_at bigint not null, last_used_at bigint, revoked_at bigint)`,
  'create index api_keys_team on api_keys (team_id, id)',
  `create table idempotency (
    team_id ${id} not null, key text not null, state text not null, method text not null, path text not null,
    body_hash text not null, status integer, body text, waits_for text, created_at bigint not null,
    primary key (team_id, key))`,
  'create index idempotency_age on idempotency (created_at)',
  `create table jobs (
    id ${id} primary key, team_id ${id} not null, kind text not null, payload text not null, state text not null,
    run_at bigint not null, clocked integer not null, lease_owner text, lease_until bigint, attempts integer not null,
    last_error text, unique_key text unique, created_at bigint not null)`,
  "create index jobs_due on jobs (run_at, id) where state = 'ready'",
  "create index jobs_team on jobs (team_id) where state = 'ready'",
  `create table entities (
    id ${id} primary key, team_id ${id} not null, type text not null, status text not null, details text, phone_hash text,
    person text, matched integer not null, phone_verified_at bigint, phone_proved_at bigint, phone_session text, identity_verified_at bigint,
    identity_session text, subscribed text not null, error text, metadata text, created_at bigint not null, updated_at bigint not null)`,
  'create index entities_team on entities (team_id, id)',
  `create table accounts (
    id ${id} primary key, team_id ${id} not null, holder_id ${id} not null references entities (id), type text not null, status text not null,
    ach_type text, routing text, number text, number_hash text, mch_id text, mask text, ownership text,
    fingerprint text, liability_type text, sub_type text, name text, reference text, payable text not null,
    supports text not null, details text, verified_at bigint, proven text not null, subscribed text not null, withdrawn_at bigint, error text, metadata text, created_at bigint not null, updated_at bigint not null)`,
  'create index accounts_team on accounts (team_id, id)',
  'create index accounts_holder on accounts (holder_id, id)',
  'create index accounts_number on accounts (team_id, number_hash) where number_hash is not null',
  'create unique index accounts_reference on accounts (holder_id, reference) where reference is not null',
  `create table records (
    id ${id} primary key, team_id ${id} not null, holder_id ${id} not null, product text not null, status text not null,
    request text not null, data text, error text, subscription_id ${id}, created_at bigint not null, updated_at bigint not null)`,
  'create index records_holder on records (holder_id, product, id)',
  `create table subscriptions (
    id ${id} primary key, team_id ${id} not null, holder_id ${id} not null, name text not null, status text not null,
    payload text, latest_request_id ${id}, next_at bigint, created_at bigint not null, updated_at bigint not null)`,
  'create index subscriptions_holder on subscriptions (holder_id, id)',
  "create unique index subscriptions_active on subscriptions (holder_id, name) where status = 'active'",
  `create table latest (
    holder_id ${id} not null, product text not null, record_id ${id} not null, primary key (holder_id, product))`,
  `create table payments (
    id ${id} primary key, team_id ${id} not null, source ${id}, destination ${id}, source_holder_id ${id},
    destination_holder_id ${id}, amount bigint not null, description text not null, status text not null,
    fund_status text not null, estimated_completion_date text, source_trace_id text, source_settlement_date text,
    source_status text, destination_trace_id text, destination_settlement_date text, destination_status text,
    destination_payment_method text, destination_posted_date text, reversal_id text, reversal_account text, fee text,
    type text not null, error text, idempotency_key text, session_id ${id}, metadata text,
    created_at bigint not null, updated_at bigint not null,
    unique (team_id, idempotency_key), unique (session_id, destination))`,
  'create index payments_team on payments (team_id, id)',
  'create index payments_source on payments (source, id)',
  'create index payments_destination on payments (destination, id)',
  'create index payments_source_holder on payments (source_holder_id, id)',
  'create index payments_destination_holder on payments (destination_holder_id, id)',
  'create index payments_status on payments (team_id, status, id)',
  `create table events (
    id ${id} primary key, team_id ${id} not null, type text not null, resource_id ${id} not null, resource_type text not null,
    data text not null, diff text not null, created_at bigint not null)`,
  'create index events_team on events (team_id, id)',
  'create index events_resource on events (resource_id, id)',
  `create table webhooks (
    id ${id} primary key, team_id ${id} not null, type text not null, url text not null, expand_event integer not null,
    auth_token text, hmac_secret text, status text not null, error text, metadata text,
    created_at bigint not null, updated_at bigint not null)`,
  'create index webhooks_team on webhooks (team_id, id)',
  `create table secrets (
    id ${id} primary key, team_id ${id} not null, value text not null, status text not null, metadata text not null,
    created_at bigint not null, updated_at bigint not null)`,
  'create index secrets_team on secrets (team_id, id)',
  `create table sessions (
    id ${id} primary key, team_id ${id} not null, entity_id ${id}, inline_entity text, mode text not null, config text not null,
    config_hash text not null, revision integer not null, progress text not null, allocations text not null,
    connect_id ${id}, completed_at bigint, payout_status text not null, payment_ids text not null, payment_errors text not null,
    released_at bigint, created_at bigint not null, updated_at bigint not null)`,
  'create index sessions_team on sessions (team_id, id)',
  'create index sessions_entity on sessions (entity_id, mode, id)',
  `create table tokens (
    handle ${id} primary key, kind text not null, team_id ${id} not null, session_id ${id} not null references sessions (id),
    secret_hash text not null, origins text, appearance text, display text not null, expires_at bigint not null, consumed_at bigint,
    exchange_hash text, exchange_until bigint, revoked_at bigint, created_at bigint not null)`,
  'create index tokens_session on tokens (session_id)',
  `create table bearers (
    hash text primary key, team_id ${id} not null, session_id ${id} not null references sessions (id), handle ${id} not null,
    origin text, mode text not null, idle_until bigint not null, expires_at bigint not null, revoked_at bigint,
    created_at bigint not null)`,
  'create index bearers_session on bearers (session_id)',
  `create table session_events (
    id ${id} primary key, team_id ${id} not null, session_id ${id} not null, handle ${id} not null, type text not null,
    data text, created_at bigint not null)`,
  'create index session_events_handle on session_events (handle, id)',
  'create index session_events_session on session_events (session_id, id)',
  `create table consents (
    id ${id} primary key, team_id ${id} not null, entity_id ${id} not null, session_id ${id} not null, document text not null,
    version text not null, locale text not null, created_at bigint not null)`,
  'create index consents_session on consents (session_id, id)',
  `create table code_sends (who text not null, at bigint not null)`,
  'create index code_sends_who on code_sends (who, at)',
  `create table audit (
    id ${id} primary key, team_id ${id}, actor text not null, action text not null, resource_id text, created_at bigint not null)`,
  'create index audit_team on audit (team_id, id)',
  `create table faults (
    team_id ${id} not null, target text not null, mode text not null, until bigint not null, primary key (team_id, target))`,
]
