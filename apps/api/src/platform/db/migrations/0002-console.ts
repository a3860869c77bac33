import type { Engine } from '../store.js'

/** A new table of a later migration. */
interface Added {
  columns: string
  /** The columns of the primary key: the team first. */
  key: string
  /** Indexes that begin with the team: by name, what follows `on <table>`. */
  indexes?: Readonly<Record<string, string>>
  /** The other indexes. */
  more?: Readonly<Record<string, string>>
}

/** The request log, attempts of deliveries, and what a browser signs in to the console with. */
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
    },
    more: {
      requests_age: '(created_at)',
      requests_bodies: '(created_at) where request is not null or response is not null',
    },
  },
  request_refs: {
    columns: `team_id ${id} not null, about ${id} not null, request_id ${id} not null, created_at bigint not null`,
    key: 'team_id, about, request_id',
    more: { request_refs_age: '(created_at)' },
  },
  delivery_attempts: {
    columns: `team_id ${id} not null, delivery_id ${id} not null, webhook_id ${id} not null,
      attempted_at bigint not null, number integer not null, ms integer not null, response_status integer, fault text`,
    key: 'team_id, delivery_id, attempted_at, number',
    indexes: { delivery_attempts_webhook: '(team_id, webhook_id, attempted_at)' },
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

/** The statements of the migration. Keys are made after the indexes that begin like them: see the first migration. */
export function consoleTables(engine: Engine): string[] {
  const id = engine === 'postgres' ? 'text collate "C"' : 'text'
  const tables = Object.entries(added(id)).flatMap(([table, { columns, key, indexes = {}, more = {} }]) => {
    const index = ([name, on]: [string, string]) => `create index ${name} on ${table} ${on}`
    const isPostgres = engine === 'postgres'
    return [
      `create table ${table} (${columns}${isPostgres ? '' : `, primary key (${key})`})`,
      ...Object.entries(indexes).map(index),
      ...(isPostgres ? [`alter table ${table} add primary key (${key})`] : []),
      ...Object.entries(more).map(index),
    ]
  })
  // The step that the person of a session saw last. Queries name it in the same form: see sessions/store.ts.
  const shown = engine === 'postgres' ? "(cast(progress as json) ->> 'shown')" : "json_extract(progress, '$.shown')"
  return [
    ...tables,
    `create index sessions_step on sessions (team_id, ${shown}, id) where ${shown} is not null`,
    `create index sessions_open on sessions (team_id, id, updated_at) where completed_at is null and ${shown} is not null`,
    // Finds the audit entries of a resource, for its timeline.
    'create index audit_resource on audit (team_id, resource_id, created_at)',
    'alter table audit add column reason text',
    "create index jobs_dead on jobs (id, team_id) where state = 'dead'",
    // Finds accounts by their last four digits.
    'create index accounts_mask on accounts (team_id, mask, id) where mask is not null',
  ]
}
