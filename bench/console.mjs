/**
 * Measures the p50 and p95 latencies of the console's lists and timelines, one request at a time, and the speed and
 * peak memory of a CSV file of payments. The store has just been filled and analyzed, and one team in it has a
 * million payments. Exits with 1 if any latency exceeds its limit.
 *   node bench/console.mjs [--engine sqlite|postgres] [--payments 1000000] [--seconds 3] [--rows 1000000] [--only item] [--json FILE]
 * At the default size, it takes about fifteen minutes, mostly to fill the store, and 6 GB of disk space.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { usePostgres } from '../scripts/test/postgres.mjs'
import { masterKey, secretKey, start } from '../scripts/torture/service.mjs'
import { createStore } from '../scripts/torture/store.mjs'
import { fill } from './fill.mjs'
import { bytesOf, load } from './load.mjs'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    payments: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
  },
})
const { engine } = options
/** The p95 limits, in ms. docs/reliability.md has the latest results. */
const LIST_LIMIT_MS = 100
const TIMELINE_LIMIT_MS = 150

const postgres = engine === 'postgres' ? await usePostgres({ durable: true }) : {}
if (postgres.missing) {
  console.log(`Skipped: ${postgres.missing}.`)
  process.exit(3)
}
const store = await createStore(engine, postgres.url)
const began = performance.now()
const { rows: filled } = await fill(
  { url: store.url, key: secretKey, masterKey },
  { payments: Number(options.payments), teams: 1_000 },
)
console.error(`${filled.payments} payments in ${Math.round((performance.now() - began) / 1000)} s`)
const service = await start(store, { CONSOLE_PORT: '0' })

/** Nine payments, spread evenly over the team's list. */
const [{ team_id }] = await store.query('select team_id from api_keys limit 1')
const [{ n }] = await store.query(`select count(*) as n from payments where team_id = '${team_id}'`)
const payments = []
for (let tenth = 1; tenth < 10; tenth += 1) {
  const skip = Math.floor((Number(n) * tenth) / 10)
  const columns = 'id, destination, destination_holder_id'
  payments.push(
    ...(await store.query(
      `select ${columns} from payments where team_id = '${team_id}' order by id desc limit 1 offset ${skip}`,
    )),
  )
}

const get = path => ({ method: 'GET', path })
const search = q => ({ method: 'POST', path: '/search', body: { q } })
const items = {
  'payments, first page': [LIST_LIMIT_MS, () => get('/payments?page_limit=50')],
  'payments, page anywhere': [LIST_LIMIT_MS, ({ id }) => get(`/payments?page_limit=50&page_cursor=${id}`)],
  'payments, oldest first': [LIST_LIMIT_MS, () => get('/payments?page_limit=50&sort=created_at')],
  'payments, with their total': [LIST_LIMIT_MS, () => get('/payments?page_limit=50&count=capped')],
  'payments of two statuses, with their total': [
    LIST_LIMIT_MS,
    () => get('/payments?page_limit=50&count=capped&status[]=failed&status[]=settled'),
  ],
  'payments of two statuses': [
    LIST_LIMIT_MS,
    () => get('/payments?page_limit=50&status[]=failed&status[]=reversal_required'),
  ],
  'payments of a status without any': [LIST_LIMIT_MS, () => get('/payments?page_limit=50&status=reversal_processing')],
  'payments held': [LIST_LIMIT_MS, () => get('/payments?page_limit=50&fund_status=hold')],
  'payments of an account': [LIST_LIMIT_MS, ({ destination }) => get(`/payments?page_limit=50&acc_id=${destination}`)],
  'payments of 30 days by status': [LIST_LIMIT_MS, () => get('/stats/payments')],
  'people, first page': [LIST_LIMIT_MS, () => get('/entities?page_limit=50')],
  'accounts of a person': [LIST_LIMIT_MS, row => get(`/accounts?holder_id=${row.destination_holder_id}`)],
  'sessions, first page': [LIST_LIMIT_MS, () => get('/opal/sessions?page_limit=50')],
  'requests, first page': [LIST_LIMIT_MS, () => get('/requests?page_limit=50')],
  'requests that failed': [LIST_LIMIT_MS, () => get('/requests?page_limit=50&outcome=failed')],
  'requests about a payment': [LIST_LIMIT_MS, ({ id }) => get(`/requests?page_limit=50&resource_id=${id}`)],
  'events, first page': [LIST_LIMIT_MS, () => get('/events?page_limit=50')],
  'events, with their total': [LIST_LIMIT_MS, () => get('/events?page_limit=50&count=capped')],
  'events of a payment': [LIST_LIMIT_MS, ({ id }) => get(`/events?page_limit=50&resource_id=${id}`)],
  'search by id': [LIST_LIMIT_MS, ({ id }) => search(id)],
  'search by a name that all have': [LIST_LIMIT_MS, () => search('kevin doyle')],
  'search by four digits': [LIST_LIMIT_MS, () => search('0100')],
  'explanation of a payment': [LIST_LIMIT_MS, ({ id }) => get(`/payments/${id}/explanation`)],
  'postings of a payment': [LIST_LIMIT_MS, ({ id }) => get(`/payments/${id}/postings`)],
  'timeline of a payment': [TIMELINE_LIMIT_MS, ({ id }) => get(`/timeline?about=${id}`)],
  'timeline of an account': [TIMELINE_LIMIT_MS, ({ destination }) => get(`/timeline?about=${destination}`)],
  'timeline of a person': [TIMELINE_LIMIT_MS, row => get(`/timeline?about=${row.destination_holder_id}`)],
}
const headers = { Authorization: `Bearer ${secretKey}` }
const port = Number(new URL(service.api).port)
const rows = []
for (const [item, [goal, of]] of Object.entries(items).filter(([name]) => name.includes(options.only))) {
  let turn = 0
  const next = () => {
    const { method, path, body } = of(payments[turn++ % payments.length])
    return bytesOf(method, path, { headers, body })
  }
  await load(port, next, { ms: 300, connections: 1 })
  const { p50, p95, count, refused } = await load(port, next, { ms: Number(options.seconds) * 1000, connections: 1 })
  if (refused > 0) throw new Error(`${refused} requests of “${item}” were refused`)
  rows.push({ item, count, 'p50, ms': Number(p50.toFixed(1)), 'p95, ms': Number(p95.toFixed(1)), goal })
}
/** Returns the memory of the service's process, in MB: now, or the peak so far. */
const memory = name =>
  Math.round(
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))[1]) / 1024,
  )

/** Downloads a list as a CSV file, up to a number of rows, as a user of the console. */
async function exportList(path, most) {
  const origin = service.console
  const headers = { 'Content-Type': 'application/json', Origin: origin }
  const body = JSON.stringify({ key: secretKey })
  const signedIn = await fetch(`${origin}/api/session`, { method: 'POST', headers, body })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const before = memory('VmRSS')
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, memory('VmRSS'))), 100)
  const began = performance.now()
  const response = await fetch(`${origin}/api${path}`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  let rows = -1
  let bytes = 0
  for await (const part of response.body) {
    bytes += part.length
    for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) rows += 1
    if (rows >= most) break
  }
  clearInterval(timer)
  const seconds = (performance.now() - began) / 1000
  return {
    file: path,
    rows,
    MB: Math.round(bytes / 1e6),
    seconds: Number(seconds.toFixed(1)),
    'rows per second': Math.round(rows / seconds),
    'memory before, MB': before,
    'peak, MB': peak,
  }
}
const files = 'export of payments'.includes(options.only)
  ? [await exportList('/payments/csv', Number(options.rows))]
  : []

console.log(`${engine}: ${filled.payments} payments and ${filled.events} events`)
console.table(rows)
console.table(files)
if (options.json) writeFileSync(options.json, `${JSON.stringify({ engine, rows, files }, null, 2)}\n`)
await service.kill()
await store.remove()
postgres.stop?.()
process.exitCode = rows.every(row => row['p95, ms'] <= row.goal) ? 0 : 1
