import { sql } from 'kysely'
import { OPERATOR } from '../../audit/operator.js'
import type { Schema } from '../migrations/0001-tenants.js'
import type { Db, Engine } from '../store.js'
import { FIRST, steps } from './steps.js'

/** Expressions for 0.2.0 columns that aren't copied from a column of the same name. */
const sources: Record<string, Record<string, string>> = {
  latest: {
    team_id: `coalesce((select team_id from old_accounts where old_accounts.id = old_latest.holder_id),
      (select team_id from old_entities where old_entities.id = old_latest.holder_id))`,
  },
  report_parts: { team_id: '(select team_id from old_reports where old_reports.id = old_report_parts.report_id)' },
  forwarding_holders: {
    team_id:
      '(select team_id from old_forwarding_requests where old_forwarding_requests.id = old_forwarding_holders.request_id)',
  },
  deliveries: { event_at: '(select created_at from old_events where old_events.id = old_deliveries.event_id)' },
  audit: { team_id: `coalesce(team_id, '${OPERATOR}')` },
}

/**
 * Tables that aren't copied: a new table, and `connector_pushes`, whose rows don't include a team. Without the old
 * rows, the service may process a repeated push a second time.
 */
const skipped = ['directory', 'connector_pushes']

/** Returns the names of the tables, indexes or triggers in a SQLite file. */
async function namesIn(tx: Db, kind: 'table' | 'index' | 'trigger'): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = ${kind} and name not like 'sqlite_%'`.execute(tx)
  return rows.map(row => row.name)
}

/** Returns the names of a store's tables. */
export async function tablesIn(tx: Db, engine: Engine): Promise<string[]> {
  if (engine === 'sqlite') return namesIn(tx, 'table')
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(tx)
  return rows.map(row => row.name)
}

/** Tables that exist in version 0.1.0 but not in version 0.2.0. */
const gone = ['code_sends', 'kysely_migration', 'kysely_migration_lock']

/**
 * Moves the old tables aside, with their rows, so that new tables, indexes, triggers and constraints can use the old
 * names.
 */
async function setAside(tx: Db, engine: Engine, known: readonly string[]): Promise<string[]> {
  const run = (text: string) => sql.raw(text).execute(tx)
  const tables = (await tablesIn(tx, engine)).filter(name => known.includes(name) || gone.includes(name))
  if (engine === 'sqlite') {
    for (const name of await namesIn(tx, 'trigger')) await run(`drop trigger ${name}`)
    for (const name of await namesIn(tx, 'index')) await run(`drop index ${name}`)
    for (const name of tables) await run(`alter table ${name} rename to old_${name}`)
    return tables
  }
  // Constraints and indexes belong to their table's schema, so moving the table frees their names.
  await run('create schema causeway_0_1')
  for (const name of tables) {
    await run(`alter table ${name} rename to old_${name}`)
    await run(`alter table old_${name} set schema causeway_0_1`)
  }
  await run(`set local search_path to ${await currentSchema(tx)}, causeway_0_1`)
  return tables
}

async function currentSchema(tx: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_schema()) as name`.execute(tx)
  return rows[0]!.name
}

/**
 * Throws if another connection is using the database. Without this check, a process of version 0.1.0 could write to the
 * new tables.
 */
async function refuseOthers(tx: Db): Promise<void> {
  const { rows } = await sql<{ name: string; count: number }>`
    select application_name as name, count(*) as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
    group by 1 order by 1`.execute(tx)
  if (rows.length === 0) return
  const those = rows.map(row => `${row.count} of ${row.name || 'a program without a name'}`).join(', ')
  throw new Error(
    `other connections are using the database (${those}). Stop every service process and close any other connections`,
  )
}

/**
 * Upgrades a store from version 0.1.0 or later to version 0.2.0 in the transaction `tx`. Copies every row to the new
 * tables, whose keys begin with the team. Nothing else may use the store during the upgrade.
 */
export async function upgrade(tx: Db, engine: Engine, { tables, rest }: Schema): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(tx)
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(tx)
  const names = new Set(applied.rows.map(row => row.name))
  if (!names.has(FIRST)) throw new Error("it was created by a version before 0.1.0, which this version can't upgrade")
  if (engine === 'postgres') await refuseOthers(tx)
  const id = engine === 'postgres' ? 'text collate "C"' : 'text'
  for (const [name, step] of Object.entries(steps))
    if (!names.has(name)) for (const statement of step({ id, engine })) await run(statement)
  const old = await setAside(
    tx,
    engine,
    tables.map(table => table.name),
  )
  for (const table of tables) await run(table.create)
  for (const { name, columns } of tables) {
    if (skipped.includes(name)) continue
    const values = columns.map(column => sources[name]?.[column] ?? column)
    await run(`insert into ${name} (${columns.join(', ')}) select ${values.join(', ')} from old_${name}`)
  }
  for (const [table, key] of [
    ['tokens', 'handle'],
    ['bearers', 'hash'],
  ])
    await run(`insert into directory (key, team_id) select ${key}, team_id from ${table}`)
  for (const statement of rest) await run(statement)
  // Drops each table before the tables that it references, because the engine rejects any other order.
  const order = tables.map(table => table.name)
  const later = (name: string) => (order.includes(name) ? order.length - order.indexOf(name) : -1)
  for (const name of [...old].sort((one, other) => later(one) - later(other))) await run(`drop table old_${name}`)
  if (engine === 'sqlite') return
  await run('drop schema causeway_0_1')
  // Updates the statistics now, because the engine may plan queries before its next background update.
  for (const { name } of tables) await run(`analyze ${name}`)
}
