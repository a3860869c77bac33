import { type Compilable, CompiledQuery, type QueryResult } from 'kysely'
import { PoolAdapter } from './postgres/driver.js'
import { DirectAdapter } from './sqlite/driver.js'
import type { Db } from './types.js'

/** A statement that is built and compiled once per store. */
export interface Statement<Given, Row> {
  all(db: Db, input: Given): Promise<Row[]>
  first(db: Db, input: Given): Promise<Row | undefined>
  /**
   * Runs a statement whose result the transaction doesn't need. PostgreSQL receives it together with the transaction's
   * next statement, which fails if this one fails, so the caller must not handle this statement's errors. SQLite runs it
   * immediately.
   */
  later(db: Db, input: Given): Promise<void>
}

/** A placeholder that stands for a value while a statement is compiled. `index` is the value's position in a list. */
class Placeholder {
  readonly name: string
  readonly index: number | undefined
  constructor(name: string, index?: number) {
    this.name = name
    this.index = index
  }

  /** Always throws. A statement is compiled without values, so it must not depend on them. */
  [Symbol.toPrimitive](): never {
    throw new Error(`A compiled statement must not read the value of ${this.name}.`)
  }
}

type Values = Readonly<Record<string, unknown>>

/** A statement compiled for values of one shape: the same names and the same list lengths. */
interface Variant {
  names: readonly string[]
  /** The length of each list; -1 for a value that is not a list. */
  lengths: readonly number[]
  query: CompiledQuery
}

/** The maximum number of variants cached per statement. Further variants are compiled on each call. */
const MAX_VARIANTS = 32

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : -1)

function matches({ names, lengths }: Variant, values: Values): boolean {
  let count = 0
  for (const name in values) {
    const value = values[name]
    if (value === undefined) continue
    if (names[count] !== name || lengths[count] !== lengthOf(value)) return false
    count += 1
  }
  return count === names.length
}

function compile(build: (db: Db, values: Values) => Compilable, db: Db, values: Values): Variant {
  const names = Object.keys(values).filter(name => values[name] !== undefined)
  const placeholders = names.map(name => {
    const value = values[name]
    return [name, Array.isArray(value) ? value.map((_, index) => new Placeholder(name, index)) : new Placeholder(name)]
  })
  const { query, queryId, sql, parameters } = build(db, Object.fromEntries(placeholders)).compile()
  return { names, lengths: names.map(name => lengthOf(values[name])), query: { query, queryId, sql, parameters } }
}

function valueAt(parameter: unknown, values: Values): unknown {
  // PostgreSQL receives the values of a list as one array.
  if (Array.isArray(parameter)) return parameter.map(each => valueAt(each, values))
  if (!(parameter instanceof Placeholder)) return parameter
  const value = values[parameter.name]
  return parameter.index === undefined ? value : (value as readonly unknown[])[parameter.index]
}

/**
 * Runs a compiled query. On SQLite, runs the query directly on the store's only connection, without acquiring that
 * connection first. On PostgreSQL, a query outside a transaction shares a connection with others.
 * @param isSharing false to run such a query on its own connection
 */
async function run<Row>(db: Db, query: CompiledQuery<Row>, isSharing = true): Promise<QueryResult<Row>> {
  const executor = db.getExecutor()
  const { adapter } = executor
  if (executor.plugins.length === 0) {
    if (adapter instanceof DirectAdapter) return adapter.connection.executeQuery(query)
    if (adapter instanceof PoolAdapter && isSharing && !db.isTransaction && query.sql.startsWith('select'))
      return adapter.lookups.run(query) as Promise<QueryResult<Row>>
  }
  return executor.executeQuery(query)
}

/** Returns a function that runs a statement that takes no values, such as `begin`. */
export const command = (text: string): ((db: Db) => Promise<void>) => {
  const query = CompiledQuery.raw(text)
  return async db => void (await run(db, query))
}

/**
 * Compiles a statement once per store and binds its values on each call. Use this function for statements that many
 * requests run, because building and compiling a statement costs more than running it.
 * @param build builds the statement. `build` must pass the values through without reading them, so that the statement
 *   is the same for all values. A list may have any length; an undefined value is treated as absent.
 * @param options `isSlow` is true if the statement may read many rows. On PostgreSQL, such a statement uses its own
 *   connection, because lookups that share a connection wait for each other.
 */
export function compiled<Given extends object, Row>(
  build: (db: Db, given: Given) => Compilable<Row>,
  { isSlow = false } = {},
): Statement<Given, Row> {
  /** The compiled variants, keyed by store adapter. */
  const variantsByStore = new WeakMap<object, Variant[]>()
  const buildUntyped = build as unknown as (db: Db, given: Values) => Compilable

  async function execute(db: Db, values: Given, isDeferred = false): Promise<Row[]> {
    const executor = db.getExecutor()
    // Doesn't compile the statement in advance, because plugins need the statement and its values on each call.
    if (executor.plugins.length > 0) return (await db.executeQuery(build(db, values))).rows
    const bindings = values as unknown as Values
    const key = executor.adapter instanceof DirectAdapter ? executor.adapter.root : executor.adapter
    let variants = variantsByStore.get(key)
    if (!variants) {
      variants = []
      variantsByStore.set(key, variants)
    }
    let variant = variants.find(each => matches(each, bindings))
    if (!variant) {
      variant = compile(buildUntyped, db, bindings)
      if (variants.length < MAX_VARIANTS) variants.push(variant)
    }
    const { query, queryId, sql, parameters } = variant.query
    const bound = parameters.map(parameter => valueAt(parameter, bindings))
    return (await run(db, { query, queryId, sql, parameters: bound, isDeferred } as CompiledQuery<Row>, !isSlow)).rows
  }

  return {
    all: (db, input) => execute(db, input),
    later: async (db, input) => void (await execute(db, input, true)),
    first: async (db, input) => (await execute(db, input))[0],
  }
}
