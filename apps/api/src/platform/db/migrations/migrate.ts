import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { errorCode, isContended } from '../fault.js'
import { lockRows } from '../row-locks.js'
import type { Db, Engine } from '../types.js'
import { createTables } from './0009-first.js'
import { createProviderTables } from './0010-providers.js'
import { createConsoleUserTables } from './0011-console-users.js'
import { type AddedIndex, createIndex } from './added-index.js'

/**
 * A schema change. Migrations are numbered without gaps in the order of the list. During an upgrade, the old and new
 * releases run on the same store. A release therefore expands first: it adds tables, indexes and nullable columns, and
 * writes both the old and new forms. A later release contracts: it removes anything that no running version uses.
 */
export interface Migration {
  phase: 'expand' | 'contract'
  /** The minimum schema number that a version must have to use the store after this migration. */
  leaves: number
  /**
   * The number of earlier migrations that the list's first migration replaces. Its own number is the next one, so that a
   * store that ran the earlier migrations has the same number as a new store. Defaults to 0.
   */
  squashes?: number
  statements(engine: Engine): string[]
  /**
   * The indexes, keyed by name, to add to tables that already have rows. PostgreSQL builds each index before the
   * migration's statements run and outside a transaction, so that writes can continue. An index may use only columns
   * from earlier migrations.
   */
  indexes?(engine: Engine): Readonly<Record<string, AddedIndex>>
}

const migrations: readonly Migration[] = [
  { phase: 'expand', leaves: 1, squashes: 8, statements: createTables },
  { phase: 'expand', leaves: 1, statements: createProviderTables },
  { phase: 'expand', leaves: 1, statements: createConsoleUserTables },
]

/**
 * The state recorded in the store: the number of its last migration and the minimum schema number that a version must
 * have to use it.
 */
export interface SchemaState {
  version: number
  min_build: number
}

/** Returns the number of migrations that the first one of the list replaces. */
const squashedCount = (list: readonly Migration[]): number => list[0]?.squashes ?? 0
/** Returns the migration with a number. */
const migrationOf = (number: number, list: readonly Migration[]): Migration => list[number - squashedCount(list) - 1]!
/** Returns a version's schema number, which is the number of its last migration. */
const buildOf = (list: readonly Migration[]): number => squashedCount(list) + list.length
/** Returns the number of the last migration that a version requires: the last one that adds anything. */
const requiredBuild = (list: readonly Migration[]): number =>
  squashedCount(list) + list.findLastIndex(({ phase }) => phase === 'expand') + 1

/** The schema number of this version. */
export const BUILD = buildOf(migrations)

/** Returns whether a store has the table of the schema state. */
async function hasState(db: Db, engine: Engine): Promise<boolean> {
  const name = sql.lit('schema_state')
  const { rows } = await (engine === 'sqlite'
    ? sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`
    : sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${name}`
  ).execute(db)
  return rows.length > 0
}

/** Reads a store's schema state. Returns null if the store has no tables. */
export async function readSchema(db: Db, engine: Engine): Promise<SchemaState | null> {
  if (!(await hasState(db, engine))) return null
  const row = await db.selectFrom('schema_state').select(['version', 'min_build']).executeTakeFirst()
  return row && row.version > 0 ? row : null
}

/** Throws if this version can't use a store. */
export async function checkSchema(db: Db, engine: Engine, list = migrations): Promise<void> {
  const reason = findSchemaMismatch(await readSchema(db, engine), list)
  if (reason !== null) throw new Error(reason)
}

/** Returns the reason that this version can't use a store in the given state, or null if it can. */
export function findSchemaMismatch(state: SchemaState | null, list = migrations): string | null {
  if (state === null) return 'it does not have the tables of this version. Run pnpm admin migrate'
  const { version, min_build } = state
  if (version <= squashedCount(list))
    return `its tables are at ${version}, and this version can upgrade only tables at ${squashedCount(list) + 1} or later. Upgrade it with an earlier version first`
  if (buildOf(list) < min_build)
    return `a later version has changed it so that this one can't use it. Install a version with schema ${min_build} or later (this one has ${buildOf(list)})`
  if (version >= requiredBuild(list)) return null
  const needsContract = pending(state, list, 'expand').length === 0
  const firstCommand = needsContract
    ? 'pnpm admin migrate contract once every process runs the same version, then '
    : ''
  return `its tables are at ${version}, and this version needs ${requiredBuild(list)}. Run ${firstCommand}pnpm admin migrate`
}

/**
 * PostgreSQL's error codes for a name that already exists in a catalog. When several processes create the same table at
 * the same time, all but one of them get one of these errors.
 */
const DUPLICATE_NAME_CODES = ['23505', '42P07', '42710']

/** Creates the row that a process must lock before it changes the tables. */
async function createState(db: Db, engine: Engine): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  if (!(await hasState(db, engine)))
    await run(
      'create table schema_state (id integer primary key, version integer not null, min_build integer not null)',
    ).catch(error => {
      if (!DUPLICATE_NAME_CODES.includes(errorCode(error) ?? '')) throw error
    })
  await run('insert into schema_state (id, version, min_build) values (1, 0, 1) on conflict (id) do nothing')
}

const statementsOf = ({ statements, indexes }: Migration, engine: Engine): string[] => [
  ...Object.entries(indexes?.(engine) ?? {}).map(([name, index]) => createIndex(name, index)),
  ...statements(engine),
]

/**
 * The advisory lock that a process holds while it builds indexes. The number is arbitrary but must not be used for
 * anything else.
 */
const INDEX_BUILD_LOCK = 7_305_211_469

/**
 * Builds indexes while other processes write to the tables. Only one process builds at a time. After an interruption,
 * the finished indexes remain. The unfinished index is invalid and is rebuilt on the next run.
 */
async function buildIndexes(db: Db, indexes: Readonly<Record<string, AddedIndex>>): Promise<void> {
  await db.connection().execute(async own => {
    const run = (statement: string) => sql.raw(statement).execute(own)
    // Polls for the lock. A statement waiting for the lock would deadlock with the build, which waits for all
    // statements to end.
    const tryLock = async () =>
      (await sql<{ mine: boolean }>`select pg_try_advisory_lock(${INDEX_BUILD_LOCK}) as mine`.execute(own)).rows[0]!
        .mine
    while (!(await tryLock())) await wait(LOCK_TIMEOUT_MS)
    try {
      // Removes the limits, because the build waits for every transaction that may still use the previous form of the
      // table. No transaction waits for the build.
      await run('set statement_timeout = 0')
      await run('set lock_timeout = 0')
      for (const [name, index] of Object.entries(indexes)) {
        const { rows } = await sql<{ valid: boolean }>`select indisvalid as valid from pg_index
          where indexrelid = to_regclass(${name})`.execute(own)
        if (rows[0]?.valid) continue
        if (rows[0]) await run(`drop index concurrently ${name}`)
        await run(createIndex(name, index, true))
      }
    } finally {
      await run('reset statement_timeout')
      await run('reset lock_timeout')
      await sql`select pg_advisory_unlock(${INDEX_BUILD_LOCK})`.execute(own)
    }
  })
}

export interface MigrateOptions {
  /**
   * The phase to run. `contract` removes everything that this version no longer uses. Run `contract` only after all
   * processes of earlier versions have stopped.
   */
  phase?: Migration['phase']
  /** True if nothing else uses the store, so that both phases can run together. */
  alone?: boolean
  /** Only for tests. */
  list?: readonly Migration[]
}

/** Thrown in a migration's transaction if its indexes must first be built outside the transaction. */
class UnbuiltIndexes extends Error {
  readonly migration: number
  constructor(migration: number) {
    super(`The indexes of migration ${migration} have not been built.`)
    this.migration = migration
  }
}

/**
 * The maximum time that a statement waits for a lock, in ms. While the statement waits, other statements on the same
 * table wait behind it.
 */
const LOCK_TIMEOUT_MS = 1_000
/**
 * The number of attempts to acquire the locks before the migration fails. The attempts take about a minute in total.
 */
const MAX_ATTEMPTS = 30

/**
 * Brings the tables up to date. Only one process migrates at a time, and each migration has its own transaction. Tables
 * and columns from a later version are kept. A store without tables has no other users, so both phases run in one
 * transaction.
 */
export async function migrate(
  db: Db,
  engine: Engine,
  { phase = 'expand', alone = false, list = migrations }: MigrateOptions = {},
): Promise<void> {
  const pendingIn = (state: SchemaState) => pending(state, list, alone || state.version === 0 ? undefined : phase)
  const initialState = await readSchema(db, engine)
  if (initialState && initialState.version <= squashedCount(list))
    throw new Error(findSchemaMismatch(initialState, list)!)
  if (initialState && phase === 'contract' && pending(initialState, list, 'expand').length > 0)
    throw new Error(
      'this version has not added its own tables, columns and indexes yet. Run pnpm admin migrate, replace every process, then run pnpm admin migrate contract',
    )
  if (initialState && pendingIn(initialState).length === 0) return
  if (engine === 'postgres') await createState(db, engine)
  /** The number of the last migration for which the indexes have been built. */
  let built = 0
  const runStep = async (tx: Db): Promise<boolean> => {
    if (engine === 'sqlite') await createState(tx, engine)
    // Removes the statement time limit, and lets the server release the locks of a migrator that stops responding.
    else
      await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true),
        set_config('idle_in_transaction_session_timeout', '60000', true)`.execute(tx)
    const query = tx.selectFrom('schema_state').selectAll()
    const state = await lockRows(tx, query).executeTakeFirstOrThrow()
    const numbers = pendingIn(state)
    for (const number of alone || state.version === 0 ? numbers : numbers.slice(0, 1)) {
      const migration = migrationOf(number, list)
      // An empty store or a SQLite file has no other users, so its indexes are built in the transaction.
      const isSeparate = engine === 'postgres' && state.version > 0 && migration.indexes !== undefined
      if (isSeparate && built < number) throw new UnbuiltIndexes(number)
      for (const statement of isSeparate ? migration.statements(engine) : statementsOf(migration, engine))
        await sql.raw(statement).execute(tx)
      const min_build = Math.max(state.min_build, migration.leaves)
      await tx.updateTable('schema_state').set({ version: number, min_build }).execute()
    }
    return numbers.length > 0
  }
  for (let attempt = 1; ; )
    try {
      if (!(await db.transaction().execute(runStep))) return
      attempt = 1
    } catch (error) {
      if (error instanceof UnbuiltIndexes) {
        await buildIndexes(db, migrationOf(error.migration, list).indexes!(engine))
        built = error.migration
        continue
      }
      if (!isContended(error)) throw error
      if (attempt === MAX_ATTEMPTS)
        throw new Error(
          'another transaction, such as a backup, has held a lock on a table for a minute. Run the same command again after it ends',
          { cause: error },
        )
      attempt += 1
      await wait(Math.random() * 2 * LOCK_TIMEOUT_MS)
    }
}

/**
 * Returns the numbers of the migrations that a store still needs, in order. If `phase` is set, stops before the first
 * migration of the other phase.
 */
export function pending(
  { version }: Pick<SchemaState, 'version'>,
  list = migrations,
  phase?: Migration['phase'],
): number[] {
  const applied = Math.max(version, squashedCount(list))
  const remaining = list.slice(applied - squashedCount(list))
  const end = remaining.findIndex(migration => phase !== undefined && migration.phase !== phase)
  return (end === -1 ? remaining : remaining.slice(0, end)).map((_, index) => applied + index + 1)
}

/** Returns the phase of a migration. */
export const phaseOf = (number: number): Migration['phase'] => migrationOf(number, migrations).phase

const engines = ['sqlite', 'postgres'] as const

/** Returns a migration's unique indexes that no index of an earlier migration covers. */
const uncoveredIndexes = ({ indexes }: Migration, earlier: readonly Migration[]): string[] =>
  engines.flatMap(engine =>
    Object.entries(indexes?.(engine) ?? {})
      .filter(([, { table, columns, replaces }]) => {
        const covering = `create unique index ${replaces} on ${table} (${columns})`
        return replaces !== undefined && !earlier.some(each => each.statements(engine).includes(covering))
      })
      .map(([name, index]) => createIndex(name, index)),
  )

/** Leaves out the tables that the statements create, and their indexes: no process of an earlier version uses them. */
function withoutNewTables(statements: readonly string[]): string[] {
  const created = new Set(statements.flatMap(text => /^create table (\w+) /i.exec(text)?.[1] ?? []))
  return statements.filter(text => {
    const table = /^create (?:table|(?:unique )?index \w+ on) (\w+) /i.exec(text)?.[1]
    return table === undefined || !created.has(table)
  })
}

/** Returns those statements in `expand` migrations that would break a running process of an earlier version. */
export const findBreakingStatements = (list = migrations): string[] =>
  list.flatMap((migration, index) => {
    if (index === 0 || migration.phase !== 'expand') return []
    const breaking = engines
      .flatMap(engine => withoutNewTables(migration.statements(engine)))
      .filter(
        text =>
          /\b(drop|rename|truncate|delete|unique|constraint|check|references|trigger)\b|\balter table \S+ alter\b/i.test(
            text,
          ) ||
          (/\balter table \S+ add\b/i.test(text) && /\bnot null\b/i.test(text) && !/\bdefault\b/i.test(text)),
      )
    return [...breaking, ...uncoveredIndexes(migration, list.slice(0, index))]
  })
