import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely'

/** Kysely speaks to a driver of another shape; this gives it ours, with each statement prepared once. */
function adapt(database: DatabaseSyncInstance): SqliteDatabase {
  const prepared = new Map<string, StatementSyncInstance & { reader: boolean }>()
  return {
    close: () => database.close(),
    prepare(sql) {
      let statement = prepared.get(sql)
      if (!statement) {
        const fresh = database.prepare(sql)
        statement = Object.assign(fresh, { reader: fresh.columns().length > 0 })
        if (prepared.size >= 500) prepared.clear()
        prepared.set(sql, statement)
      }
      const ready = statement
      return {
        reader: ready.reader,
        all: parameters => ready.all(...(parameters as never[])),
        run: parameters => {
          const { changes, lastInsertRowid } = ready.run(...(parameters as never[]))
          return { changes: BigInt(changes), lastInsertRowid: BigInt(lastInsertRowid) }
        },
        iterate: parameters => ready.iterate(...(parameters as never[])) as IterableIterator<unknown>,
      }
    },
  }
}

/** A write lock is taken at `begin`, so that two writers queue at the start instead of failing at the end. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

class Dialect extends SqliteDialect {
  readonly #database: SqliteDatabase
  constructor(database: SqliteDatabase) {
    super({ database })
    this.#database = database
  }
  override createDriver(): Driver {
    return new ImmediateDriver({ database: this.#database })
  }
}

/** One connection to a SQLite file. `:memory:` is not offered: two connections would see two stores. */
export function openSqlite(file: string): Dialect {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  return new Dialect(adapt(database))
}
