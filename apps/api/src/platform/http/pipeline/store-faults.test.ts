import { deflateSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createOps } from '../../../main/listeners/ops.js'
import { engine, testService } from '../../../testing/service.js'
import { StoreFault, toStoreFault } from '../../db/fault.js'
import { createProbeText } from '../../db/store.js'

const service = await testService()

const run = (statement: string) => service.store.write(tx => sql.raw(statement).execute(tx))
/** Makes every entity insert fail, because the connection is terminated (Postgres) or the disk is full (SQLite). */
const faults = {
  async postgres() {
    await run(`create function fail_store() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(5); return new; end $$`)
    await run('create trigger failing before insert on entities execute function fail_store()')
    return () => run('drop trigger failing on entities')
  },
  async sqlite() {
    const pages = await service.store.write(tx => sql<{ page_count: number }>`pragma page_count`.execute(tx))
    await run(`pragma max_page_count = ${pages.rows[0]!.page_count}`)
    return () => run('pragma max_page_count = 1000000000')
  },
}
const company = { type: 'corporation', corporation: { name: 'Northwind'.repeat(11) } }
const post = (key: string) => service.call('POST', '/entities', company, { 'idempotency-key': key })
const ready = async () => (await createOps(service.deps, () => true)(new Request('http://ops/readyz'))).status

// kills on PostgreSQL: store-failure-keeps-key-free
it('a write with a database failure returns 503 and leaves its key unused; /readyz is 503 until a write succeeds', async () => {
  const mend = await faults[engine]()
  let reply = await post('key 0')
  // The file's free pages still have room for a few more rows.
  for (let tries = 1; reply.status === 200 && tries < 200; tries++) reply = await post(`key ${tries}`)
  expect(reply.status).toBe(503)
  const key = 'the refused one'
  const refused = await post(key)
  expect([refused.status, refused.body['error']['type']]).toEqual([503, 'API_ERROR'])
  expect(refused.body['error']['message']).toContain('same Idempotency-Key')
  expect([refused.headers.get('retry-after'), refused.headers.get('idem-status')]).toEqual(['1', 'bypassed'])
  if (engine === 'sqlite') expect(await ready()).toBe(503)
  await mend()
  expect(await ready()).toBe(200)
  const repeated = await post(key)
  expect([repeated.status, repeated.headers.get('idem-status')]).toEqual([200, 'stored'])
})

it.runIf(engine === 'sqlite')(
  'if the engine ends the transaction of a group, its requests get 503, and their keys stay unused',
  async () => {
    let isLost = false
    const losing = await testService({
      store: given => ({
        ...given,
        write: work =>
          given.write(async tx => {
            if (isLost) await sql`rollback`.execute(tx)
            isLost = false
            return work(tx)
          }),
      }),
    })
    const send = () =>
      Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          losing.call('POST', '/entities', company, { 'idempotency-key': `lost ${index}` }),
        ),
      )
    isLost = true
    const statuses = (await send()).map(({ status }) => status)
    expect(statuses).toContain(503)
    expect(statuses.filter(status => status !== 200 && status !== 503)).toEqual([])
    expect((await send()).map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(await losing.store.reader.selectFrom('entities').select('id').execute()).toHaveLength(5)
  },
)

it.runIf(engine === 'sqlite').each([
  ['returns rows', sql`insert into settings (name, value) values ('full', ${'x'.repeat(1_000_000)}) returning name`],
  ['returns no rows', sql`insert into settings (name, value) values ('full', ${'x'.repeat(1_000_000)})`],
])('a full disk is recognized during a statement that %s', async (_, statement) => {
  const mend = await faults.sqlite()
  await expect(service.store.write(tx => statement.execute(tx))).rejects.toMatchObject({
    name: 'StoreFault',
    code: 'SQLITE_FULL',
  })
  await mend()
})

it("a probe's test write is still larger than a page when compressed", () => {
  expect(deflateSync(createProbeText()).length).toBeGreaterThan(4_096)
})

it('/readyz responds within a second even if the database never does', async () => {
  const deps = { ...service.deps, store: { ...service.store, probe: () => new Promise<never>(() => {}) } }
  const started = performance.now()
  const answer = await createOps(deps, () => true)(new Request('http://ops/readyz'))
  expect([answer.status, await answer.text()]).toEqual([503, 'not ready: the store does not respond\n'])
  expect(performance.now() - started).toBeLessThan(2_000)
})

it.each([
  ['57P01', { code: '57P01' }],
  ['53100', { code: '53100' }],
  ['08006', { code: '08006' }],
  ['25006', { code: '25006' }],
  ['ECONNRESET', { code: 'ECONNRESET' }],
  ['SQLITE_FULL', { code: 'ERR_SQLITE_ERROR', errcode: 13, sqliteCodeName: 'SQLITE_FULL' }],
  ['SQLITE_IOERR', { code: 'ERR_SQLITE_ERROR', errcode: 778, sqliteCodeName: 'SQLITE_IOERR' }],
])('%s is a database failure', (code, fields) => {
  const read = toStoreFault(Object.assign(new Error('x'), fields))
  expect(read).toBeInstanceOf(StoreFault)
  expect((read as StoreFault).code).toBe(code)
})

it.each([
  ['a unique key violation', { code: '23505' }],
  ['a syntax error', { code: '42601' }],
  ['a constraint violation in SQLite', { code: 'ERR_SQLITE_ERROR', errcode: 2067 }],
  ['an error in the code', {}],
])('%s is not a database failure', (_, fields) => {
  const error = Object.assign(new Error('x'), fields)
  expect(toStoreFault(error)).toBe(error)
})
