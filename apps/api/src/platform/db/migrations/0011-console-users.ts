/**
 * The tables of console users: the users, their invitations, passkeys, identities and saved views, the challenges of
 * sign-ins, and the requests that need a second person. Also the indexes that find deliveries by the time at which they
 * failed or were canceled.
 */
import type { Engine } from '../types.js'
import type { Table } from './0009-tables.js'
import { rated } from './statistics.js'

const tablesOf = (id: string): Record<string, Table> => ({
  console_users: {
    columns: `team_id ${id} not null, id ${id} not null, email text not null, email_hash text not null, name text,
      role text not null, is_operator integer not null, status text not null, invited_by text not null,
      signed_in_at bigint, created_at bigint not null, updated_at bigint not null`,
    key: 'team_id, id',
  },
  console_invitations: {
    columns: `team_id ${id} not null, hash ${id} not null, user_id ${id} not null, expires_at bigint not null,
      created_at bigint not null`,
    key: 'team_id, hash',
  },
  console_passkeys: {
    columns: `team_id ${id} not null, id ${id} not null, user_id ${id} not null, credential_id text not null,
      public_key text not null, counter bigint not null, transports text not null, name text not null,
      is_synced integer not null, last_used_at bigint, created_at bigint not null`,
    key: 'team_id, id',
  },
  console_identities: {
    columns: `team_id ${id} not null, issuer text not null, subject text not null, user_id ${id} not null,
      created_at bigint not null`,
    key: 'team_id, issuer, subject',
  },
  console_challenges: {
    columns: `team_id ${id} not null, hash ${id} not null, kind text not null, user_id ${id}, browser_hash text,
      invitation_hash text, expires_at bigint not null`,
    key: 'team_id, hash',
  },
  console_views: {
    columns: `team_id ${id} not null, id ${id} not null, owner ${id} not null, list ${id} not null, name ${id} not null,
      query text not null, created_at bigint not null`,
    key: 'team_id, id',
  },
  console_approvals: {
    columns: `team_id ${id} not null, id ${id} not null, action text not null, status text not null, resource_id ${id},
      session_id ${id}, request text not null, asked_by ${id} not null, key_hash text, decided_by ${id}, decided_name text, note text,
      decided_at bigint, expires_at bigint not null, created_at bigint not null`,
    key: 'team_id, id',
  },
  console_policies: {
    columns: `team_id ${id} not null, approve_above bigint not null, updated_at bigint not null`,
    key: 'team_id',
  },
})

/** Partial indexes on deliveries that ended without a success. A delivery that succeeds changes neither. */
const endIndexes = [
  ['deliveries_ended', 'deliveries', 'team_id, status, finished_at, id'],
  ['deliveries_webhook_ended', 'deliveries', 'team_id, webhook_id, status, finished_at, id'],
] as const

const indexes = [
  'create unique index console_users_email on console_users (team_id, email_hash)',
  'create index console_invitations_age on console_invitations (expires_at)',
  'create unique index console_passkeys_credential on console_passkeys (team_id, credential_id)',
  'create index console_passkeys_user on console_passkeys (team_id, user_id, id)',
  "create index sessions_unreleased on sessions (team_id, id) where completed_at is not null and payout_status = 'pending_release' and mode = 'balance_transfer'",
  'create index audit_actor on audit (team_id, actor, created_at, id)',
  'create index audit_action on audit (team_id, action, created_at, id)',
  "create index audit_stops on audit (team_id, created_at, id) where action in ('payments.stop', 'payments.start')",
  'create index console_approvals_page on console_approvals (team_id, created_at, id)',
  'create index console_approvals_waiting on console_approvals (team_id, status, created_at, id)',
  'create index console_approvals_resource on console_approvals (team_id, resource_id, created_at, id)',
  'create index console_approvals_session on console_approvals (team_id, session_id, created_at, id)',
  'create unique index console_approvals_key on console_approvals (team_id, key_hash)',
  'create index console_challenges_age on console_challenges (expires_at)',
  'create unique index console_views_name on console_views (team_id, owner, list, name)',
  ...endIndexes.map(
    ([name, table, columns]) =>
      `create index ${name} on ${table} (${columns}) where finished_at is not null and status <> 'delivered'`,
  ),
]

export function createConsoleUserTables(engine: Engine): string[] {
  const tables = Object.entries(tablesOf(engine === 'postgres' ? 'text collate "C"' : 'text'))
  return [
    ...tables.map(([name, { columns, key }]) => `create table ${name} (${columns}, primary key (${key}))`),
    ...indexes,
    ...(engine === 'sqlite' ? rated(endIndexes) : []),
    'alter table audit add column changes text',
    'alter table console_sessions add column user_id text',
    'alter table console_sessions add column has_second_factor integer',
    'alter table console_sessions add column provider text',
    'alter table console_sessions add column checked_at bigint',
    'alter table console_sessions add column provider_sid_hash text',
    'create index console_sessions_sid on console_sessions (provider_sid_hash) where provider_sid_hash is not null',
  ]
}
