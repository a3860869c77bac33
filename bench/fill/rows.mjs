/** Writes rows in bulk on either engine, and defers disk syncs and secondary indexes to the end. */
import { createRequire } from 'node:module'

const require = createRequire(new URL('../../apps/api/package.json', import.meta.url))
/** The number of rows per SQLite transaction. */
const PER_COMMIT = 100_000

const literal = value =>
  value === null ? 'null' : typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

/**
 * Returns `{ prepare(tables), insert(table, { fixed, varying, count }), close() }`. `fixed` contains one value per
 * column, the same for every row. `varying` contains a list of values per column. Between `prepare` and `close`, the
 * tables have only the indexes that belong to their constraints.
 * @param options `analyze`: false to leave the planner without statistics. On PostgreSQL, this also disables autovacuum
 *   on the prepared tables, because autovacuum would collect statistics within a minute. True by default
 */
export const openBulk = (url, { analyze = true } = {}) =>
  url.startsWith('file:') ? openFile(url.slice('file:'.length), analyze) : openServer(url, analyze)

/**
 * Drops the tables' indexes and returns a function that recreates them. `list` returns `{ name, sql }` for each index
 * of a table.
 */
async function dropIndexes(tables, list, run) {
  const dropped = []
  for (const table of tables) dropped.push(...(await list(table)))
  for (const { name } of dropped) await run(`drop index ${name}`)
  return async () => {
    for (const { sql } of dropped) await run(sql)
    const now = []
    for (const table of tables) now.push(...(await list(table)))
    if (JSON.stringify(now) !== JSON.stringify(dropped))
      throw new Error('The recreated indexes differ from the original ones.')
  }
}

async function openFile(path, analyze) {
  const { DatabaseSync } = require('@photostructure/sqlite')
  const database = new DatabaseSync(path)
  database.exec('pragma synchronous = off; pragma cache_size = -400000; pragma journal_size_limit = 100000000')
  const statements = new Map()
  let restore = async () => {}
  let open = 0
  const commit = () => {
    if (open > 0) database.exec('commit')
    open = 0
  }
  return {
    async prepare(tables) {
      const find = database.prepare(
        "select name, sql from sqlite_master where type = 'index' and tbl_name = ? and sql is not null order by name",
      )
      const list = async table => find.all(table).map(({ name, sql }) => ({ name, sql }))
      // Dropping an index also deletes its statistics, so save the new store's statistics first.
      const statistics = database.prepare('select tbl, idx, stat from sqlite_stat1').all()
      const create = await dropIndexes(tables, list, async sql => database.exec(sql))
      restore = async () => {
        await create()
        database.exec('delete from sqlite_stat1')
        const insert = database.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)')
        for (const { tbl, idx, stat } of statistics) insert.run(tbl, idx, stat)
      }
    },
    async insert(table, { fixed, varying, count }) {
      if (open === 0) database.exec('begin')
      const columns = Object.keys(varying)
      const places = [...Object.values(fixed).map(literal), ...columns.map(() => '?')]
      const sql = `insert into ${table} (${[...Object.keys(fixed), ...columns]}) values (${places})`
      if (statements.size > 200) statements.clear()
      if (!statements.has(sql)) statements.set(sql, database.prepare(sql))
      const statement = statements.get(sql)
      const lists = Object.values(varying)
      for (let index = 0; index < count; index += 1) statement.run(...lists.map(list => list[index]))
      open += count
      if (open >= PER_COMMIT) commit()
    },
    async close() {
      commit()
      await restore()
      if (analyze) database.exec('analyze')
      database.exec('pragma wal_checkpoint(truncate)')
      database.close()
    },
  }
}

async function openServer(url, analyze) {
  const pg = require('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '512MB'")
  const { rows: described } = await client.query(
    'select table_name, column_name, data_type from information_schema.columns where table_schema = current_schema()',
  )
  const types = new Map(described.map(row => [`${row.table_name}.${row.column_name}`, row.data_type]))
  let restore = async () => {}
  /** The insert that the server executes while this process prepares the next one. */
  let running = Promise.resolve()
  return {
    async prepare(tables) {
      // Keep indexes that belong to constraints, because foreign keys and conflict clauses need them.
      const list = async table =>
        (
          await client.query(
            `select quote_ident(c.relname) as name, pg_get_indexdef(i.indexrelid) as sql
              from pg_index i join pg_class c on c.oid = i.indexrelid
              where i.indrelid = $1::regclass and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)
              order by 1`,
            [table],
          )
        ).rows
      restore = await dropIndexes(tables, list, sql => client.query(sql))
      if (!analyze)
        for (const table of tables) await client.query(`alter table ${table} set (autovacuum_enabled = false)`)
    },
    async insert(table, { fixed, varying, count: _ }) {
      const columns = Object.keys(varying)
      const places = [...Object.values(fixed).map(literal), ...columns.map((_column, index) => `v.c${index}`)]
      const lists = columns.map((column, index) => `$${index + 1}::${types.get(`${table}.${column}`)}[]`)
      const sql =
        `insert into ${table} (${[...Object.keys(fixed), ...columns]}) select ${places} ` +
        `from unnest(${lists}) as v (${columns.map((_column, index) => `c${index}`)})`
      await running
      running = client.query(sql, Object.values(varying))
      // The next insert or `close` throws this insert's error.
      running.catch(() => {})
    },
    async close() {
      await running
      await restore()
      await client.query(analyze ? 'vacuum analyze' : 'vacuum')
      await client.end()
    },
  }
}
