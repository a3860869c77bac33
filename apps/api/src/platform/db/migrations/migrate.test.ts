import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { engine, freshStore } from '../../../testing/service.js'
import { emptyStore } from '../../../testing/store/empty-store.js'
import { openSqlite } from '../sqlite/driver.js'
import { openStore } from '../store.js'
import type { Tables } from '../tables.js'
import { BUILD, findSchemaMismatch, type Migration, migrate, pending, readSchema } from './migrate.js'

const folder = mkdtempSync(join(tmpdir(), 'causeway-migrate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a store is created once by processes that start at the same time', async () => {
  // Only one process can open a SQLite file.
  const { url, remove } = await emptyStore()
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
      const result = await migrate(db, 'sqlite').catch(error => error as Error)
      const tables = await db.introspection.getTables()
      await db.destroy()
      return { count, result, tables: tables.length }
    }
    const whole = await statements(join(folder, 'whole.db'), Number.POSITIVE_INFINITY)
    expect([whole.result, whole.tables > 30]).toEqual([undefined, true])
    // The first statements create the migrator's own tables. Testing a dozen of the remaining statements is enough.
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

/**
 * Migrations of successive versions. The second migration adds a column, and the third drops the table that the column
 * replaces.
 */
const later: Migration[] = [
  {
    phase: 'expand',
    leaves: 1,
    statements: () => ['create table first (id text primary key)', 'create table old (id text)'],
  },
  { phase: 'expand', leaves: 1, statements: () => ['alter table first add column second text'] },
  { phase: 'contract', leaves: 2, statements: () => ['drop table old'] },
  { phase: 'expand', leaves: 2, statements: () => ['create table third (id text primary key)'] },
  { phase: 'contract', leaves: 4, statements: () => ['drop table first'] },
]
const first = later.slice(0, 1)
const second = later.slice(0, 2)
const third = later.slice(0, 3)

describe('a rolling upgrade', () => {
  let db: Kysely<Tables>
  let remove: () => Promise<void>
  beforeEach(async () => {
    const empty = await emptyStore()
    remove = empty.remove
    const pool = new pg.Pool({ connectionString: empty.url, max: 6 })
    // Ignores the errors of connections that are still closing when the database is dropped.
    pool.on('error', () => {})
    db = new Kysely<Tables>({
      dialect: empty.file === null ? new PostgresDialect({ pool }) : openSqlite(empty.file, false),
    })
  })
  afterEach(async () => {
    await db.destroy()
    await remove()
  })
  const fits = async (list: Migration[]) => findSchemaMismatch(await readSchema(db, engine), list)
  const up = (list: Migration[], phase: Migration['phase'] = 'expand') => migrate(db, engine, { list, phase })
  const state = () => readSchema(db, engine)

  it('adds first, while the previous version keeps running and can restart', async () => {
    await up(first)
    expect(await fits(second)).toBe('its tables are at 1, and this version needs 2. Run pnpm admin migrate')
    await up(second)
    expect(await state()).toEqual({ version: 2, min_build: 1 })
    expect([await fits(first), await fits(second)]).toEqual([null, null])
    // Migrating with the previous version keeps the later version's additions.
    await up(first)
    await up(first, 'contract')
    expect(await state()).toEqual({ version: 2, min_build: 1 })
  })

  it('removes only on request, after which the previous version cannot use the store', async () => {
    await up(first)
    await up(third)
    expect(await state()).toEqual({ version: 2, min_build: 1 })
    expect([await fits(first), await fits(third)]).toEqual([null, null])
    expect(pending((await state())!, third)).toEqual([3])
    await up(third, 'contract')
    expect(await state()).toEqual({ version: 3, min_build: 2 })
    expect(await fits(first)).toMatch(/Install a version with schema 2 or later \(this one has 1\)$/)
    expect([await fits(second), await fits(third)]).toEqual([null, null])
  })

  it('removes nothing before its own tables are added, and adds nothing past a pending removal', async () => {
    await up(second)
    await expect(up(later, 'contract')).resolves.toBeUndefined()
    expect(await state()).toEqual({ version: 3, min_build: 2 })
    await expect(up(later, 'contract')).rejects.toThrow(
      'this version has not added its own tables, columns and indexes yet. Run pnpm admin migrate,',
    )
    expect(await fits(later)).toMatch(/needs 4\. Run pnpm admin migrate$/)
    await up(later)
    expect(await state()).toEqual({ version: 4, min_build: 2 })
    await up(later, 'contract')
    expect(await state()).toEqual({ version: 5, min_build: 4 })
  })

  it("reports that the running version's removals must come first", async () => {
    await up(second)
    await up(later)
    expect(await state()).toEqual({ version: 2, min_build: 1 })
    expect(await fits(later)).toBe(
      'its tables are at 2, and this version needs 4. Run pnpm admin migrate contract once every process runs the same version, then pnpm admin migrate',
    )
  })

  it('runs both phases at once on a store without tables', async () => {
    await up(later)
    expect(await state()).toEqual({ version: 5, min_build: 4 })
    expect(await fits(later)).toBeNull()
  })

  it('runs both phases at once on a store that one process owns', async () => {
    await up(first)
    await migrate(db, engine, { list: later, alone: true })
    expect(await state()).toEqual({ version: 5, min_build: 4 })
  })

  it('starts at the number that the squashed migrations reached, and refuses tables that stopped before', async () => {
    const list: Migration[] = [{ ...later[0]!, squashes: 2 }, later[1]!]
    await up(second)
    await expect(up(list)).rejects.toThrow(
      'its tables are at 2, and this version can upgrade only tables at 3 or later. Upgrade it with an earlier version first',
    )
    await db.updateTable('schema_state').set({ version: 3 }).execute()
    expect(await fits(list)).toBe('its tables are at 3, and this version needs 4. Run pnpm admin migrate')
    await sql`alter table first drop column second`.execute(db)
    expect(pending((await state())!, list)).toEqual([4])
    await up(list)
    expect(await state()).toEqual({ version: 4, min_build: 1 })
  })

  it('creates an empty store with the number of its last migration, squashed ones included', async () => {
    await up([{ ...later[0]!, squashes: 2 }, later[1]!])
    expect(await state()).toEqual({ version: 4, min_build: 1 })
  })

  const indexed: Migration[] = [
    {
      phase: 'expand',
      leaves: 1,
      statements: () => ['create table first (id text primary key, name text)'],
    },
    {
      phase: 'expand',
      leaves: 1,
      statements: () => ['create table more (id text)'],
      indexes: () => ({
        first_name: { table: 'first', columns: 'name' },
        first_named: { table: 'first', columns: 'id', where: 'name is not null' },
      }),
    },
  ]
  const indexes = () =>
    sql<{ name: string }>`select ${sql.raw(
      engine === 'postgres'
        ? "relname as name from pg_class where relkind = 'i'"
        : 'name from sqlite_schema where true',
    )} and ${sql.raw(engine === 'postgres' ? 'relname' : 'name')} like 'first_name%' order by 1`
      .execute(db)
      .then(({ rows }) => rows.map(row => row.name))

  it("creates its tables' indexes in an empty store and in one with rows", async () => {
    await up(indexed.slice(0, 1))
    await up(indexed)
    expect([await indexes(), await state()]).toEqual([['first_name', 'first_named'], { version: 2, min_build: 1 }])
  })

  it.runIf(engine === 'postgres')(
    'builds indexes while others write, and rebuilds interrupted ones (PostgreSQL only)',
    async () => {
      await up(indexed.slice(0, 1))
      await sql`insert into first values ('a', 'b'), ('c', 'b')`.execute(db)
      // Simulates an interrupted build, which leaves an invalid index.
      await expect(sql`create unique index concurrently first_name on first (name)`.execute(db)).rejects.toThrow()
      const held = await db.startTransaction().execute()
      await sql`insert into first values ('d', 'e')`.execute(held)
      const upgraded = Promise.all([up(indexed), up(indexed)])
      const building = async () => {
        const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_locks
          where not granted and database = (select oid from pg_database where datname = current_database())
            or locktype = 'virtualxid' and not granted`.execute(held)
        return rows[0]!.count > 0
      }
      await expect.poll(building, { timeout: 20_000 }).toBe(true)
      await sql`insert into first values ('f', 'g')`.execute(held)
      await held.commit().execute()
      await upgraded
      const { rows } = await sql`select indisvalid, indisunique from pg_index
        where indexrelid = to_regclass('first_name')`.execute(db)
      expect([rows, await indexes(), await state()]).toEqual([
        [{ indisvalid: true, indisunique: false }],
        ['first_name', 'first_named'],
        { version: 2, min_build: 1 },
      ])
    },
  )

  it.runIf(engine === 'postgres')(
    'waits for a transaction that is using a table, and lets others use it meanwhile (PostgreSQL only)',
    async () => {
      await up(first)
      const held = await db.startTransaction().execute()
      await sql`select from first`.execute(held)
      let done = false
      const migrated = up(second).then(() => {
        done = true
      })
      const waiting = async () => {
        const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_locks
          where not granted and database = (select oid from pg_database where datname = current_database())`.execute(
          held,
        )
        return rows[0]!.count > 0
      }
      await expect.poll(waiting, { timeout: 10_000 }).toBe(true)
      // Succeeds once the migration has left the lock queue. If it stayed in the queue, the statement would wait until
      // the transaction above ends.
      await sql`select from first`.execute(db)
      expect(done).toBe(false)
      await held.commit().execute()
      await migrated
      expect(await state()).toEqual({ version: 2, min_build: 1 })
    },
  )
})

it.runIf(engine === 'postgres')(
  'a role that lacks access to a table gets an error on startup (PostgreSQL only)',
  async () => {
    const { store, url, remove } = await freshStore()
    const role = `causeway_${randomUUID().replaceAll('-', '')}`
    const run = (text: string) => sql.raw(text).execute(store.reader)
    await run(`create role ${role} login password 'secret'`)
    await run(`grant select, insert, update, delete on all tables in schema public to ${role}`)
    const address = Object.assign(new URL(url), { username: role, password: 'secret' }).toString()
    await (await openStore(address, { tables: false })).close()
    await run(`revoke insert on payments from ${role}`)
    await expect(openStore(address, { tables: false })).rejects.toThrow(
      'The role in DATABASE_URL lacks permissions on these tables: payments. Grant the role select, insert, update and delete',
    )
    await run(`drop owned by ${role}; drop role ${role}`)
    await store.close()
    await remove()
  },
)

it.runIf(engine === 'postgres')(
  'a process that a later version locks out is not ready, and soon stops writing (PostgreSQL only)',
  async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { store, remove } = await freshStore()
    expect(await store.probe()).toBeNull()
    await store.write(tx =>
      tx
        .updateTable('schema_state')
        .set({ version: BUILD + 1, min_build: BUILD + 1 })
        .execute(),
    )
    expect(await store.probe()).toMatch(/^a later version has changed the store/)
    vi.advanceTimersByTime(30_000)
    const failure = () => store.write(async () => null).catch(error => error)
    await expect.poll(failure).toMatchObject({ name: 'StoreFault', code: 'OUTDATED' })
    await store.close()
    await remove()
  },
)

it('a session pays an account at most once, and payments without a session are not limited', async () => {
  const { url, remove } = await emptyStore()
  const store = await openStore(url)
  const values = (id: string, session: string | null) =>
    sql`insert into payments
    (team_id, id, amount, description, status, fund_status, type, simulated, session_id, destination, created_at,
      updated_at)
    values ('team', ${id}, 1, '', 'canceled', 'pending', 'standard', 0, ${session}, 'account', 0, 0)`.execute(
      store.reader,
    )
  await values('a', null)
  await values('b', null)
  await values('c', 'session')
  await values('d', 'other')
  await expect(values('e', 'session')).rejects.toThrow(/unique/i)
  await store.close()
  await remove()
})
