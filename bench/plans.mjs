/**
 * Shows how PostgreSQL executes the service's statements on a large store. Fills a store with a million payments, sends
 * requests of every kind, lets jobs run, and reads every plan from the server's log (`auto_explain`). Prints the most
 * frequent statements, and every plan that scans an entire large table. Runs twice: on the newly filled store, and
 * again after ANALYZE.
 *   node bench/plans.mjs [--payments 1000000] [--top 20]
 * At the default size, it takes about 20 minutes and 6 GB of disk space. Exits with 1 if a statement scans an entire
 * large table.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { usePostgres } from '../scripts/test/postgres.mjs'
import { lender } from '../scripts/torture/lender.mjs'
import { finish, redeem } from '../scripts/torture/person.mjs'
import { masterKey, secretKey, start } from '../scripts/torture/service.mjs'
import { createStore } from '../scripts/torture/store.mjs'
import { fill } from './fill.mjs'

const { values: options } = parseArgs({
  options: { payments: { type: 'string', default: '1000000' }, top: { type: 'string', default: '20' } },
})
/** No statement may scan an entire table that has more rows than this. */
const MAX_SCANNED_ROWS = 10_000
/** The number of requests of each kind. */
const REQUESTS_PER_KIND = 20

const postgres = await usePostgres()
if (postgres.missing) {
  console.log(`Skipped: ${postgres.missing}.`)
  process.exit(3)
}
const store = await createStore('postgres', postgres.url)
const { rows } = await fill(
  { url: store.url, key: secretKey, masterKey },
  { payments: Number(options.payments) },
  { analyze: false },
)
console.log(`${rows.payments} payments, ${rows.ledger} postings, ${rows.events} events`)

const [{ folder }] = await store.query("select current_setting('data_directory') as folder")
const logFile = join(dirname(folder), 'log')
const set = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
}
for (const [name, value] of Object.entries(set))
  await store.query(`alter database ${store.name} set ${name} = '${value}'`)

/** Sends every kind of request that customers and end users send, and runs the jobs. */
async function work() {
  const service = await start(store, { OUTBOUND_LOOPBACK: 'allow' })
  const customer = lender(service)
  const { entity, accounts } = await customer.debtor()
  const source = await customer.source()
  const payment = { source, destination: accounts[0], amount: 500, description: 'plans' }
  await customer.must('POST', '/webhooks', {
    type: 'payment.update',
    url: 'http://127.0.0.1:9/none',
    auth_token: randomUUID(),
  })
  for (let turn = 0; turn < REQUESTS_PER_KIND; turn += 1) {
    const key = { 'Idempotency-Key': randomUUID() }
    const { id } = await customer.must('POST', '/payments', payment, key)
    await customer.must('POST', '/payments', payment, key)
    const paths = [
      `/payments/${id}`,
      `/payments/${id}/reversals`,
      '/payments?page_limit=20',
      '/payments?status=reversal_processing',
      `/payments?acc_id=${accounts[0]}`,
      '/payments?acc_id=acc_0000000000000',
      `/entities/${entity}`,
      `/accounts/${accounts[0]}`,
      `/accounts?holder_id=${entity}`,
      '/events?page_limit=20',
      `/events?resource_id=${id}`,
      '/webhooks',
    ]
    for (const path of paths) await customer.must('GET', path)
    await customer.must('POST', `/simulate/payments/${id}`, { status: 'processing' })
  }
  const transfer = await customer.transfer(entity)
  const { json } = await redeem(service, transfer.element_token)
  await finish(service, json.bearer, json.view)
  await customer.release(transfer.session_id, source)
  await customer.must('POST', '/simulate/clock', { advance: 'P5D' })
  await service.stop()
}

/** Returns every plan logged after an offset, with its statement and the tables that it scanned entirely. */
function plansSince(offset) {
  const text = readFileSync(logFile).subarray(offset).toString()
  return [...text.matchAll(/ plan:\n((?:\t.*\n)+)/g)].flatMap(([, plan]) => {
    try {
      const { 'Query Text': statement, Plan: root } = JSON.parse(plan)
      return [{ statement, whole: wholeOf(root) }]
    } catch {
      return []
    }
  })
}

const wholeOf = node => [
  ...(node['Node Type'] === 'Seq Scan' ? [node['Relation Name']] : []),
  ...(node.Plans ?? []).flatMap(wholeOf),
]

async function round(name) {
  const offset = statSync(logFile).size
  await work()
  const sizes = await store.query('select relname, n_live_tup::bigint as n from pg_stat_user_tables')
  const large = new Set(sizes.filter(({ n }) => n > MAX_SCANNED_ROWS).map(({ relname }) => relname))
  const plans = plansSince(offset)
  const counts = new Map()
  const bad = new Map()
  for (const { statement, whole } of plans) {
    counts.set(statement, (counts.get(statement) ?? 0) + 1)
    const read = whole.filter(table => large.has(table))
    if (read.length > 0) bad.set(statement, read)
  }
  const top = [...counts].sort(([, one], [, other]) => other - one).slice(0, Number(options.top))
  console.log(
    `\n${name}: ${plans.length} plans of ${counts.size} statements; large tables: ${[...large].sort().join(', ')}`,
  )
  for (const [statement, count] of top)
    console.log(`${String(count).padStart(6)}  ${bad.has(statement) ? 'WHOLE' : 'index'}  ${statement.slice(0, 150)}`)
  for (const [statement, tables] of bad) console.log(`  reads all of ${tables.join(', ')}: ${statement.slice(0, 400)}`)
  return bad.size
}

let found = await round('freshly loaded')
await store.query('analyze')
found += await round('analyzed')
await store.remove()
postgres.stop?.()
process.exitCode = found === 0 ? 0 : 1
