// kills on PostgreSQL: commit-waits-for-standby
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshStore } from '../../../testing/service.js'
import { StoreFault } from '../fault.js'
import { openStore, type Store } from '../store.js'

const server = process.env['TEST_DATABASE_URL']

describe.runIf(server)('with PostgreSQL that can fail over', () => {
  let store: Store
  let remove: () => Promise<void>
  beforeEach(async () => {
    ;({ store, remove } = await freshStore())
  })
  afterEach(async () => {
    await store.close()
    await remove()
  })

  it('a commit has no server-side time limit, because that limit would report success for a commit that no standby has', async () => {
    await sql`create table confirmed (id int)`.execute(store.reader)
    await sql`create function check_limit() returns trigger language plpgsql as $$ begin
      if current_setting('statement_timeout') <> '0' then raise exception 'the commit has a limit'; end if;
      return null;
    end $$`.execute(store.reader)
    await sql`create constraint trigger at_commit after insert on confirmed deferrable initially deferred
      for each row execute function check_limit()`.execute(store.reader)
    await store.write(tx => sql`insert into confirmed values (1)`.execute(tx))
    const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(
      store.reader,
    )
    expect(rows).toEqual([{ limit: '15s' }])
  })

  it('a server that rejects writes is not queried, and is used again once it accepts them', async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(store.reader)
    const name = sql.id(rows[0]!.name)
    const refusals = await store.reader.connection().execute(async held => {
      await sql`alter database ${name} set default_transaction_read_only = on`.execute(held)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(held)
      const asked = await Promise.allSettled([
        store.reader.selectFrom('settings').select('name').execute(),
        store.write(tx => tx.selectFrom('settings').select('name').execute()),
      ])
      await sql`alter database ${name} reset default_transaction_read_only`.execute(held)
      return asked
    })
    for (const each of refusals) {
      expect(each.status).toBe('rejected')
      const { reason } = each as PromiseRejectedResult
      expect(reason).toBeInstanceOf(StoreFault)
      expect(reason.code).toBe('25006')
    }
    expect(await store.write(tx => tx.selectFrom('settings').select('name').execute())).toEqual(expect.any(Array))
  })
  it('a broken connection that cannot be replaced is released once', async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(store.reader)
    const name = sql.id(rows[0]!.name)
    await store.reader.connection().execute(async held => {
      // Leaves an idle connection in the pool.
      await store.reader.selectFrom('settings').select('name').execute()
      await sql`alter database ${name} set default_transaction_read_only = on`.execute(held)
      const broken = sql`select pg_terminate_backend(pg_backend_pid())`.execute(store.reader)
      await expect(broken).rejects.toMatchObject({ name: 'StoreFault', code: '25006' })
      await sql`alter database ${name} reset default_transaction_read_only`.execute(held)
    })
    expect(store.pool()).toMatchObject({ waiting: 0 })
  })
})

describe.runIf(server)('with a PostgreSQL replica', () => {
  const nameOf = (store: Store) =>
    store.behind(async db => {
      const { rows } = await sql<{ name: string }>`select current_setting('application_name') as name`.execute(db)
      return rows[0]!.name
    })

  it('long reads use the replica, or the primary while the replica fails', async () => {
    const { store, url, remove } = await freshStore()
    const named = (path: string) => {
      const address = Object.assign(new URL(url), path && { pathname: path })
      address.searchParams.set('application_name', 'replica')
      return address.toString()
    }
    const good = await openStore(url, { replica: named(''), pool: 2 })
    const bad = await openStore(url, { replica: named('/no_such_database'), pool: 2 })
    try {
      expect([await nameOf(good), await nameOf(bad), await nameOf(bad)]).toEqual(['replica', '', ''])
    } finally {
      await Promise.all([store.close(), good.close(), bad.close()])
      await remove()
    }
  })
})

describe.runIf(server)('with PostgreSQL behind a network that drops everything', () => {
  /**
   * Forwards connections to PostgreSQL until `drop` is called. After a drop, no data passes, and no connection closes.
   */
  async function network() {
    const { hostname, port } = new URL(server!)
    const sockets: Socket[] = []
    let drops = false
    const between = createServer(client => {
      sockets.push(client)
      client.on('error', () => {})
      if (drops) return
      const far = connect(Number(port || 5432), hostname)
      sockets.push(far)
      far.on('error', () => {})
      client.on('data', bytes => drops || far.write(bytes))
      far.on('data', bytes => drops || client.write(bytes))
      client.on('close', () => far.destroy())
      far.on('close', () => client.destroy())
    }).listen(0, '127.0.0.1')
    await once(between, 'listening')
    return {
      at: (url: string) =>
        Object.assign(new URL(url), { host: `127.0.0.1:${(between.address() as AddressInfo).port}` }).toString(),
      drop() {
        drops = true
      },
      close() {
        for (const socket of sockets) socket.destroy()
        between.close()
      },
    }
  }

  it('a statement fails two seconds after its time limit, and a new connection after five seconds', async () => {
    const { store, url, remove } = await freshStore()
    const path = await network()
    const far = await openStore(path.at(url), { pool: 1, timeout: 100 })
    try {
      path.drop()
      const began = performance.now()
      const ask = () => far.reader.selectFrom('settings').select('name').execute()
      await expect(ask()).rejects.toMatchObject({ name: 'StoreFault', code: 'TIMEOUT' })
      const silent = performance.now()
      expect(silent - began).toBeGreaterThan(2_000)
      await expect(ask()).rejects.toMatchObject({ name: 'StoreFault', code: 'TIMEOUT' })
      expect(performance.now() - silent).toBeGreaterThan(4_900)
    } finally {
      path.close()
      await Promise.all([store.close(), far.close()])
      await remove()
    }
  }, 20_000)
})
