import { type Kysely, Migrator, sql } from 'kysely'
import { start } from './migrations/0001-start.js'
import { ages } from './migrations/0002-ages.js'
import { people } from './migrations/0003-people.js'
import { versions } from './migrations/0004-versions.js'
import { continuous } from './migrations/0005-continuous.js'
import { filters } from './migrations/0008-filters.js'
import { connectors } from './migrations/0009-connectors.js'
import type { Engine } from './store.js'
import type { Tables } from './tables.js'

/** A migration is a list of statements; `id` is the column type of ids, which sort by their bytes on both engines. */
export type Migration = (types: { id: string }) => string[]

const migrations: Record<string, Migration> = {
  '0001-start': start,
  '0002-ages': ages,
  '0003-people': people,
  '0004-versions': versions,
  '0005-continuous': continuous,
  '0008-filters': filters,
  '0009-connectors': connectors,
}

/** Brings the tables up to date, one process at a time. */
export async function migrate(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const types = { id: engine === 'postgres' ? 'text collate "C"' : 'text' }
  const migrator = new Migrator({
    db: db as unknown as Kysely<unknown>,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations).map(([name, migration]) => [
            name,
            {
              async up(tx: Kysely<unknown>) {
                for (const statement of migration(types)) await sql.raw(statement).execute(tx)
              },
            },
          ]),
        ),
    },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
