import { sql } from 'kysely'
import type { Store } from './store.js'
import type { Tables } from './tables.js'

/** Every table that the service uses; the compiler misses none. */
const used: Readonly<Record<keyof Tables, true>> = {
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
}
const names = Object.keys(used)

/** Lists the tables that the service uses and the store lacks, by one query of the engine's catalog. */
export async function missingTables({ engine, reader }: Pick<Store, 'engine' | 'reader'>): Promise<string[]> {
  const query =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema`
      : // Finds a name as statements do: in the schemas of the connection's search path.
        sql<{ name: string }>`select name from unnest(${names}::text[]) as name where to_regclass(name) is not null`
  const { rows } = await query.execute(reader)
  const found = new Set(rows.map(({ name }) => name))
  return names.filter(name => !found.has(name))
}

/** What to do about missing tables, which no migration creates again. */
export const lacking = (tables: readonly string[]): string =>
  `The store lacks tables that the service uses: ${tables.join(', ')}. Restore a backup, as docs/operations.md describes.`
