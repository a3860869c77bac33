import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { randomText } from '../../platform/crypto/random.js'

/** Creates a store without tables. `file` is null on PostgreSQL. */
export async function emptyStore(): Promise<{ url: string; file: string | null; remove: () => Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-test-'))
    const file = join(folder, 'test.db')
    return { url: `file:${file}`, file, remove: async () => rmSync(folder, { recursive: true, force: true }) }
  }
  const name = `test_${randomText(12).toLowerCase()}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString()
  return {
    url,
    file: null,
    async remove() {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
