import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { emptyStore } from '../../testing/empty-store.js'
import { engine } from '../../testing/service.js'
import { BUILD, migrate } from './migrate.js'
import { openSqlite } from './sqlite.js'
import { openStore } from './store.js'
import type { Tables } from './tables.js'

const folder = mkdtempSync(join(tmpdir(), 'causeway-migrate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a store is made once by processes that start at the same time', async () => {
  // A file has one process.
  const { url, remove } = await emptyStore(async () => {})
  const opened = await Promise.all(Array.from({ length: engine === 'postgres' ? 8 : 1 }, () => openStore(url)))
  for (const store of opened) {
    expect(await store.reader.selectFrom('schema_state').selectAll().execute()).toEqual([
      { id: 1, version: BUILD, min_build: 1 },
    ])
    await store.close()
  }
  await remove()
})

describe('a migration of a SQLite file', () => {
  it('that is interrupted at any statement changes nothing, and the next start completes it', async () => {
    const statements = async (file: string, stopAt: number) => {
      let count = 0
      const db = new Kysely<Tables>({
        dialect: openSqlite(file),
        log() {
          count += 1
          if (count === stopAt) throw new Error('interrupted')
        },
      })
      const result = await migrate(db, 'sqlite', true).catch(error => error as Error)
      const tables = await db.introspection.getTables()
      await db.destroy()
      return { count, result, tables: tables.length }
    }
    const whole = await statements(join(folder, 'whole.db'), Number.POSITIVE_INFINITY)
    expect([whole.result, whole.tables > 30]).toEqual([undefined, true])
    // Creating the migrator's own tables takes the first statements; a dozen points of the rest suffice.
    const points = Array.from({ length: 12 }, (_, index) => Math.floor((whole.count * (index + 1.5)) / 14))
    for (const [index, point] of points.entries()) {
      const file = join(folder, `interrupted-${index}.db`)
      const first = await statements(file, point)
      expect(first).toEqual({ count: expect.any(Number), result: new Error('interrupted'), tables: 0 })
      const second = await statements(file, Number.POSITIVE_INFINITY)
      expect([second.result, second.tables]).toEqual([undefined, whole.tables])
    }
  })
})
