import { sql } from 'kysely'
import type { Tables } from './tables.js'
import type { Store } from './types.js'

/** Every table that the service uses. The compiler rejects an incomplete list. */
const usedTables: Readonly<Record<keyof Tables, true>> = {
  settings: true,
  schema_state: true,
  directory: true,
  teams: true,
  api_keys: true,
  team_grants: true,
  idempotency: true,
  jobs: true,
  connector_acts: true,
  connector_pushes: true,
  provider_calls: true,
  provider_rows: true,
  provider_objects: true,
  provider_hooks: true,
  provider_pushes: true,
  payment_notices: true,
  entity_links: true,
  provider_states: true,
  provider_usage: true,
  payees: true,
  reconciliations: true,
  reconciliation_states: true,
  reconciliation_exceptions: true,
  lanes: true,
  entities: true,
  accounts: true,
  records: true,
  subscriptions: true,
  name_words: true,
  behaviours: true,
  latest: true,
  payments: true,
  reversals: true,
  ledger: true,
  events: true,
  webhooks: true,
  deliveries: true,
  secrets: true,
  reports: true,
  report_schedules: true,
  report_parts: true,
  forwarding_requests: true,
  forwarding_holders: true,
  sessions: true,
  tokens: true,
  bearers: true,
  session_events: true,
  consents: true,
  counters: true,
  service_keys: true,
  team_public_keys: true,
  audit: true,
  faults: true,
  simulated_transactions: true,
  intents: true,
  preauths: true,
  files: true,
  file_parts: true,
  requests: true,
  request_bodies: true,
  request_counts: true,
  request_refs: true,
  delivery_attempts: true,
  console_links: true,
  console_sessions: true,
  console_users: true,
  console_invitations: true,
  console_passkeys: true,
  console_identities: true,
  console_challenges: true,
  console_views: true,
  console_approvals: true,
  console_policies: true,
}
const tableNames = Object.keys(usedTables)
interface TableRow {
  name: string
  usable: boolean | number
}

/**
 * Describes what is wrong with a store's tables and how to fix it, or returns null. Runs a single query on the engine's
 * catalog.
 */
export async function findTableProblem({ engine, reader }: Pick<Store, 'engine' | 'reader'>): Promise<string | null> {
  const query =
    engine === 'sqlite'
      ? sql<TableRow>`select name, 1 as usable from sqlite_schema`
      : // Resolves names through the connection's search path, as statements do.
        sql<TableRow>`select name, has_table_privilege(name, 'select') and has_table_privilege(name, 'insert')
            and has_table_privilege(name, 'update') and has_table_privilege(name, 'delete') as usable
          from unnest(${tableNames}::text[]) as name where to_regclass(name) is not null`
  const { rows } = await query.execute(reader)
  const usableByName = new Map(rows.map(({ name, usable }) => [name, Boolean(usable)]))
  const listTables = (usable: boolean | undefined) =>
    tableNames.filter(name => usableByName.get(name) === usable).join(', ')
  const [missing, refused] = [listTables(undefined), listTables(false)]
  // No migration recreates a missing table.
  if (missing)
    return `The store lacks tables that the service uses: ${missing}. Restore a backup, as docs/operations.md describes.`
  return refused
    ? `The role in DATABASE_URL lacks permissions on these tables: ${refused}. Grant the role select, insert, update and delete on these tables.`
    : null
}
