import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { readFault } from './fault.js'

type Statement = StatementSyncInstance & { reads: boolean }

/** Statements kept ready; far more than there are. */
const PREPARED = 500

/** Runs what Kysely compiles. A statement is over when the call returns, so nobody has to wait for a turn. */
class Connection implements DatabaseConnection {
  readonly #database: DatabaseSyncInstance
  readonly #prepared = new Map<string, Statement>()
  constructor(database: DatabaseSyncInstance) {
    this.#database = database
  }

  #prepare(sql: string): Statement {
    const known = this.#prepared.get(sql)
    if (known) return known
    const fresh = this.#database.prepare(sql)
    const statement = Object.assign(fresh, { reads: fresh.columns().length > 0 })
    if (this.#prepared.size >= PREPARED) this.#prepared.clear()
    this.#prepared.set(sql, statement)
    return statement
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const statement = this.#prepare(sql)
      if (statement.reads) return { rows: statement.all(...(parameters as never[])) as Row[] }
      const { changes } = statement.run(...(parameters as never[]))
      return { rows: [], numAffectedRows: BigInt(changes) }
    } catch (error) {
      throw readFault(error)
    }
  }

  // biome-ignore lint/correctness/useYield: part of the interface; nothing here streams
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not offered.')
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  close(): void {
    // Prepared statements keep the connection half open, so closing alone would leave the last writes in the -wal file.
    this.#database.exec('pragma wal_checkpoint(truncate)')
    this.#database.close()
  }
}

/** Data definition is transactional in SQLite, so an interrupted migration leaves the file as it was. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** One connection to a SQLite file. Transactions on it must not overlap: see `group.ts`. */
export function openSqlite(file: string, durable = true): Dialect {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec('pragma journal_mode = wal; pragma foreign_keys = on')
  database.exec(`pragma synchronous = ${durable ? 'full' : 'off'}`)
  const connection = new Connection(database)
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    // A write lock is taken at `begin`, so that two writers queue at the start instead of failing at the end.
    beginTransaction: async () => connection.exec('begin immediate'),
    commitTransaction: async () => connection.exec('commit'),
    // SQLite has already rolled back after some failures, such as a full disk. A second rollback would hide their cause.
    rollbackTransaction: async () => {
      if (database.isTransaction) connection.exec('rollback')
    },
    releaseConnection: async () => {},
    destroy: async () => connection.close(),
  }
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => driver,
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
