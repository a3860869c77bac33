import { DAY_MS } from '@causeway/contract/time'
import { NEWEST_VERSION } from '@causeway/contract/versions'
import { type KyselyPlugin, type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../../platform/db/store.js'
import { sweep } from '../../platform/jobs/sweep.js'
import { lender } from '../../testing/money.js'
import { literal, plan, recorded, type Statement } from '../../testing/queries/plans.js'
import { engine, freshStore, testService } from '../../testing/service.js'

const NEWEST = { 'service-version': NEWEST_VERSION }
const service = await testService()
// Disables autovacuum, because PostgreSQL would otherwise analyze each table soon after it grows.
if (engine === 'postgres')
  for (const table of ['payments', 'name_words'])
    await sql.raw(`alter table ${table} set (autovacuum_enabled = false)`).execute(service.store.reader)
const bank = lender(service)
const source = (await bank.source()).id
const card = (await bank.debts()).accounts[0]!.id

const good = (more: object = {}) => ({ amount: 5_000, source, destination: card, description: 'x', ...more })
/** Payments per month, read from the counters. Months without payments are omitted. */
async function counted(): Promise<Record<string, number>> {
  const rows = await service.store.reader
    .selectFrom('counters')
    .select(query => ['kind', query.fn.sum<number>('used').as('used')])
    .where('kind', 'like', 'payments %')
    .groupBy('kind')
    .execute()
  return Object.fromEntries(rows.map(({ kind, used }) => [kind.slice('payments '.length), Number(used)]))
}
/** Payments per month, counted from the payments table. */
async function made(): Promise<Record<string, number>> {
  const rows = await service.store.reader.selectFrom('payments').selectAll().execute()
  const months: Record<string, number> = {}
  for (const row of rows) {
    if (row.payment_instrument !== null || row.status === 'canceled') continue
    const month = new Date(row.created_at).toISOString().slice(0, 7)
    months[month] = (months[month] ?? 0) + 1
  }
  return months
}

describe('the monthly counters of payments', () => {
  it('equal the number of payments after simultaneous payments, cancels, failures and rejections', async () => {
    const poor = (await bank.source('1000000001')).id
    const instruments = `/accounts/${card}/payment_instruments`
    const { body: instrument } = await bank.call('POST', instruments, { type: 'inbound_achwire_payment' }, NEWEST)
    const pay = () => bank.must('POST', '/payments', good())
    const acts: (() => Promise<unknown>)[] = [
      pay,
      async () => bank.must('DELETE', `/payments/${(await pay()).id}`),
      async () => {
        const { id } = await pay()
        await Promise.all([1, 2, 3].map(() => bank.call('DELETE', `/payments/${id}`)))
      },
      async () => {
        // Each failed payment disables its source.
        const { id } = await bank.must('POST', '/payments', good({ source: (await bank.source()).id }))
        const path = `/simulate/payments/${id}`
        await bank.must('POST', path, { status: 'processing' })
        await bank.must('POST', path, { status: 'failed', error_code: 10001 })
      },
      () => bank.rejection('POST', '/payments', good({ source: poor, amount: 5_001 })),
      () => bank.must('POST', '/payments', good({ dry_run: true })),
      () => bank.call('POST', `/simulate/payments/payment_instruments/${instrument.id}`, { amount: 700 }, NEWEST),
    ]
    for (const days of [0, 31]) {
      service.advance(days * DAY_MS)
      await Promise.all(Array.from({ length: 35 }, () => acts[Math.floor(Math.random() * acts.length)]!()))
    }
    expect(Object.keys(await made())).toHaveLength(2)
    expect(await counted()).toEqual(await made())
  })

  it('for past months are deleted by the sweep', async () => {
    service.advance(31 * DAY_MS)
    await sweep(service.deps)
    expect(await counted()).toEqual({})
    await bank.must('POST', '/payments', good())
    await sweep(service.deps)
    expect(Object.values(await counted())).toEqual([1])
  })
})

/** The name of a table's primary key in a query plan. */
const keyOf = (table: string): string =>
  engine === 'postgres' ? `${table}_pkey` : table === 'request_refs' ? 'PRIMARY KEY' : `sqlite_autoindex_${table}_1`

/** SQL that selects the last step shown in a session. */
const shown = engine === 'postgres' ? "(cast(progress as json) ->> 'shown')" : "json_extract(progress, '$.shown')"

describe('a database without statistics', () => {
  let empty: Awaited<ReturnType<typeof freshStore>>
  beforeAll(async () => {
    empty = await freshStore()
    if (engine === 'sqlite') return
    // Creates 1,000 payments for one team. Each payment has its own source and destination, and 3% of the payments have
    // an error.
    await sql`insert into payments select (jsonb_populate_record(null::payments, to_jsonb(paid) || jsonb_build_object(
        'id', 'pmt_' || number, 'idempotency_key', 'key ' || number, 'session_id', null,
        'source', 'acc_s' || number % 1000, 'destination', 'acc_d' || number % 1000,
        'error', case when number % 100 < 3 then '{"code":10001}' end))).*
      from (select * from payments limit 1) as paid, generate_series(1, 1000) as number`.execute(service.store.reader)
    await sql`insert into name_words select 'a', 'word ' || number % 100, 'ent_' || number
      from generate_series(1, 20000) as number`.execute(service.store.reader)
  })
  afterAll(async () => {
    await empty.store.close()
    await empty.remove()
  })

  it.each([
    ['accounts', "id = 'b'", 'pkey'],
    ['accounts', "holder_id = 'b' order by id", 'holder'],
    ['accounts', "holder_id = 'b' and type = 'liability' order by id", 'holder'],
    ['accounts', "holder_id = 'b' and reference = 'c'", 'reference'],
    ['accounts', "mask = 'b' order by id desc", 'mask'],
    ['accounts', 'awaits_consent is null order by id desc', 'shared'],
    ['accounts', "awaits_consent is null and id < 'b' order by id desc", 'shared'],
    ['audit', "resource_id = 'b' and created_at <= 5 order by created_at desc, id desc", 'resource'],
    [
      'audit',
      "created_at <= 5 and (created_at < 5 or (created_at = 5 and id < 'x')) order by created_at desc, id desc",
      'time',
    ],
    [
      'deliveries',
      "webhook_id = 'b' and event_id in ('x', 'y') and (event_at < 5 or (event_at = 5 and id < 'd'))",
      'event',
    ],
    ['payments', "fund_status = 'hold' order by id desc", 'held'],
    ['payments', "id >= 'x' order by id", 'pkey'],
    ['sessions', "id >= 'x' order by id", 'pkey'],
    ['deliveries', "webhook_id = 'b' and id >= 'x' order by id", 'webhook'],
    ['request_counts', 'hour >= 1 and hour < 5', 'pkey'],
    ['request_refs', "about = 'b' and request_id < 'x' order by request_id desc", 'pkey'],
    ['request_refs', "about = 'b' and sub_type is not null order by request_id desc", 'failed'],
    ['requests', "id <= 'x' order by id desc", 'pkey'],
    ['requests', "source = 'console' order by id desc", 'console'],
    ['requests', 'sub_type is not null order by id desc', 'failed'],
    ['requests', "sub_type in ('x') order by id desc", 'sub_type'],
    ['bearers', "hash = 'b'", 'pkey'],
    ['bearers', "handle = 'b'", 'handle'],
    ['bearers', "session_id = 'b'", 'session'],
    ['consents', "session_id = 'b' order by id", 'session'],
    ['deliveries', "id = 'b'", 'pkey'],
    ['deliveries', "webhook_id = 'b' order by id desc", 'webhook'],
    ['deliveries', "webhook_id = 'b' and event_id = 'c'", 'event'],
    ['entities', "id = 'b'", 'pkey'],
    ['events', "id = 'b'", 'pkey'],
    ['events', "resource_id = 'b' order by id", 'resource'],
    ['events', "request_id = 'b' and (created_at < 5 or (created_at = 5 and id < 'x')) limit 1000", 'request'],
    ['audit', "request_id = 'b' and (created_at < 5 or (created_at = 5 and id < 'x')) limit 1000", 'request'],
    ['jobs', "id = 'b'", 'pkey'],
    ['jobs', "unique_key = 'b'", 'key'],
    ['jobs', "state = 'ready' and lane is null and run_at <= 5 order by run_at, id limit 5", 'team_free'],
    ['ledger', "payment_id = 'b'", 'pkey'],
    ['name_words', "entity_id = 'b'", 'entity'],
    ['payments', "id = 'b'", 'pkey'],
    ['payments', "idempotency_key = 'b'", 'key'],
    ['payments', "source = 'b' order by id desc", 'source'],
    ['payments', "destination = 'b' order by id desc", 'destination'],
    ['payments', "destination_holder_id = 'b' order by id desc", 'destination_holder'],
    ['records', "id = 'b'", 'pkey'],
    ['records', "holder_id = 'b' and product = 'c' order by id desc limit 1", 'holder'],
    ['records', "holder_id = 'b' and status = 'c'", 'holder'],
    ['records', "holder_id = 'b' and product = 'c' and change = 'd'", 'change'],
    ['reversals', "payment_id = 'b' order by id", 'payment'],
    ['session_events', "handle = 'b' and id > 'x' order by id", 'handle'],
    ['sessions', "id = 'b'", 'pkey'],
    ['sessions', "entity_id = 'b' and mode = 'c' order by id desc", 'entity'],
    ['sessions', "entity_id = 'b' and (connect_id is not null or completed_at is not null)", 'continued'],
    ['sessions', `${shown} in ('b') and ${shown} is not null order by id desc`, 'step'],
    ['sessions', `completed_at is null and ${shown} is not null and updated_at <= 5 order by id desc`, 'open'],
    ['subscriptions', "holder_id = 'b' and status = 'active' order by id", 'holder'],
    ['tokens', "handle = 'b'", 'pkey'],
    ['webhooks', "id = 'b'", 'pkey'],
  ])('finds rows of %s where %s', async (table, condition, index) => {
    // The service uses this condition on name_words only to delete an entity's rows. A select could use an index-only
    // scan of the primary key, which contains every column.
    const verb = table === 'name_words' ? 'delete' : 'select *'
    const statement = sql.raw(`${verb} from ${table} where team_id = 'a' and ${condition}`)
    const name = index === 'pkey' ? keyOf(table) : `${table}_${index}`
    const expected = new RegExp(
      `(Index Scan|Index Only Scan|Index Scan Backward|INDEX|USING) (using |on |)${name}( |$)`,
      'm',
    )
    expect(await plan(empty.store.reader, statement)).toMatch(expected)
    if (table === 'name_words' || table === 'payments')
      expect(await plan(service.store.reader, statement)).toMatch(expected)
  })
})

it('the sweep deletes the references to an old request, and finds them by their key', async () => {
  const own = await testService()
  if (engine === 'postgres')
    await sql`insert into request_refs select 'team', 'ent_' || number, 'req_' || number, null, 9e12
      from generate_series(1, 60000) as number`.execute(own.store.reader)
  await own.call('GET', '/entities/ent_4kYq8ZbT1mXcP')
  await own.deps.requests.flush()
  const refs = () => own.store.reader.selectFrom('request_refs').where('team_id', '=', own.team).selectAll().execute()
  expect(await refs()).toHaveLength(1)
  const deletions: RawBuilder<unknown>[] = []
  const watch: KyselyPlugin = {
    transformQuery({ node }) {
      const { sql: text, parameters } = own.store.reader.getExecutor().compileQuery(node, {} as never)
      const [before, after] = text.split(/\$1|\?/)
      if (text.startsWith('delete from request_refs'))
        deletions.push(sql`${sql.raw(before!)}${parameters[0]}${sql.raw(after!)}`)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  own.advance(31 * DAY_MS)
  const write = (work: (tx: Db) => Promise<number>) => own.store.write(tx => work(tx.withPlugin(watch)))
  await sweep({ ...own.deps, store: { ...own.store, write: write as never } })
  expect(await refs()).toEqual([])
  expect(deletions).toHaveLength(1)
  expect(await plan(own.store.reader, deletions[0]!)).toMatch(
    new RegExp(`(Index Scan using|USING) ${keyOf('request_refs')} `),
  )
})

it.each(['source', 'destination'])(
  'a query for failed payments by %s uses the index of payments with an error',
  async end => {
    // Simulates autovacuum after many inserts, but at a predictable time.
    if (engine === 'postgres') await sql`analyze payments`.execute(service.store.reader)
    const { reader } = service.store
    const { team_id: team } = await reader.selectFrom('payments').select('team_id').limit(1).executeTakeFirstOrThrow()
    const found = await plan(
      reader,
      sql`select id from payments where team_id = ${team} and ${sql.ref(end)} = ${`acc_${end[0]}1`} and error is not null and error like '%1%'`,
    )
    expect(found).toContain(`payments_${end}_errors `)
  },
)

describe('a filter that matches no payment', async () => {
  const queries: Statement[] = []
  const watched = await testService({ store: store => recorded(store, queries) })

  it.each([
    ['acc_id', 'acc_0000000000000', ['payments_source', 'payments_destination']],
    ['holder_id', 'ent_0000000000000', ['payments_source_holder', 'payments_destination_holder']],
    ['type', 'clearing', ['payments_type']],
  ])('reads the %s index', async (name, value, indexes) => {
    queries.length = 0
    const { status, text } = await watched.call('GET', `/payments?${name}=${value}`)
    expect([status, text]).toEqual([200, expect.stringContaining('"data":[]')])
    // The queries on individual indexes run before the list query.
    const list = queries.findLast(query => query.text.includes('from "payments"'))!
    const found = await plan(watched.store.reader, literal(list))
    for (const index of indexes) expect(found).toMatch(new RegExp(`\\b${index}\\b`))
  })
})
