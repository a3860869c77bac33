import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, Kysely } from 'kysely'
import pg from 'pg'
import { randomText } from '../platform/crypto/random.js'
import { openSqlite } from '../platform/db/sqlite.js'

type Run = (statement: string, values?: readonly unknown[]) => Promise<unknown>

/** Creates a store without tables and runs statements to fill it. `file` is null on PostgreSQL. */
export async function emptyStore(
  fill: (run: Run) => Promise<void>,
): Promise<{ url: string; file: string | null; remove: () => Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-test-'))
    const file = join(folder, 'test.db')
    const db = new Kysely({ dialect: openSqlite(file, false) })
    await db
      .transaction()
      .execute(tx => fill((statement, values = []) => tx.executeQuery(CompiledQuery.raw(statement, [...values]))))
    await db.destroy()
    return { url: `file:${file}`, file, remove: async () => rmSync(folder, { recursive: true, force: true }) }
  }
  const name = `test_${randomText(12).toLowerCase()}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await fill((statement, values = []) => client.query(statement, [...values]))
  await client.end()
  return {
    url,
    file: null,
    async remove() {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
