/**
 * Measures how a flood of requests from one team affects another team. A customer creates payments one after another,
 * first with no other load and then while another team keeps all its connections busy. The two phases alternate so that
 * other load on the machine affects both equally. Compare the ratios, not the absolute values.
 *   node bench/fairness.mjs [--engine sqlite|postgres] [--connections 64] [--seconds 5] [--rounds 3]
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { usePostgres } from '../scripts/postgres.mjs'
import { lender } from '../scripts/torture/lender.mjs'
import { environment, secretKey, start } from '../scripts/torture/service.mjs'
import { createStore } from '../scripts/torture/store.mjs'
import { bytesOf, load } from './load.mjs'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    connections: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
})
const { engine } = options
const ms = Number(options.seconds) * 1000
const postgres = engine === 'postgres' ? await usePostgres({ durable: true }) : {}
if (postgres.missing) {
  console.log(`Skipped: ${postgres.missing}.`)
  process.exit(3)
}

const run = promisify(execFile)
const admin = fileURLToPath(new URL('../apps/api/dist/main/admin.js', import.meta.url))

const store = await createStore(engine, postgres.url)
const service = await start(store)
const { stdout } = await run(process.execPath, [admin, 'team', 'create', 'Flood'], { env: environment(store) })
const floodKey = /sk_\w+/.exec(stdout)[0]
const port = Number(new URL(service.api).port)

/** Returns a function that creates the bytes of the next payment request for the team that owns the key. */
async function payer(key) {
  const customer = lender(service, key)
  const { accounts } = await customer.debtor()
  const payment = { source: await customer.source(), destination: accounts[0], amount: 500, description: 'bench' }
  const headers = { Authorization: `Bearer ${key}` }
  return () => bytesOf('POST', '/payments', { headers: { ...headers, 'Idempotency-Key': randomUUID() }, body: payment })
}
const customer = await payer(secretKey)
const flood = await payer(floodKey)
const [{ id: team }] = await store.query("select id from teams where name <> 'Flood'")

/**
 * Until the returned function is called, measures how long the customer's oldest due payment job has been waiting.
 * @returns the longest wait, in ms
 */
function watchLag() {
  let longest = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const rows = await store.query(
        `select min(run_at) as at from jobs where kind = 'payment.submit' and state = 'ready' and team_id = '${team}'`,
      )
      if (rows[0].at !== null) longest = Math.max(longest, Date.now() - Number(rows[0].at))
      await pause(200)
    }
    return longest
  })()
  return () => {
    isOver = true
    return watching
  }
}

const alone = []
const beside = []
for (let round = -1; round < Number(options.rounds); round += 1) {
  const before = await load(port, customer, { ms, connections: 1 })
  const lag = watchLag()
  const [after, flooded] = await Promise.all([
    load(port, customer, { ms, connections: 1 }),
    load(port, flood, { ms, connections: Number(options.connections) }),
  ])
  const longest = await lag()
  // The first round is a warm-up.
  if (round < 0) continue
  alone.push(before)
  beside.push({ ...after, flood: flooded, lag: longest })
}
const median = values => values.sort((a, b) => a - b)[values.length >> 1]
const own = median(alone.map(({ p50 }) => p50))
const slow = median(beside.map(({ p50 }) => p50))
console.table([
  {
    engine,
    connections: Number(options.connections),
    'alone p50 ms': Number(own.toFixed(1)),
    'beside p50 ms': Number(slow.toFixed(1)),
    'beside p99 ms': Number(median(beside.map(({ p99 }) => p99)).toFixed(1)),
    ratio: Number((slow / own).toFixed(1)),
    'flood/s': Math.round(median(beside.map(({ flood: { perSecond } }) => perSecond))),
    'longest answer s': Number(
      (Math.max(...beside.flatMap(({ longest, flood }) => [longest, flood.longest])) / 1000).toFixed(1),
    ),
    'refused to the customer': beside.reduce((sum, { refused }) => sum + refused, 0),
    'refused to the flood': beside.reduce((sum, { flood: { refused } }) => sum + refused, 0),
    'longest wait of a submission s': Number((Math.max(...beside.map(({ lag }) => lag)) / 1000).toFixed(1)),
  },
])
await service.stop()
await store.remove()
postgres.stop?.()
