/**
 * Compares the speed before and after a change. This checkout's build and another checkout's build take turns answering
 * the same requests, each from its own store with identical rows. Each result is the ratio of the two builds' median
 * rates in one run. "cpu" compares the processor time per request in the service's process. Other programs on the
 * machine affect this time less than they affect the rate. "cpu" is available only on Linux. "±" is the standard error
 * of the preceding ratio.
 *   node bench/compare.mjs --with CHECKOUT [--engine sqlite|postgres] [--seconds 3] [--rounds 5] [--only item] [--json FILE]
 * CHECKOUT is a folder with another commit, built with `pnpm install && pnpm build`.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { usePostgres } from '../scripts/test/postgres.mjs'
import { lender } from '../scripts/torture/lender.mjs'
import { builtServer, secretKey, start } from '../scripts/torture/service.mjs'
import { createStore } from '../scripts/torture/store.mjs'
import { bytesOf, load } from './load.mjs'

const { values: options } = parseArgs({
  options: {
    with: { type: 'string', default: '' },
    engine: { type: 'string', default: 'sqlite' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
  },
})
const { engine } = options
const ms = Number(options.seconds) * 1000
const other = ['main/server.js', 'server.js'].map(file => join(options.with, 'apps/api/dist', file)).find(existsSync)
if (!options.with || !other) {
  console.error('--with must name the folder of a built checkout, with apps/api/dist')
  process.exit(2)
}
const postgres = engine === 'postgres' ? await usePostgres({ durable: true }) : {}
if (postgres.missing) {
  console.log(`Skipped: ${postgres.missing}.`)
  process.exit(3)
}

const headers = { Authorization: `Bearer ${secretKey}` }
const PAYMENT_COUNT = 300
/** The time, in ms, to wait for work that continues after the responses, such as jobs and the request log. */
const SETTLE_MS = 1_200

/**
 * Starts a service on a store that contains payments.
 * @returns its port, functions that create the request bytes for each item, and a function that stops the service
 */
async function createSide(server) {
  const store = await createStore(engine, postgres.url)
  const service = await start(store, {}, server)
  const customer = lender(service)
  const { accounts } = await customer.debtor()
  const body = { source: await customer.source(), destination: accounts[0], amount: 500, description: 'bench' }
  let id
  for (let made = 0; made < PAYMENT_COUNT; made += 1) id = (await customer.must('POST', '/payments', body)).id
  return {
    pid: service.pid,
    port: Number(new URL(service.api).port),
    items: {
      ping: () => bytesOf('GET', '/ping'),
      retrieve: () => bytesOf('GET', `/payments/${id}`, { headers }),
      payment: () => bytesOf('POST', '/payments', { headers: { ...headers, 'Idempotency-Key': randomUUID() }, body }),
      list: () => bytesOf('GET', '/payments?page_limit=20', { headers }),
    },
    async end() {
      await service.kill()
      await store.remove()
    },
  }
}
const sides = { this: await createSide(builtServer), other: await createSide(other) }

/** Returns a process's processor time, in ticks of 10 ms, or 0 if the system does not report it. */
function ticksOf(pid) {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return 0
  const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ')
  return Number(fields[11]) + Number(fields[12])
}
/**
 * For each item and side, the results of each round: requests per second, and processor time per request in
 * microseconds.
 */
const rates = {}
for (let round = -1; round < Number(options.rounds); round += 1)
  for (const item of Object.keys(sides.this.items)) {
    if (!item.includes(options.only)) continue
    rates[item] ??= { this: { perSecond: [], cpu: [] }, other: { perSecond: [], cpu: [] } }
    const order = Object.entries(sides)
    for (const [side, { pid, port, items }] of round % 2 === 0 ? order : order.reverse()) {
      const ticks = ticksOf(pid)
      // The first round is a warm-up for both sides.
      const result = await load(port, items[item], { ms: round < 0 ? ms / 2 : ms })
      if (result.refused > 0) throw new Error(`the ${side} build rejected ${result.refused} requests of ${item}`)
      // Wait, so that the remaining work counts for the side that caused it and does not slow down the other side.
      await wait(SETTLE_MS)
      if (round < 0) continue
      rates[item][side].perSecond.push(result.perSecond)
      rates[item][side].cpu.push((10_000 * (ticksOf(pid) - ticks)) / result.count)
    }
  }

const median = list => list.toSorted((a, b) => a - b)[list.length >> 1]
/** Returns the standard error of the mean ratio between two lists, paired by position. */
function errorOf(ours, theirs) {
  const ratios = ours.map((value, index) => value / theirs[index])
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  const squares = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0)
  return Number(Math.sqrt(squares / (ratios.length - 1) / ratios.length).toFixed(3))
}
const ratioOf = (value, base) => Number((value / base).toFixed(3))
const rows = Object.entries(rates).map(([item, { this: ours, other: theirs }]) => ({
  item,
  'this/s': Math.round(median(ours.perSecond)),
  'other/s': Math.round(median(theirs.perSecond)),
  ratio: ratioOf(median(ours.perSecond), median(theirs.perSecond)),
  '±': errorOf(ours.perSecond, theirs.perSecond),
  'this cpu us': Math.round(median(ours.cpu)),
  'other cpu us': Math.round(median(theirs.cpu)),
  cpu: ratioOf(median(theirs.cpu), median(ours.cpu)),
  '± cpu': errorOf(theirs.cpu, ours.cpu),
}))
console.log(`${engine}, 32 connections, median of ${options.rounds} rounds of ${options.seconds} s`)
console.table(rows)
if (options.json) writeFileSync(options.json, `${JSON.stringify({ engine, rows }, null, 2)}\n`)
for (const side of Object.values(sides)) await side.end()
postgres.stop?.()
