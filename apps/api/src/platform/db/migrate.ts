import { sql } from 'kysely'
import { errorCode } from './fault.js'
import { tenants } from './migrations/0001-tenants.js'
import type { Db, Engine } from './store.js'
import { tablesIn, upgrade } from './upgrade/upgrade.js'

/**
 * A change of the tables. Its number is one more than that of the one before. While a version replaces the one before it,
 * both run: a migration of a release adds tables, indexes and columns that may be null, and a later release removes what
 * nothing uses any more.
 */
interface Migration {
  /** The lowest number of a version that may still use the store afterward. */
  leaves: number
  run(tx: Db, engine: Engine, upgrades: boolean): Promise<void>
}

/** By number, from 1. */
const migrations: readonly Migration[] = [
  {
    leaves: 1,
    async run(tx, engine, upgrades) {
      const schema = tenants(engine)
      const isOld = (await tablesIn(tx, engine)).includes('kysely_migration')
      if (isOld && !upgrades)
        throw new Error(
          'version 0.1.0 made it. Stop every process of the service, make a backup, then run pnpm admin migrate',
        )
      if (isOld) return upgrade(tx, engine, schema)
      for (const { create } of schema.tables) await sql.raw(create).execute(tx)
      for (const statement of schema.rest) await sql.raw(statement).execute(tx)
    },
  },
]

/** The number of this version: that of its last migration. */
export const BUILD = migrations.length

/** What a store says of itself: the number of its last migration, and the lowest number of a version that may use it. */
export interface SchemaState {
  version: number
  min_build: number
}

/** Reads the state of a store; null for one without tables, or of a version before 0.2.0. */
export async function readSchema(db: Db, engine: Engine): Promise<SchemaState | null> {
  if (!(await tablesIn(db, engine)).includes('schema_state')) return null
  const row = await db.selectFrom('schema_state').select(['version', 'min_build']).executeTakeFirst()
  return row && row.version > 0 ? row : null
}

/** Throws where this version can't use a store. */
export async function checkSchema(db: Db, engine: Engine): Promise<void> {
  const wrong = misfit(await readSchema(db, engine))
  if (wrong !== null) throw new Error(wrong)
}

/** Says why this version can't use a store with a state, or returns null. */
export function misfit(state: SchemaState | null): string | null {
  if (state === null)
    return 'it has no tables of this version. If version 0.1.0 made it, stop every process of the service and make a backup. Then run pnpm admin migrate'
  const { version, min_build } = state
  if (BUILD < min_build)
    return `a later version has changed it so that this one can't use it. Install a version with schema ${min_build} or later (this one has ${BUILD})`
  return version < BUILD
    ? `its tables are at ${version}, and this version needs ${BUILD}. Run pnpm admin migrate`
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

/**
 * Brings the tables up to date, one process at a time. What a later version added stays.
 * @param upgrades whether a store of version 0.1.0 is turned into one of version 0.2.0: nothing else may use it meanwhile
 */
export async function migrate(db: Db, engine: Engine, upgrades: boolean): Promise<void> {
  const known = await readSchema(db, engine)
  if (known && known.version >= BUILD) return
  if (engine === 'postgres') await begin(db, engine)
  await db.transaction().execute(async tx => {
    if (engine === 'sqlite') await begin(tx, engine)
    const query = tx.selectFrom('schema_state').selectAll()
    const { version } = await (engine === 'postgres' ? query.forUpdate() : query).executeTakeFirstOrThrow()
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue
      await migration.run(tx, engine, upgrades)
      const next = { version: index + 1, min_build: migration.leaves }
      await tx.updateTable('schema_state').set(next).execute()
    }
  })
}
