import { sql } from 'kysely'
import { errorCode } from './fault.js'
import { tenants } from './migrations/0001-tenants.js'
import type { Db, Engine } from './store.js'
import { tablesIn, upgrade } from './upgrade/upgrade.js'

/**
 * A change of the tables. Its number is its place in the list, from 1. While a release replaces the one before it, both run
 * on one store. So a release expands: it adds tables, indexes and columns that can be null, and writes both shapes. A later
 * release contracts: it removes what no running version uses.
 */
export interface Migration {
  phase: 'expand' | 'contract'
  /** The lowest number of a version that can use the store afterward. */
  leaves: number
  statements(engine: Engine): string[]
}

const migrations: readonly Migration[] = [
  {
    phase: 'expand',
    leaves: 1,
    statements(engine) {
      const { tables, rest } = tenants(engine)
      return [...tables.map(table => table.create), ...rest]
    },
  },
]

/** What a store says of itself: the number of its last migration, and the lowest number of a version that can use it. */
export interface SchemaState {
  version: number
  min_build: number
}

/** The number of a version: that of its last migration. */
const buildOf = (list: readonly Migration[]): number => list.length
/** The number of the migration that a version can't do without: the last one that adds something. */
const neededBy = (list: readonly Migration[]): number => list.findLastIndex(({ phase }) => phase === 'expand') + 1

/** The number of this version. */
export const BUILD = buildOf(migrations)

/** Reads the state of a store; null for one without tables, or of a version before 0.2.0. */
export async function readSchema(db: Db, engine: Engine): Promise<SchemaState | null> {
  if (!(await tablesIn(db, engine)).includes('schema_state')) return null
  const row = await db.selectFrom('schema_state').select(['version', 'min_build']).executeTakeFirst()
  return row && row.version > 0 ? row : null
}

/** Throws if this version can't use a store. */
export async function checkSchema(db: Db, engine: Engine, list = migrations): Promise<void> {
  const wrong = misfit(await readSchema(db, engine), list)
  if (wrong !== null) throw new Error(wrong)
}

/** Says why this version can't use a store with a state, or returns null. */
export function misfit(state: SchemaState | null, list = migrations): string | null {
  if (state === null)
    return 'it has no tables of this version. If version 0.1.0 made it, stop every process of the service and make a backup. Then run pnpm admin migrate'
  const { version, min_build } = state
  if (buildOf(list) < min_build)
    return `a later version has changed it so that this one can't use it. Install a version with schema ${min_build} or later (this one has ${buildOf(list)})`
  return version < neededBy(list)
    ? `its tables are at ${version}, and this version needs ${neededBy(list)}. Run pnpm admin migrate`
    : null
}

/** What PostgreSQL tells all but one of several processes that make a table at once: a name is taken, in one of its catalogs. */
const TAKEN = ['23505', '42P07', '42710']

/** Makes the row whose lock says which process changes the tables. */
async function begin(db: Db, engine: Engine): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  if (!(await tablesIn(db, engine)).includes('schema_state'))
    await run(
      'create table schema_state (id integer primary key, version integer not null, min_build integer not null)',
    ).catch(error => {
      if (!TAKEN.includes(errorCode(error) ?? '')) throw error
    })
  await run('insert into schema_state (id, version, min_build) values (1, 0, 1) on conflict (id) do nothing')
}

export interface MigrateOptions {
  /** Whether a store of version 0.1.0 is turned into one of version 0.2.0: nothing else can use it meanwhile. */
  upgrades?: boolean
  /** `contract` also removes what this version no longer uses: only once no process of an earlier version runs. */
  phase?: Migration['phase']
  /** In tests only. */
  list?: readonly Migration[]
}

/** Brings the tables up to date, one process at a time. Tables and columns of a later version stay. */
export async function migrate(
  db: Db,
  engine: Engine,
  { upgrades = false, phase = 'expand', list = migrations }: MigrateOptions = {},
): Promise<void> {
  const known = await readSchema(db, engine)
  if (known && pending(known, list, phase).length === 0) return
  if (engine === 'postgres') await begin(db, engine)
  await db.transaction().execute(async tx => {
    if (engine === 'sqlite') await begin(tx, engine)
    const query = tx.selectFrom('schema_state').selectAll()
    const state = await (engine === 'postgres' ? query.forUpdate() : query).executeTakeFirstOrThrow()
    for (const number of pending(state, list, phase)) {
      const { leaves, statements } = list[number - 1]!
      const isOld = number === 1 && (await tablesIn(tx, engine)).includes('kysely_migration')
      if (isOld && !upgrades)
        throw new Error(
          'version 0.1.0 made it. Stop every process of the service, make a backup, then run pnpm admin migrate',
        )
      if (isOld) await upgrade(tx, engine, tenants(engine))
      else for (const statement of statements(engine)) await sql.raw(statement).execute(tx)
      await tx.updateTable('schema_state').set({ version: number, min_build: leaves }).execute()
    }
  })
}

/** The numbers of the migrations that a store still lacks, in order. A migration that contracts holds up those after it. */
export function pending(
  { version }: Pick<SchemaState, 'version'>,
  list = migrations,
  phase: Migration['phase'] = 'contract',
): number[] {
  const left = list.slice(version)
  const held = phase === 'contract' ? -1 : left.findIndex(migration => migration.phase === 'contract')
  return (held === -1 ? left : left.slice(0, held)).map((_, index) => version + index + 1)
}

/** Whether a migration adds or removes. */
export const phaseOf = (number: number): Migration['phase'] => migrations[number - 1]!.phase

/** The statements of a list's migrations that take something away from a version before them, which may still be running. */
export const harmful = (list = migrations): string[] =>
  list
    .slice(1)
    .filter(({ phase }) => phase === 'expand')
    .flatMap(({ statements }) => (['sqlite', 'postgres'] as const).flatMap(engine => statements(engine)))
    .filter(
      text =>
        /\b(drop|rename|truncate|delete)\b|\bset not null\b|\balter column\b/i.test(text) ||
        (/\badd column\b/i.test(text) && /\bnot null\b/i.test(text) && !/\bdefault\b/i.test(text)),
    )
