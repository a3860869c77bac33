/**
 * Measures the store's size per payment, by table and index. The built service creates payments through its API with
 * one webhook for `payment.update`, and the sandbox's clock then moves past their last event. The result is the growth
 * of each table and index divided by the number of payments, and the number of rows and events per payment.
 *   node bench/size.mjs [--engine sqlite|postgres] [--payments 2000] [--with CHECKOUT] [--json FILE]
 * With `--with`, the service is another checkout's build, which must be built with `pnpm install && pnpm build`. SQLite
 * counts the pages of each table and index. PostgreSQL counts a table's rows and its long values (TOAST) separately,
 * after a VACUUM.
 */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { usePostgres } from '../scripts/test/postgres.mjs'
import { lender } from '../scripts/torture/lender.mjs'
import { builtServer, start } from '../scripts/torture/service.mjs'
import { createStore } from '../scripts/torture/store.mjs'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    payments: { type: 'string', default: '2000' },
    with: { type: 'string' },
    json: { type: 'string' },
  },
})
const { engine } = options
const count = Number(options.payments)
/** The number of requests sent at the same time. */
const CONCURRENCY = 16
/** Past a payment's last event, including weekends and holidays. */
const PAYMENT_LIFETIME = 'P20D'
/** The time between two looks at the store while jobs run, in ms. */
const POLL_INTERVAL_MS = 1_000
/** Tables and indexes that grow by less than this many bytes per payment are summed up as "other". */
const SMALL_BYTES = 10

const sizes = {
  sqlite: `select s.name, m.tbl_name as "table", s.pgsize as bytes from dbstat s join sqlite_master m on m.name = s.name
    where s.aggregate = true`,
  postgres: `select c.relname as name, coalesce(t.relname, c.relname) as "table", pg_relation_size(c.oid) as bytes
    from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')
    union all
    select c.relname || ' (TOAST)', c.relname, pg_total_relation_size(c.reltoastrelid)
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.reltoastrelid <> 0`,
}

const postgres = engine === 'postgres' ? await usePostgres() : {}
if (postgres.missing) {
  console.log(`Skipped: ${postgres.missing}.`)
  process.exit(3)
}
const store = await createStore(engine, postgres.url)
const server = options.with ? join(options.with, 'apps/api/dist/main/server.js') : builtServer
const service = await start(store, { OUTBOUND_LOOPBACK: 'allow' }, server)
const customer = lender(service)
const receiver = createServer((request, response) => request.resume().once('end', () => response.end()))
await new Promise(resolve => receiver.listen(0, '127.0.0.1', resolve))

/** Waits until no job is left. */
async function settle() {
  for (;;) {
    const [{ jobs }] = await store.query("select count(*) as jobs from jobs where state <> 'dead'")
    if (jobs === 0) return
    await wait(POLL_INTERVAL_MS)
  }
}

/** Returns the size of every table and index, keyed by name. */
async function measure() {
  if (engine === 'postgres') await store.query('vacuum')
  return new Map((await store.query(sizes[engine])).map(row => [row.name, { table: row.table, bytes: row.bytes }]))
}

const { accounts } = await customer.debtor()
const source = await customer.source()
await customer.must('POST', '/webhooks', {
  type: 'payment.update',
  url: `http://127.0.0.1:${receiver.address().port}/`,
  hmac_secret: randomUUID(),
})
const before = await measure()
let left = count
const pay = async () => {
  while (left > 0) {
    left -= 1
    const body = {
      source,
      destination: accounts[left % accounts.length],
      amount: 2_500 + (left % 400_000),
      description: 'PAYOFF',
      metadata: { loan: `L-${100_000 + left}` },
    }
    await customer.must('POST', '/payments', body, { 'Idempotency-Key': randomUUID() })
  }
}
await Promise.all(Array.from({ length: CONCURRENCY }, pay))
await customer.must('POST', '/simulate/clock', { advance: PAYMENT_LIFETIME })
await settle()
const statuses = await store.query('select status, count(*) as payments from payments group by status')
const [{ events }] = await store.query("select count(*) as events from events where resource_type = 'payment'")
await service.stop()
receiver.close()
const after = await measure()
await store.remove()
postgres.stop?.()

const perPayment = bytes => Math.round(bytes / count)
const all = [...after].map(([name, { table, bytes }]) => ({
  table,
  name,
  bytes: bytes - (before.get(name)?.bytes ?? 0),
}))
const sum = list => list.reduce((total, { bytes }) => total + bytes, 0)
const total = sum(all)
const rows = all
  .filter(({ bytes }) => perPayment(bytes) >= SMALL_BYTES)
  .sort((one, other) => one.table.localeCompare(other.table) || other.bytes - one.bytes)
const shownRows = [
  ...rows.map(({ table, name, bytes }) => ({ table, name, bytes: perPayment(bytes) })),
  { table: 'other', name: '', bytes: perPayment(total - sum(rows)) },
  { table: 'events', name: '(all)', bytes: perPayment(sum(all.filter(({ table }) => table === 'events'))) },
  { table: 'total', name: '', bytes: perPayment(total) },
]
console.log(`${engine}, ${count} payments, ${events / count} events per payment: bytes per payment`)
console.table(statuses.map(({ status, payments }) => ({ status, payments })))
console.table(shownRows)
if (options.json)
  writeFileSync(options.json, `${JSON.stringify({ engine, count, events, rows: shownRows }, null, 2)}\n`)
