import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { checkStore, createFirstTeam, loadKeys } from '../../main/boot.js'
import { engine, freshStore, testService } from '../../testing/service.js'
import { createVault } from '../crypto/vault.js'
import { StoreFault } from './fault.js'
import { lockRows } from './row-locks.js'
import { lockFile } from './sqlite/lock-file.js'
import { type Db, openLiveStore, openStore, savepoint } from './store.js'

const folder = mkdtempSync(join(tmpdir(), 'causeway-store-'))
const service = await testService()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The time limit, in ms, for a test that starts several processes one after another on a busy machine. */
const PROCESSES = 60_000

/** Starts another process that owns the file. */
async function owner(file: string) {
  const script = fileURLToPath(new URL('../../testing/store/hold-store.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', script, file], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  const ready = await Promise.race([once(child.stdout, 'data').then(() => true), once(child, 'exit').then(() => false)])
  return {
    pid: child.pid!,
    ready,
    said: () => said,
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

describe('one SQLite file', () => {
  it(
    "has one owner: a second process is rejected with an error that names the first one's pid and what to do",
    async () => {
      const file = join(folder, 'owned.db')
      const first = await owner(file)
      expect(first.ready).toBe(true)
      const started = performance.now()
      await expect(openStore(`file:${file}`)).rejects.toThrow(
        new RegExp(`is in use by process ${first.pid}\\. Stop that process first, or set DATABASE_URL`),
      )
      // The store must throw the error without waiting for the owner to exit. A store that waited for the lock would
      // give up only after five seconds.
      expect(performance.now() - started).toBeLessThan(4_500)
      const second = await owner(file)
      expect([second.ready, second.said()]).toEqual([false, expect.stringContaining(`process ${first.pid}`)])
      await first.kill()
    },
    PROCESSES,
  )

  it('is claimed as soon as another process that read the claim at the same moment releases it', async () => {
    const file = join(folder, 'wanted.db')
    const script = `
      const { DatabaseSync } = require('@photostructure/sqlite')
      const claim = new DatabaseSync(${JSON.stringify(`${file}.lock`)})
      claim.exec('begin; select * from sqlite_master')
      process.stdout.write('ready', () => setTimeout(() => claim.close(), 30))`
    const other = spawn(process.execPath, ['-e', script], { cwd: fileURLToPath(new URL('.', import.meta.url)) })
    await once(other.stdout, 'data')
    // The limit far exceeds the time for which the other process holds the claim, even if that process is scheduled
    // late.
    const release = lockFile(file, 10_000)
    release()
  })

  it(
    'is taken over immediately if its owner was killed',
    async () => {
      const file = join(folder, 'orphan.db')
      const first = await owner(file)
      await first.kill()
      const store = await openStore(`file:${file}`)
      expect(store.engine).toBe('sqlite')
      await expect(openStore(`file:${file}`)).rejects.toThrow(`process ${process.pid}`)
      await store.close()
      await (await openStore(`file:${file}`)).close()
    },
    PROCESSES,
  )
})

describe('a store', () => {
  it("in a file is readable only by the file's owner", async () => {
    const file = join(folder, 'private.db')
    const store = await openStore(`file:${file}`)
    for (const each of [file, `${file}-wal`]) expect(statSync(each).mode & 0o777).toBe(0o600)
    await store.close()
  })

  it('that cannot be opened reports why, without a password', async () => {
    const text = join(folder, 'notes.txt')
    writeFileSync(text, 'These are notes, not a database. '.repeat(40))
    await expect(openStore(`file:${text}`)).rejects.toThrow(
      `The store ${text} cannot be opened: file is not a database`,
    )
    const refused = await openStore('postgres://ana:hidden@127.0.0.1:1/causeway').catch(error => error as Error)
    expect((refused as Error).message).toMatch(
      /^The PostgreSQL database in DATABASE_URL cannot be used: .*ECONNREFUSED/,
    )
    expect((refused as Error).message).not.toContain('hidden')
  })

  it('that lacks tables is rejected with their names and what to do, and is left unchanged', async () => {
    const { store, url, remove } = await freshStore()
    await store.write(async tx => {
      await sql`drop table ledger`.execute(tx)
      await sql`alter table consents rename to consents_before`.execute(tx)
    })
    await store.close()
    for (const attempt of [1, 2])
      expect([attempt, await openStore(url).catch(error => (error as Error).message)]).toEqual([
        attempt,
        'The store lacks tables that the service uses: ledger, consents. Restore a backup, as docs/operations.md describes.',
      ])
    const left = await openLiveStore(url)
    await sql`alter table consents_before rename to consents`.execute(left.reader)
    await left.close()
    await expect(openStore(url)).rejects.toThrow('The store lacks tables that the service uses: ledger. ')
    await remove()
  })

  it('created with another ENCRYPTION_KEY or for another environment is rejected, and nothing is changed', async () => {
    const settings = () => service.store.reader.selectFrom('settings').selectAll().orderBy('name').execute()
    const before = await settings()
    const right = createVault(Buffer.alloc(32, 7))
    await expect(checkStore(service.store, createVault(Buffer.alloc(32, 8)), 'sandbox')).rejects.toThrow(
      /ENCRYPTION_KEY must be the key/,
    )
    await expect(checkStore(service.store, right, 'production')).rejects.toThrow(
      /belongs to the sandbox environment, so it can't be opened as production/,
    )
    await checkStore(service.store, right, 'sandbox')
    expect(await settings()).toEqual(before)
  })

  it('stores one sealed signing key for all processes', async () => {
    const vault = createVault(Buffer.alloc(32, 7))
    const [one, two] = await Promise.all([
      loadKeys(service.store, vault, Buffer.alloc(32, 7)),
      loadKeys(service.store, vault, Buffer.alloc(32, 7)),
    ])
    expect(one.publicKeys).toEqual(two.publicKeys)
    expect(JSON.stringify(one.publicKeys)).not.toContain('"d"')
    const rows = await service.store.reader
      .selectFrom('settings')
      .selectAll()
      .where('name', '=', 'signing_key')
      .execute()
    expect(rows[0]!.value).not.toContain('"d":')
    const served = await service.call('GET', '/.well-known/jwks.json')
    expect(served.body['keys']).toEqual([expect.objectContaining({ use: 'enc' }), ...one.publicKeys.keys])
  })

  it('creates a first team only if there is none', async () => {
    const vault = createVault(Buffer.alloc(32, 7))
    const kept: string[] = []
    await createFirstTeam(service.store, vault, null, 1, value => kept.push(value))
    expect(kept).toEqual([])
  })

  it('creates one first team even if several processes start together', async () => {
    const { store, remove } = await freshStore()
    const vault = createVault(Buffer.alloc(32, 7))
    const kept: string[] = []
    await Promise.all([1, 2, 3, 4].map(() => createFirstTeam(store, vault, null, 1, value => kept.push(value))))
    expect(await store.reader.selectFrom('teams').select('id').execute()).toHaveLength(1)
    expect(kept).toHaveLength(1)
    await store.close()
    await remove()
  })

  it('reads and writes a table while another process changes its columns', async () => {
    const other = await testService()
    const { reader, write } = other.store
    const rows = (db: Db) => db.selectFrom('settings').selectAll().where('name', '!=', '').execute()
    // Runs enough simultaneous transactions to make every connection cache the statement's old plan.
    await Promise.all(Array.from({ length: 16 }, () => write(rows)))
    await write(tx => sql`alter table settings add column note text`.execute(tx))
    for (const row of await rows(reader)) expect(row).toHaveProperty('note', null)
    for (const row of await write(rows)) expect(row).toHaveProperty('note', null)
    await write(tx => sql`alter table settings drop column note`.execute(tx))
    const read = await Promise.all(Array.from({ length: 16 }, () => write(rows)))
    expect(read.flat().filter(row => 'note' in row)).toEqual([])
  })

  it('undoes the changes in a savepoint and keeps the rest', async () => {
    const key = `sk_${'s'.repeat(40)}`
    const row = (name: string) => ({ name, value: key })
    await service.store.write(async tx => {
      await tx.insertInto('settings').values(row('kept')).execute()
      await savepoint(tx, async () => {
        await tx.insertInto('settings').values(row('undone')).execute()
        throw new Error('no')
      }).catch(() => {})
      await tx.insertInto('settings').values(row('after')).execute()
    })
    const names = await service.store.reader.selectFrom('settings').select('name').where('value', '=', key).execute()
    expect(names.map(found => found.name).sort()).toEqual(['after', 'kept'])
  })

  it('lets one of 200 simultaneous updates claim a row', async () => {
    await service.store.write(tx => tx.insertInto('settings').values({ name: 'race', value: 'free' }).execute())
    const taken = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        service.store.write(tx =>
          tx
            .updateTable('settings')
            .set({ value: `taken ${index}` })
            .where('name', '=', 'race')
            .where('value', '=', 'free')
            .returning('value')
            .executeTakeFirst(),
        ),
      ),
    )
    expect(taken.filter(row => row !== undefined)).toHaveLength(1)
  })
})

describe('a transaction whose connection breaks', () => {
  it.runIf(engine === 'postgres')(
    'fails, and the store and the process continue to work (PostgreSQL only)',
    async () => {
      const { store } = service
      const backend = async (db: Db) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
        return rows[0]!.pid
      }
      const uncaught: unknown[] = []
      const note = (error: unknown) => uncaught.push(error)
      process.on('uncaughtException', note)
      const broken = store.write(async tx => {
        const pid = await backend(tx)
        await sql`select pg_terminate_backend(${pid}, 5000)`.execute(store.reader)
        // The connection is checked out but idle, so only its error event reports that it was terminated.
        await new Promise(resolve => setImmediate(resolve))
        await backend(tx)
      })
      await expect(broken).rejects.toThrow(StoreFault)
      expect(await store.write(backend)).toEqual(expect.any(Number))
      process.off('uncaughtException', note)
      expect(uncaught).toEqual([])
    },
  )
})

describe("a store's clock", () => {
  afterEach(() => vi.useRealTimers())

  it("follows the database's clock on PostgreSQL and the machine's clock on SQLite", () => {
    const { store } = service
    const before = store.clock()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    const moved = store.clock() - before
    if (engine === 'postgres') expect(moved).toBeLessThan(60_000)
    else expect(moved).toBeGreaterThanOrEqual(3_600_000)
  })
})

describe('a transaction that conflicts with another one', () => {
  it('runs again, and takes effect once', async () => {
    const { store } = service
    const lock = (tx: Db) => lockRows(tx, tx.selectFrom('teams').select('id').where('id', '=', service.team)).execute()
    let tries = 0
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let isHeld = () => {}
    const holding = new Promise<void>(resolve => {
      isHeld = resolve
    })
    const first = store.write(async tx => {
      await lock(tx)
      isHeld()
      await held
    })
    await holding
    const second = store.write(async tx => {
      tries += 1
      if (tries > 1) release()
      if (store.engine === 'postgres')
        await sql`set local lock_timeout = ${sql.lit(tries > 1 ? '5s' : '50ms')}`.execute(tx)
      await lock(tx)
      await tx
        .insertInto('settings')
        .values({ name: 'done once', value: String(tries) })
        .execute()
    })
    // SQLite allows one writer at a time, so the second transaction waits for the first.
    if (store.engine === 'sqlite') release()
    await Promise.all([first, second])
    const { value } = await store.reader
      .selectFrom('settings')
      .select('value')
      .where('name', '=', 'done once')
      .executeTakeFirstOrThrow()
    expect(value).toBe(store.engine === 'postgres' ? '2' : '1')
  })
})
