/** The indexes of a new store, and SQLite's statistics about them. */
import type { Engine } from '../types.js'
import type { Table } from './0009-tables.js'
import { rated } from './statistics.js'

/**
 * The last step that a session's user saw. Queries must use the same expression as the indexes: see sessions/store.ts.
 */
const lastStep: Record<Engine, string> = {
  postgres: "(cast(progress as json) ->> 'shown')",
  sqlite: "json_extract(progress, '$.shown')",
}

/**
 * For a small table, PostgreSQL estimates the same cost for all indexes and chooses the one created last. A connection
 * keeps that plan even as the table grows. Primary keys are therefore created after all other indexes that begin with
 * the team. Indexes that are partial or begin with another column are created after the primary keys, because only
 * queries with a matching condition can use those indexes.
 */
const beforeKeys = [
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
  'create index payments_pulled on payments (team_id, source_settlement_date, id)',
  'create index ledger_team on ledger (team_id, created_at)',
  'create index events_type on events (team_id, type, id)',
  'create index webhooks_type on webhooks (team_id, type)',
  'create index forwarding_unlinked on forwarding_requests (team_id) where linked = 0',
  'create index audit_time on audit (team_id, created_at, id)',
  'create index requests_failed on requests (team_id, id) where sub_type is not null',
  'create index requests_sub_type on requests (team_id, sub_type, id) where sub_type is not null',
  "create index requests_console on requests (team_id, id) where source = 'console'",
  'create index request_refs_failed on request_refs (team_id, about, request_id) where sub_type is not null',
  'create index delivery_attempts_webhook on delivery_attempts (team_id, webhook_id, attempted_at, ms, outcome)',
]
const afterKeys = (engine: Engine): readonly string[] => [
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
  'create index requests_age on requests (created_at)',
  'create index requests_bodies on requests (created_at) where request is not null or response is not null',
  'create index request_bodies_age on request_bodies (created_at)',
  'create index request_counts_age on request_counts (hour)',
  'create index delivery_attempts_age on delivery_attempts (attempted_at)',
  'create index console_links_age on console_links (expires_at)',
  'create index console_sessions_age on console_sessions (expires_at)',
  `create index sessions_step on sessions (team_id, ${lastStep[engine]}, id) where ${lastStep[engine]} is not null`,
  `create index sessions_open on sessions (team_id, id, updated_at) where completed_at is null and ${lastStep[engine]} is not null`,
  // Finds the sessions in which a person may have agreed to documents: see earlierAgreements. A lender may create many
  // sessions that the person never continues.
  `create index sessions_continued on sessions (team_id, entity_id, id) where (connect_id is not null or completed_at is not null)`,
  // Finds the sessions whose release could not pay every account. Queries must use the same condition as the index.
  "create index sessions_partly_paid on sessions (team_id, id) where payment_errors <> '{}'",
  // Finds a resource's audit entries for its timeline.
  'create index audit_resource on audit (team_id, resource_id, created_at, id)',
  // Finds teams with jobs, and a team's oldest jobs: see createClaims.
  "create index jobs_team_free on jobs (team_id, run_at, id) where state = 'ready' and lane is null",
  "create index jobs_dead on jobs (id, team_id) where state = 'dead'",
  // Finds accounts by their last four digits.
  'create index accounts_mask on accounts (team_id, mask, id) where mask is not null',
  "create index payments_held on payments (team_id, id) where fund_status = 'hold'",
  // Covers the payments of sessions only, because most payments have no session. PostgreSQL would use an index on all
  // payments to find payments by destination or idempotency key until the table is analyzed, and would read all of the
  // team's payments.
  'create unique index payments_of_session on payments (team_id, session_id, destination) where session_id is not null',
  // Find the few resources that wait for a job: see platform/jobs/missing.ts.
  'create index reports_waiting on reports (team_id, id) where file is null',
  "create index forwarding_waiting on forwarding_requests (team_id, id) where status = 'processing'",
]

/**
 * The partial indexes for which SQLite assumes few rows, so that it prefers them to an index that covers all rows. For
 * the other partial indexes, it assumes as many rows as for a whole table.
 */
const small = new Set([
  'requests_failed',
  'requests_sub_type',
  'requests_console',
  'requests_bodies',
  'request_refs_failed',
  'sessions_step',
  'sessions_open',
  'sessions_continued',
  'jobs_team_free',
  'jobs_dead',
  'accounts_mask',
  'payments_held',
  'payments_of_session',
])
/** The indexes for which SQLite has no statistics. */
const unrated = new Set(['reports_waiting', 'forwarding_waiting', 'sessions_partly_paid'])

/**
 * Returns the statements that store the index statistics of a large store, for SQLite. Without these statistics, SQLite
 * assumes that a condition on the team is as selective as one on the holder, and reads all of a team's rows. For each
 * index, `sqlite_stat1` holds the number of rows, then the number of rows that share a value in the first column, in the
 * first two columns, and so on.
 */
function statistics(tables: Readonly<Record<string, Table>>, indexes: readonly string[]): string[] {
  const primary = Object.entries(tables).map(
    ([table, { key, isClustered }]) => [isClustered ? table : `sqlite_autoindex_${table}_1`, table, key] as const,
  )
  const others = indexes.flatMap(text => {
    const [index, table, columns] = /^create (?:unique )?index (\w+) on (\w+) \(([^)]*)\)/
      .exec(text.replace(lastStep.sqlite, 'kind'))!
      .slice(1) as [string, string, string]
    if (tables[table] === undefined) throw new Error(`No table has the index ${index}.`)
    return unrated.has(index) ? [] : [[index, table, columns, small.has(index) ? 100 : 1_000_000] as const]
  })
  return rated([...primary, ...others])
}

/**
 * Returns the statements that create the indexes. On PostgreSQL, the statements also create the tables' primary keys:
 * see above.
 */
export function indexes(engine: Engine, tables: Readonly<Record<string, Table>>): string[] {
  const after = afterKeys(engine)
  if (engine === 'sqlite') return [...beforeKeys, ...after, ...statistics(tables, [...beforeKeys, ...after])]
  const keys = Object.entries(tables).map(([name, { key }]) => `alter table ${name} add primary key (${key})`)
  return [...beforeKeys, ...keys, ...after]
}
