import { type Compilable, CompiledQuery, type QueryResult } from 'kysely'
import { DirectAdapter } from './sqlite.js'
import type { Db } from './store.js'

/** A statement that is built and compiled once per store. */
export interface Statement<Given, Row> {
  all(db: Db, given: Given): Promise<Row[]>
  first(db: Db, given: Given): Promise<Row | undefined>
}

/** A placeholder that stands for a value while a statement is compiled. `index` is the value's position in a list. */
class Place {
  readonly name: string
  readonly index: number | undefined
  constructor(name: string, index?: number) {
    this.name = name
    this.index = index
  }

  /** Always throws, because a statement is compiled without values and must not depend on them. */
  [Symbol.toPrimitive](): never {
    throw new Error(`A compiled statement reads the value of ${this.name}.`)
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
const MOST = 32

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : -1)

function fits({ names, lengths }: Variant, given: Values): boolean {
  let count = 0
  for (const name in given) {
    const value = given[name]
    if (value === undefined) continue
    if (names[count] !== name || lengths[count] !== lengthOf(value)) return false
    count += 1
  }
  return count === names.length
}

function compile(build: (db: Db, given: Values) => Compilable, db: Db, given: Values): Variant {
  const names = Object.keys(given).filter(name => given[name] !== undefined)
  const places = names.map(name => {
    const value = given[name]
    return [name, Array.isArray(value) ? value.map((_, index) => new Place(name, index)) : new Place(name)]
  })
  const { query, queryId, sql, parameters } = build(db, Object.fromEntries(places)).compile()
  return { names, lengths: names.map(name => lengthOf(given[name])), query: { query, queryId, sql, parameters } }
}

function valueAt(parameter: unknown, given: Values): unknown {
  if (!(parameter instanceof Place)) return parameter
  const value = given[parameter.name]
  return parameter.index === undefined ? value : (value as readonly unknown[])[parameter.index]
}

/** Runs a compiled query. On SQLite, runs it directly on the store's only connection instead of acquiring one first. */
async function run<Row>(db: Db, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const executor = db.getExecutor()
  const { adapter } = executor
  if (executor.plugins.length === 0 && adapter instanceof DirectAdapter) return adapter.connection.executeQuery(query)
  return executor.executeQuery(query)
}

/** Returns a function that runs a statement without values, such as `begin`. */
export const command = (text: string): ((db: Db) => Promise<void>) => {
  const query = CompiledQuery.raw(text)
  return async db => void (await run(db, query))
}

/**
 * Compiles a statement once per store and binds its values on each call. Use it for statements that many requests run,
 * because building and compiling a statement costs more than running it.
 * @param build builds the statement. It must pass the values through without reading them, so that the statement is the
 *   same for all values. A list may have any length; an undefined value is treated as absent.
 */
export function compiled<Given extends object, Row>(
  build: (db: Db, given: Given) => Compilable<Row>,
): Statement<Given, Row> {
  /** Compiled variants by store adapter. All of a store's transactions share its adapter. */
  const known = new WeakMap<object, Variant[]>()
  const make = build as unknown as (db: Db, given: Values) => Compilable

  async function execute(db: Db, values: Given): Promise<Row[]> {
    const executor = db.getExecutor()
    // Plugins need the statement and its values on each call, so it is not compiled in advance.
    if (executor.plugins.length > 0) return (await db.executeQuery(build(db, values))).rows
    const given = values as unknown as Values
    let variants = known.get(executor.adapter)
    if (!variants) {
      variants = []
      known.set(executor.adapter, variants)
    }
    let variant = variants.find(each => fits(each, given))
    if (!variant) {
      variant = compile(make, db, given)
      if (variants.length < MOST) variants.push(variant)
    }
    const { query, queryId, sql, parameters } = variant.query
    const bound = parameters.map(parameter => valueAt(parameter, given))
    return (await run(db, { query, queryId, sql, parameters: bound } as CompiledQuery<Row>)).rows
  }

  return {
    all: execute,
    first: async (db, given) => (await execute(db, given))[0],
  }
}
