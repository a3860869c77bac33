/** A separate store for each fault test, with direct access that bypasses the service. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const require = createRequire(new URL('../../apps/api/package.json', import.meta.url))

/**
 * Returns `{ engine, url, query(sql), remove() }`, plus `breakConnections()` on PostgreSQL. `query` returns rows, in
 * which integers are numbers on both engines.
 */
export async function createStore(engine, server) {
  return engine === 'sqlite' ? createFile() : createDatabase(server)
}

function createFile() {
  const { DatabaseSync } = require('@photostructure/sqlite')
  const folder = mkdtempSync(join(tmpdir(), 'causeway-torture-'))
  const file = join(folder, 'torture.db')
  return {
    engine: 'sqlite',
    file,
    url: `file:${file}`,
    async query(sql) {
      const database = new DatabaseSync(file, { timeout: 5_000 })
      try {
        return database.prepare(sql).all()
      } finally {
        database.close()
      }
    },
    async remove() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function createDatabase(server) {
  const pg = require('pg')
  const name = `torture_${randomBytes(6).toString('hex')}`
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString()
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const ask = async (connectionString, sql) => {
    const client = new pg.Client({ connectionString, types })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  await ask(server, `create database ${name}`)
  return {
    engine: 'postgres',
    name,
    url,
    query: sql => ask(url, sql),
    /** Terminates every connection to this store, as a PostgreSQL restart does. */
    breakConnections: () =>
      ask(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`),
    remove: () => ask(server, `drop database ${name} with (force)`),
  }
}
