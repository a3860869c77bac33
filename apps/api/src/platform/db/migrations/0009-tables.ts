// biome-ignore-all lint/style/noExcessiveLinesPerFile: it contains all of them.
/** The tables of a new store. */
import type { Engine } from '../types.js'

export interface Table {
  columns: string
  /** The primary key's columns. */
  key: string
  /** The foreign key: its columns, and the key that they reference. */
  references?: readonly [string, string]
  /** True if SQLite stores the rows in the primary key's index, which saves an insert for each row. */
  isClustered?: true
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
      created_at bigint not null, updated_at bigint not null, payments_stop_source text, details text`,
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
      last_error text, unique_key text, lane text, request_id ${id}, created_at bigint not null,
      claims integer not null default 0, failures integer not null default 0, takeovers integer not null default 0`,
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
      status text not null, error text, metadata text, created_at bigint not null, updated_at bigint not null,
      store_responses integer, failing_since bigint, failing_since_real bigint, weak_secret integer`,
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
      document text not null, version text not null, locale text not null, created_at bigint not null, recipients text`,
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
      request_id ${id}, created_at bigint not null, reason text, session_id ${id}, actor_name text`,
    key: 'team_id, id, created_at',
  },
  requests: {
    columns: `team_id ${id} not null, id ${id} not null, method text not null, route text not null,
      status integer not null, sub_type text, ms integer not null, version text, actor ${id} not null,
      source text not null, idempotency text not null, resource_ids text not null, request text, response text,
      created_at bigint not null, bodies_id ${id}`,
    key: 'team_id, id',
  },
  // Each row holds the bodies of several requests, because sealing and writing bodies together costs much less than
  // doing so one at a time.
  request_bodies: {
    columns: `team_id ${id} not null, id ${id} not null, sealed text not null, created_at bigint not null`,
    key: 'team_id, id',
  },
  // The number of requests by hour, outcome and approximate duration. The counts are updated as the log is written.
  request_counts: {
    columns: `team_id ${id} not null, hour bigint not null, status integer not null, sub_type text not null,
      ms integer not null, count integer not null`,
    key: 'team_id, hour, status, sub_type, ms',
  },
  request_refs: {
    columns: `team_id ${id} not null, about ${id} not null, request_id ${id} not null, sub_type text,
      created_at bigint not null`,
    key: 'team_id, about, request_id',
    isClustered: true,
  },
  delivery_attempts: {
    columns: `team_id ${id} not null, delivery_id ${id} not null, webhook_id ${id} not null,
      attempted_at bigint not null, number integer not null, ms integer not null, response_status integer, fault text,
      outcome text, sent_at bigint, version text, excerpt text`,
    key: 'team_id, delivery_id, attempted_at, number',
  },
  console_links: {
    columns: `team_id ${id} not null, hash ${id} not null, expires_at bigint not null, created_at bigint not null,
      session_id ${id}, role text, name text`,
    key: 'team_id, hash',
  },
  console_sessions: {
    columns: `team_id ${id} not null, hash ${id} not null, id ${id} not null, key_id ${id}, idle_until bigint not null,
      expires_at bigint not null, created_at bigint not null, role text, name text`,
    key: 'team_id, hash',
  },
})

/** Returns the tables, each after the tables that it references. */
export function tablesOf(engine: Engine): Record<string, Table> {
  const id = engine === 'postgres' ? 'text collate "C"' : 'text'
  return { ...global(id), ...ofTeams(id) }
}
