/**
 * Runs the statements that Kysely compiles on a pool of connections to PostgreSQL. Sending a packet and waiting for its
 * answer costs more than running most statements, so statements that don't need each other's results share packets.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  InsertQueryNode,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
  type RootOperationNode,
  ValuesNode,
} from 'kysely'
import type pg from 'pg'
import {
  errorCode,
  isConnectionLost,
  isTemporaryFault,
  LOCK_TIMEOUT_CODE,
  STALE_PLAN_CODE,
  StoreFault,
  toStoreFault,
} from '../fault.js'
import { ListCompiler } from './list-compiler.js'
import { Lookups, MAX_PACKET_LOOKUPS, type PendingLookup } from './lookups.js'
import { type NamedStatement, type Result, runNamed } from './named-query.js'

interface Statement {
  sql: string
  parameters: readonly unknown[]
  query?: RootOperationNode
  /** True if the transaction doesn't need the result, so that the statement can be sent with the next one. */
  isDeferred?: boolean
}

const BEGIN: Statement = { sql: 'begin', parameters: [] }
/**
 * Commits without a time limit on the server. If a standby must confirm a commit but doesn't, a server-side limit would
 * end the wait and report success, even though the transaction would be lost if that standby took over. The client-side
 * limit reports a failure instead. After a failed statement, the first of these two fails, and the server skips the
 * second.
 */
// mutant: commit-waits-for-standby (= { sql: 'commit', parameters: [] })
const COMMIT: Statement = { sql: 'set local statement_timeout = 0; commit', parameters: [] }
const ROLLBACK: Statement = { sql: 'rollback', parameters: [] }

/** PostgreSQL's error code for a named statement whose parsing failed earlier in the same packet. */
const NOT_PARSED = '26000'

/** The maximum number of named statements. The service uses far fewer. */
const MAX_NAMED_STATEMENTS = 500

/**
 * The maximum number of rows of an insert that gets a name. The text of an insert depends on its number of rows, so that
 * longer inserts would use up the names, while parsing them takes little of their time.
 */
const MAX_NAMED_ROWS = 8

function hasFewRows({ query }: Statement): boolean {
  const values = query && InsertQueryNode.is(query) ? query.values : undefined
  return !values || !ValuesNode.is(values) || values.values.length <= MAX_NAMED_ROWS
}

/**
 * Ends a statement that PostgreSQL must plan for its own values. A statement with a name soon gets one plan for all
 * values: a team of average size. For a team with most of the rows, that plan can sort the whole team.
 */
export const PLAN_FOR_VALUES = '/* plan for these values */'

type Run = (client: pg.PoolClient, statement: Statement) => Promise<Result>

/**
 * Names the statements that have parameters, so that each connection parses and plans each statement only a few times.
 * Statements that end with {@link PLAN_FOR_VALUES} get no name. If another
 * process has since changed a table, PostgreSQL rejects the old plan, and the statement runs again under a new name. A
 * transaction can't continue after that error, so `write` retries the transaction.
 */
function createStatementRunner(isNaming: boolean): Run {
  const statements = new Map<string, NamedStatement>()
  let count = 0
  const nameOf = (text: string): NamedStatement | undefined => {
    const statement = statements.get(text)
    if (statement !== undefined || statements.size >= MAX_NAMED_STATEMENTS) return statement
    const newStatement = { name: `s${count++}` }
    statements.set(text, newStatement)
    return newStatement
  }
  const send = (client: pg.PoolClient, statement: NamedStatement | undefined, text: string, values: unknown[]) =>
    statement ? runNamed(client, statement, text, values) : client.query({ text, values })
  return async (client, query) => {
    const { sql: text } = query
    const values = [...query.parameters]
    const isNamed = isNaming && values.length > 0 && hasFewRows(query) && !text.endsWith(PLAN_FOR_VALUES)
    const statement = isNamed ? nameOf(text) : undefined
    try {
      return await send(client, statement, text, values)
    } catch (error) {
      // The client creates an error when the response arrives, so the error's own stack doesn't contain this call.
      if (error instanceof Error) Error.captureStackTrace(error)
      if (errorCode(error) !== STALE_PLAN_CODE || !statement) throw toStoreFault(error)
      if (statements.get(text) === statement) statements.delete(text)
      return send(client, nameOf(text), text, values).catch(() => {
        throw error
      })
    }
  }
}

/** Sends the statements of `work` in one packet. The server runs them in order, and each has its own result. */
function inOnePacket<T>(client: pg.PoolClient, work: () => T): T {
  const { stream } = client.connection
  stream.cork()
  const result = work()
  stream.uncork()
  return result
}

/** The commands whose results count the rows that they changed. */
const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** Converts a result of `pg` to one of Kysely. A result of several statements has no rows. */
const resultOf = ({ command, rowCount, rows }: Result): QueryResult<unknown> =>
  CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows: rows ?? [] }

/**
 * Returns true if the client can encode every value, so that only the server can reject the statement. The statements
 * behind a rejected one then fail too, including a commit. A statement that the client rejects is not sent at all, so
 * the commit behind it would succeed without it.
 */
const isPlain = ({ parameters }: Statement) => parameters.every(isPlainValue)
const isPlainValue = (value: unknown): boolean =>
  value === null ||
  ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ||
  (Array.isArray(value) && value.every(isPlainValue))

/**
 * A connection from the pool. In a transaction, it holds deferred statements and sends them together with the next one,
 * which fails if one of them fails.
 */
class Connection implements DatabaseConnection {
  readonly #acquire: () => Promise<pg.PoolClient>
  readonly #run: Run
  readonly #isSharing: boolean
  /** Undefined while a broken connection is being replaced. */
  #client: pg.PoolClient | undefined
  #isFirst = true
  /**
   * True after the connection has failed. A failed connection isn't reused, because late responses may still arrive on
   * it.
   */
  #failed = false
  #inTransaction = false
  #deferred: Statement[] = []

  constructor(client: pg.PoolClient, acquire: () => Promise<pg.PoolClient>, run: Run, isSharing: boolean) {
    this.#client = client
    this.#acquire = acquire
    this.#run = run
    this.#isSharing = isSharing
  }

  async begin(): Promise<void> {
    await this.#send(BEGIN)
    this.#inTransaction = true
  }

  async commit(): Promise<void> {
    await this.#send(COMMIT)
  }

  async rollback(): Promise<void> {
    // A failed connection is closed when it is released. A second error would hide the cause.
    if (this.#failed) return
    this.#deferred = []
    await this.#send(ROLLBACK)
  }

  async executeQuery<Row>(query: CompiledQuery & Statement): Promise<QueryResult<Row>> {
    // mutant: commit-follows-sent-statements (drop 4)
    if (query.isDeferred && this.#inTransaction && this.#isSharing && isPlain(query)) {
      this.#deferred.push(query)
      return { rows: [] }
    }
    // A rollback to a savepoint undoes what is held, because beginning the savepoint sent everything before it.
    if (query.sql.startsWith('rollback to savepoint')) this.#deferred = []
    return resultOf(await this.#send(query)) as QueryResult<Row>
  }

  /** Runs a statement. Marks the connection if it failed, or if the client, not the server, rejected the statement. */
  async #try(client: pg.PoolClient, statement: Statement): Promise<Result> {
    try {
      return await this.#run(client, statement)
    } catch (error) {
      this.#failed ||= error instanceof StoreFault || errorCode(error) === undefined
      throw error
    }
  }

  /** Sends a statement together with those that are held, and returns its result. */
  async #send(statement: Statement): Promise<Result> {
    const statements = [...this.#deferred, statement]
    this.#deferred = []
    const isRepeatable = this.#isFirst && /^(begin|select)\b/.test(statement.sql)
    this.#isFirst = false
    const client = this.#client
    if (!client) throw new StoreFault('CONNECTION_LOST', undefined)
    if (statements.length > 1) {
      // Waits for every result, because no result may arrive after the connection has been released.
      const results = await Promise.allSettled(
        inOnePacket(client, () => statements.map(each => this.#try(client, each))),
      )
      // mutant: deferred-failure-undoes (remove)
      for (const result of results) if (result.status === 'rejected') throw result.reason
      return (results.at(-1) as PromiseFulfilledResult<Result>).value
    }
    try {
      return await this.#try(client, statement)
    } catch (error) {
      // The connection may have broken while it was idle, without the pool detecting it.
      if (!isRepeatable || !isConnectionLost(error)) throw error
      client.release(true)
      this.#client = undefined
      this.#client = await this.#acquire()
      this.#failed = false
      return this.#try(this.#client, statement)
    }
  }

  /**
   * Runs lookups, and returns those that must run again alone: the connection broke, or another lookup may have caused
   * the failure.
   */
  async lookUp(lookups: readonly PendingLookup[]): Promise<PendingLookup[]> {
    const client = this.#client!
    const retries: PendingLookup[] = []
    const run = async (lookup: PendingLookup, index: number) => {
      try {
        lookup.resolve(resultOf(await this.#try(client, lookup.query)))
      } catch (error) {
        const code = errorCode(error)
        // The lookups after this one would wait for the same lock, one after another.
        if (code === LOCK_TIMEOUT_CODE) {
          this.#failed = true
          client.connection.stream.destroy()
        }
        if (isConnectionLost(error) || (index > 0 && (isTemporaryFault(error) || code === NOT_PARSED)))
          retries.push(lookup)
        else lookup.reject(error)
      }
    }
    await Promise.all(inOnePacket(client, () => lookups.map(run)))
    return retries
  }

  // biome-ignore lint/correctness/useYield: part of the interface; nothing here streams
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not supported.')
  }

  release(): void {
    this.#client?.release(this.#failed)
  }
}

/** The adapter of a store with a pool of connections. */
export class PoolAdapter extends PostgresAdapter {
  readonly lookups: Lookups
  constructor(lookups: Lookups) {
    super()
    this.lookups = lookups
  }
}

/**
 * @param isNaming true to use prepared statements. Without them, statements don't share packets, because a pooler that
 *   doesn't support the one might not support the other.
 */
export function openPool(pool: pg.Pool, isNaming: boolean): Dialect {
  const run = createStatementRunner(isNaming)
  const acquire = () =>
    pool.connect().catch(error => {
      throw toStoreFault(error)
    })
  const connect = async () => new Connection(await acquire(), acquire, run, isNaming)
  const asConnection = (connection: DatabaseConnection) => connection as Connection
  const driver: Driver = {
    init: async () => {},
    acquireConnection: connect,
    beginTransaction: connection => asConnection(connection).begin(),
    commitTransaction: connection => asConnection(connection).commit(),
    rollbackTransaction: connection => asConnection(connection).rollback(),
    releaseConnection: async connection => asConnection(connection).release(),
    destroy: () => pool.end(),
  }
  return {
    createAdapter: () => new PoolAdapter(new Lookups(connect, isNaming ? MAX_PACKET_LOOKUPS : 1)),
    createDriver: () => driver,
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new ListCompiler(),
  }
}
