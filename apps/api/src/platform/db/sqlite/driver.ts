import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { StoreFault, toStoreFault } from '../fault.js'
import { createRowMaker, type MakeRow } from '../rows.js'
import type { Tables } from '../tables.js'
import type { Db } from '../types.js'

/** A prepared statement. `rows` is absent if the statement returns no rows. */
interface Statement {
  readonly native: StatementSyncInstance
  rows?: Rows
}

/** Creates row objects from the values of a statement's columns. */
interface Rows {
  readonly columns: number
  readonly make: MakeRow
}

/**
 * Returns the function that creates a statement's rows. The engine's own row objects have no prototype, and reading
 * their properties is several times slower.
 */
function rowsOf(native: StatementSyncInstance): Rows | undefined {
  const names = native.columns().map(column => column.name)
  if (names.length === 0) return undefined
  native.setReturnArrays(true)
  return { columns: names.length, make: createRowMaker(names) }
}

/** The maximum number of prepared statements. The service uses far fewer. */
const MAX_PREPARED_STATEMENTS = 500

/** Runs the statements that Kysely compiles. Each statement completes before its call returns, so there is no queue. */
class Connection implements DatabaseConnection {
  readonly #database: DatabaseSyncInstance
  readonly #prepared = new Map<string, Statement>()
  constructor(database: DatabaseSyncInstance) {
    this.#database = database
  }

  #prepare(sql: string): Statement {
    const cached = this.#prepared.get(sql)
    if (cached) return cached
    const native = this.#database.prepare(sql)
    const rows = rowsOf(native)
    const statement: Statement = rows ? { native, rows } : { native }
    if (this.#prepared.size >= MAX_PREPARED_STATEMENTS) this.#prepared.clear()
    this.#prepared.set(sql, statement)
    return statement
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const statement = this.#prepare(sql)
      if (statement.rows) return { rows: this.#read(statement, statement.rows, parameters) as Row[] }
      const { changes } = statement.native.run(...parameters)
      return { rows: [], numAffectedRows: BigInt(changes) }
    } catch (error) {
      throw toStoreFault(error)
    }
  }

  #read(statement: Statement, cachedRows: Rows, parameters: readonly unknown[]): object[] {
    const values = statement.native.all(...parameters) as (readonly unknown[])[]
    let rows = cachedRows
    // After a table has changed, the engine prepares the statement again, which can change the number of columns.
    if (values.length > 0 && values[0]!.length !== rows.columns) {
      rows = rowsOf(statement.native)!
      statement.rows = rows
    }
    const objects = new Array<object>(values.length)
    for (let index = 0; index < values.length; index++) objects[index] = rows.make(values[index]!)
    return objects
  }

  // biome-ignore lint/correctness/useYield: part of the interface; nothing here streams
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not supported.')
  }

  /** False if no transaction is open, for example because the engine ended it when the disk was full. */
  get isTransaction(): boolean {
    return this.#database.isTransaction
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  close(): void {
    // Prepared statements keep the connection partly open, so closing only the connection would leave the last writes
    // in the -wal file.
    this.#database.exec('pragma wal_checkpoint(truncate)')
    this.#database.close()
  }
}

/**
 * The connection as one writer of a group uses it. Refuses statements after the writer's end, which would otherwise run
 * in another writer's transaction, and after the engine ended the transaction, when each would be committed immediately.
 */
class Member implements DatabaseConnection {
  readonly #connection: Connection
  isOver = false
  constructor(connection: Connection) {
    this.#connection = connection
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.isOver) return Promise.reject(new Error('The transaction of this statement has already ended.'))
    if (!this.#connection.isTransaction) return Promise.reject(new StoreFault('TRANSACTION_LOST', null))
    return this.#connection.executeQuery<Row>(query)
  }

  // biome-ignore lint/correctness/useYield: part of the interface; nothing here streams
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not supported.')
  }
}

/** Returns the handle of a writer in a group, and a function that ends it. */
export function createMember(db: Db): { tx: Db; end(): void } {
  const executor = db.getExecutor()
  const { root } = executor.adapter as DirectAdapter
  const member = new Member(root.connection as Connection)
  const adapter = new DirectAdapter(member, root)
  const provider = { provideConnection: <T>(work: (connection: DatabaseConnection) => Promise<T>) => work(member) }
  return {
    tx: new Kysely<Tables>({
      config,
      dialect,
      driver,
      executor: new DefaultQueryExecutor(compiler, adapter, provider, [...executor.plugins]),
    }),
    end() {
      member.isOver = true
    },
  }
}

const compiler = new SqliteQueryCompiler()
const rejectNested = () => {
  throw new Error('A transaction cannot be started inside a transaction.')
}
/** The parts of a writer's handle that only a connection outside a transaction uses. */
const driver: Driver = {
  init: rejectNested,
  acquireConnection: rejectNested,
  beginTransaction: rejectNested,
  commitTransaction: rejectNested,
  rollbackTransaction: rejectNested,
  releaseConnection: rejectNested,
  destroy: rejectNested,
}
const dialect: Dialect = {
  createAdapter: rejectNested,
  createDriver: rejectNested,
  createIntrospector: rejectNested,
  createQueryCompiler: () => compiler,
}
const config = { dialect }

/** The adapter of a store with a single connection. */
export class DirectAdapter extends SqliteAdapter {
  readonly connection: Connection | Member
  /** The store's own adapter, which the handles of its writers share. */
  readonly root: DirectAdapter
  constructor(connection: Connection | Member, root?: DirectAdapter) {
    super()
    this.connection = connection
    this.root = root ?? this
  }
}

/** Throws if the file is empty. SQLite would accept an empty file, such as a truncated store, as a new database. */
export function rejectEmptyFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0) return
  throw new Error(
    `The store ${file} cannot be opened: the file is empty. Restore a backup, as docs/operations.md describes, or delete the file to start with a new store.`,
  )
}

/**
 * Creates a store's file if it doesn't exist. The file gets its final name only after it has a header, so that killing
 * the process during creation does not leave an empty store. The engine creates its other files with the same
 * permissions.
 */
export function createSqlite(file: string): void {
  if (existsSync(file)) return
  const newFile = `${file}.new`
  rmSync(newFile, { force: true })
  closeSync(openSync(newFile, 'wx', 0o600))
  const database = new DatabaseSync(newFile)
  database.exec('pragma journal_mode = wal')
  database.close()
  renameSync(newFile, file)
}

/** Opens one connection to a SQLite file. Transactions on the connection must not overlap: see `group.ts`. */
export function openSqlite(file: string, durable = true): Dialect {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec('pragma journal_mode = wal; pragma foreign_keys = on')
  database.exec(`pragma synchronous = ${durable ? 'full' : 'off'}`)
  // Copies the log into the file every 4,000 pages (16 MB) instead of every 1,000. A page that changes often is then
  // copied less often, which makes payments 8% faster.
  database.exec('pragma wal_autocheckpoint = 4000')
  const connection = new Connection(database)
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    // Acquires the write lock at `begin`, so that a second writer waits at the start instead of failing at the end.
    beginTransaction: async () => connection.exec('begin immediate'),
    commitTransaction: async () => connection.exec('commit'),
    // After some failures, such as a full disk, SQLite has already rolled back. A second rollback would hide the cause.
    rollbackTransaction: async () => {
      if (database.isTransaction) connection.exec('rollback')
    },
    releaseConnection: async () => {},
    destroy: async () => connection.close(),
  }
  return {
    createAdapter: () => new DirectAdapter(connection),
    createDriver: () => driver,
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
