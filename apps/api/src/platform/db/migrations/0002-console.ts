import type { AddedIndex } from '../added-index.js'
import type { Engine } from '../store.js'
import { rated } from './0001-tenants.js'

/** A table that this migration adds. */
interface Added {
  columns: string
  /** The columns of the primary key, which begins with the team. */
  key: string
  /** Indexes that begin with the team. Each key is an index name; its value is the text after `on <table>`. */
  indexes?: Readonly<Record<string, string>>
  /** The other indexes. */
  more?: Readonly<Record<string, string>>
  /** True if SQLite stores the rows in the primary key's index, which saves an insert for each row. */
  isClustered?: true
}

/** Tables for the request log and its counts, delivery attempts, and console links and sessions. */
const added = (id: string): Record<string, Added> => ({
  requests: {
    columns: `team_id ${id} not null, id ${id} not null, method text not null, route text not null,
      status integer not null, sub_type text, ms integer not null, version text, actor ${id} not null,
      source text not null, idempotency text not null, resource_ids text not null, request text, response text,
      created_at bigint not null`,
    key: 'team_id, id',
    indexes: {
      requests_failed: '(team_id, id) where sub_type is not null',
      requests_sub_type: '(team_id, sub_type, id) where sub_type is not null',
      requests_console: "(team_id, id) where source = 'console'",
    },
    more: {
      requests_age: '(created_at)',
      requests_bodies: '(created_at) where request is not null or response is not null',
    },
  },
  // The number of requests by hour, outcome and approximate duration. The counts are updated as the log is written.
  request_counts: {
    columns: `team_id ${id} not null, hour bigint not null, status integer not null, sub_type text not null,
      ms integer not null, count integer not null`,
    key: 'team_id, hour, status, sub_type, ms',
    more: { request_counts_age: '(hour)' },
  },
  request_refs: {
    columns: `team_id ${id} not null, about ${id} not null, request_id ${id} not null, sub_type text,
      created_at bigint not null`,
    key: 'team_id, about, request_id',
    indexes: { request_refs_failed: '(team_id, about, request_id) where sub_type is not null' },
    isClustered: true,
  },
  delivery_attempts: {
    columns: `team_id ${id} not null, delivery_id ${id} not null, webhook_id ${id} not null,
      attempted_at bigint not null, number integer not null, ms integer not null, response_status integer, fault text,
      outcome text, sent_at bigint, version text, excerpt text`,
    key: 'team_id, delivery_id, attempted_at, number',
    indexes: { delivery_attempts_webhook: '(team_id, webhook_id, attempted_at, ms, outcome)' },
    more: { delivery_attempts_age: '(attempted_at)' },
  },
  console_links: {
    columns: `team_id ${id} not null, hash ${id} not null, expires_at bigint not null, created_at bigint not null`,
    key: 'team_id, hash',
    more: { console_links_age: '(expires_at)' },
  },
  console_sessions: {
    columns: `team_id ${id} not null, hash ${id} not null, id ${id} not null, key_id ${id}, idle_until bigint not null,
      expires_at bigint not null, created_at bigint not null`,
    key: 'team_id, hash',
    more: { console_sessions_age: '(expires_at)' },
  },
})

/**
 * The last step that a session's user saw. Queries must use the same expression as the index: see sessions/store.ts.
 */
const shownStep: Record<Engine, string> = {
  postgres: "(cast(progress as json) ->> 'shown')",
  sqlite: "json_extract(progress, '$.shown')",
}

/** Indexes to add to tables from the first migration, which already have rows. */
export function consoleIndexes(engine: Engine): Record<string, AddedIndex> {
  const shown = shownStep[engine]
  return {
    sessions_step: { table: 'sessions', columns: `team_id, ${shown}, id`, where: `${shown} is not null` },
    sessions_open: {
      table: 'sessions',
      columns: 'team_id, id, updated_at',
      where: `completed_at is null and ${shown} is not null`,
    },
    // Finds the sessions in which a person may have agreed to documents: see earlierAgreements. A lender may create
    // many sessions that the person never continues.
    sessions_continued: {
      table: 'sessions',
      columns: 'team_id, entity_id, id',
      where: '(connect_id is not null or completed_at is not null)',
    },
    // Finds a resource's audit entries for its timeline.
    audit_resource: { table: 'audit', columns: 'team_id, resource_id, created_at, id' },
    // Finds teams with jobs, and a team's oldest jobs: see createClaims.
    jobs_team_free: { table: 'jobs', columns: 'team_id, run_at, id', where: "state = 'ready' and lane is null" },
    jobs_dead: { table: 'jobs', columns: 'id, team_id', where: "state = 'dead'" },
    // Finds accounts by their last four digits.
    accounts_mask: { table: 'accounts', columns: 'team_id, mask, id', where: 'mask is not null' },
    payments_held: { table: 'payments', columns: 'team_id, id', where: "fund_status = 'hold'" },
  }
}

/**
 * Returns the migration's statements. Keys are created after the indexes that begin with the team: see the first
 * migration.
 */
export function consoleTables(engine: Engine): string[] {
  const isPostgres = engine === 'postgres'
  const id = isPostgres ? 'text collate "C"' : 'text'
  const all = Object.entries(added(id))
  const tables = all.flatMap(([table, { columns, key, indexes = {}, more = {}, isClustered }]) => {
    const index = ([name, on]: [string, string]) => `create index ${name} on ${table} ${on}`
    return [
      isPostgres
        ? `create table ${table} (${columns})`
        : `create table ${table} (${columns}, primary key (${key}))${isClustered ? ' without rowid' : ''}`,
      ...Object.entries(indexes).map(index),
      ...(isPostgres ? [`alter table ${table} add primary key (${key})`] : []),
      ...Object.entries(more).map(index),
    ]
  })
  const columns = [
    'alter table audit add column reason text',
    'alter table webhooks add column store_responses integer',
    // The recipients that the accepted document named; null in rows that an earlier version created.
    'alter table consents add column recipients text',
  ]
  return isPostgres ? [...tables, ...columns] : [...tables, ...columns, ...rated(indexesOf(all))]
}

/**
 * The assumed number of rows in a partial index. The number is small so that SQLite prefers a partial index to one that
 * covers all rows.
 */
const FEW = 100
const MANY = 1_000_000

/** Each index that the migration creates on SQLite, with its table, columns and number of rows. */
const indexesOf = (all: readonly [string, Added][]): [string, string, string, number][] => [
  ...all.flatMap(([table, { key, indexes, more, isClustered }]): [string, string, string, number][] => [
    [isClustered ? table : `sqlite_autoindex_${table}_1`, table, key, MANY],
    ...Object.entries({ ...indexes, ...more }).map(([name, on]): [string, string, string, number] => [
      name,
      table,
      /^\(([^)]*)\)/.exec(on)![1]!,
      on.includes(' where ') ? FEW : MANY,
    ]),
  ]),
  ...Object.entries(consoleIndexes('sqlite')).map(
    ([name, { table, columns, where }]): [string, string, string, number] => [
      name,
      table,
      columns.replace(shownStep.sqlite, 'kind'),
      where === undefined ? MANY : FEW,
    ],
  ),
]
