import { DAY_MS, HOUR_MS } from '@causeway/contract/time'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { redeemToken, someone, transferToken } from '../../testing/frame.js'
import { engine, testService } from '../../testing/service.js'
import { nextSize, startSweep, sweep } from './sweep.js'

const service = await testService()

const post = (key: string) =>
  service.call('POST', '/entities', { type: 'corporation', corporation: { name: 'Swept' } }, { 'idempotency-key': key })
const countOf = async (table: 'idempotency' | 'counters' | 'bearers' | 'tokens') =>
  Number(
    (
      await service.store.reader
        .selectFrom(table)
        .select(row => row.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

// kills: answers-are-kept
it('a response is kept for at least 72 hours and deleted after seven days; the key then starts a new request', async () => {
  const first = await post('kept')
  service.advance(3 * DAY_MS)
  await sweep(service.deps)
  expect((await post('kept')).text).toBe(first.text)
  service.advance(4 * DAY_MS + 1)
  await sweep(service.deps)
  const again = await post('kept')
  expect(again.status).toBe(200)
  expect(again.headers.get('idempotency-replayed')).toBeNull()
  expect(again.text).not.toBe(first.text)
})

it("a payment outlives its key's response: the same key still returns that payment", async () => {
  await service.call('PATCH', '/team', { ach_destinations: true })
  const holder = (await post('holder')).body['id']
  const account = async (number: string) =>
    (
      await service.call('POST', '/accounts', {
        holder_id: holder,
        ach: { routing: '062103000', number, type: 'checking' },
      })
    ).body['id']
  const body = {
    source: await account('123456789'),
    destination: await account('987654321'),
    amount: 500,
    description: 'x',
  }
  const pay = () => service.call('POST', '/payments', body, { 'idempotency-key': 'pay once' })
  const made = (await pay()).body['id']
  service.advance(8 * DAY_MS)
  await sweep(service.deps)
  expect((await pay()).body['id']).toBe(made)
})

it('keeps rows that are not too old: a bearer for a day after it ends, a token for 90 days', async () => {
  const entity = await someone(service, '+15125550101')
  const { element_token } = await transferToken(service, entity, { loan_amount: 1_000_000 })
  expect((await redeemToken(service, element_token)).status).toBe(200)
  service.advance(HOUR_MS + DAY_MS - 1)
  await sweep(service.deps)
  expect([await countOf('bearers'), await countOf('tokens')]).toEqual([1, 1])
  service.advance(2)
  await sweep(service.deps)
  expect([await countOf('bearers'), await countOf('tokens')]).toEqual([0, 1])
  service.advance(90 * DAY_MS)
  await sweep(service.deps)
  expect(await countOf('tokens')).toBe(0)
})

it('deletes many rows in batches, each in its own transaction, and counters after their window ends', async () => {
  const at = service.deps.clock()
  const rows = Array.from({ length: 1_201 }, (_, index) => ({
    kind: 'test',
    subject: `${index}`,
    used: 1,
    ends_at: at,
  }))
  await service.store.write(async tx => {
    for (let from = 0; from < rows.length; from += 300)
      await tx
        .insertInto('counters')
        .values(rows.slice(from, from + 300))
        .execute()
    await tx
      .insertInto('counters')
      .values({ kind: 'other', subject: '1', used: 1, ends_at: at + HOUR_MS + 2 })
      .execute()
  })
  service.advance(HOUR_MS + 1)
  let writes = 0
  const counting = { ...service.store, write: (work: never) => ++writes && service.store.write(work) }
  const gone = await sweep({ ...service.deps, store: counting as never })
  expect(gone['counters']).toBe(1_201)
  // Each batch has at most 500 rows, and the first one has 50.
  expect(writes).toBeGreaterThanOrEqual(4 + Object.keys(gone).length - 1)
  expect(await countOf('counters')).toBe(1)
})

it.runIf(engine === 'sqlite')("copies SQLite's log into the file (SQLite only)", async () => {
  const uncopied = async () => {
    const query = sql<{ log: number; checkpointed: number }>`pragma wal_checkpoint(noop)`
    const { log, checkpointed } = (await query.execute(service.store.reader)).rows[0]!
    return log - checkpointed
  }
  const [team_id, created_at] = [service.team, service.deps.clock()]
  const bodies = Array.from({ length: 400 }, (_, index) => ({
    team_id,
    id: `old ${index}`,
    sealed: 'x'.repeat(15_000),
    created_at,
  }))
  await service.store.write(tx => tx.insertInto('request_bodies').values(bodies).execute())
  // The rows fill fewer than 4,000 pages, so no commit copies the log.
  expect(await uncopied()).toBeGreaterThan(1_000)
  service.advance(8 * DAY_MS)
  await sweep(service.deps)
  expect(await uncopied()).toBeLessThan(1_000)
})

it.runIf(engine === 'sqlite')('finds old rows in every table by an index (SQLite only)', async () => {
  for (const [table, column] of [
    ['idempotency', 'created_at'],
    ['connector_acts', 'sent_at'],
    ['connector_pushes', 'received_at'],
    ['counters', 'ends_at'],
    ['bearers', 'expires_at'],
    ['tokens', 'expires_at'],
  ] as const) {
    const plan = await sql<{
      detail: string
    }>`explain query plan select 1 from ${sql.table(table)} where ${sql.ref(column)} < 1 limit 5`.execute(
      service.store.reader,
    )
    expect(plan.rows[0]?.detail).toMatch(/USING .*INDEX/)
  }
})

it('starts immediately, and stops between batches', async () => {
  await post('old')
  service.advance(8 * DAY_MS)
  const stop = startSweep(service.deps)
  await expect.poll(() => countOf('idempotency')).toBe(0)
  await stop()
})

it('makes batches smaller while they are slow, so that nothing else waits long, and larger while they are fast', () => {
  expect([nextSize(50, 2), nextSize(50, 8), nextSize(50, 40)]).toEqual([100, 50, 10])
  expect([nextSize(400, 0), nextSize(10, 1_000)]).toEqual([500, 10])
})
