/**
 * Measures the service's overhead. Each result is the service's request rate divided by that of `bare.mjs`, a node:http
 * server that runs the same SQL on a copy of the same store. The two servers alternate so that other load on the
 * machine affects both equally. Compare the ratios, not the absolute rates.
 *   node bench/run.mjs [--engine sqlite|postgres] [--seconds 2] [--rounds 3] [--only item] [--json FILE]
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { usePostgres } from '../scripts/test/postgres.mjs'
import { call } from '../scripts/torture/http.mjs'
import { lender } from '../scripts/torture/lender.mjs'
import { redeem } from '../scripts/torture/person.mjs'
import { secretKey, start } from '../scripts/torture/service.mjs'
import { createStore } from '../scripts/torture/store.mjs'
import { bytesOf, load } from './load.mjs'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
  },
})
const { engine } = options
const ms = Number(options.seconds) * 1000
/** The minimum ratios relative to node:http. Source: docs/reliability.md. */
const goals = { ping: 0.35, retrieve: 0.14, payment: engine === 'sqlite' ? 0.06 : 0.08 }

const postgres = engine === 'postgres' ? await usePostgres({ durable: true }) : {}
if (postgres.missing) {
  console.log(`Skipped: ${postgres.missing}.`)
  process.exit(3)
}

/** A store that contains one resource of each measured kind, and a copy for the baseline. */
const store = await createStore(engine, postgres.url)
const seeding = await start(store)
const customer = lender(seeding)
const { entity, accounts } = await customer.debtor()
const source = await customer.source()
const payment = { source, destination: accounts[0], amount: 500, description: 'bench' }
const { id } = await customer.must('POST', '/payments', payment)
await redeem(seeding, (await customer.transfer(entity)).element_token)
await seeding.stop()
const copy = await createStore(engine, postgres.url, store)

const service = await start(store)
const bare = spawn(process.execPath, [fileURLToPath(new URL('bare.mjs', import.meta.url)), copy.url], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const barePort = await new Promise(resolve => createInterface({ input: bare.stdout }).once('line', resolve))
const bareOrigin = `http://127.0.0.1:${barePort}`
const portOf = origin => Number(new URL(origin).port)
const authorized = { Authorization: `Bearer ${secretKey}` }

/** Creates tokens in advance, so that the measurement includes only their redemption. */
async function tokens(count, make) {
  const made = []
  while (made.length < count) made.push(...(await Promise.all(Array.from({ length: 32 }, make))))
  return made
}
const transfer = { type: 'balance_transfer', entity_id: entity, balance_transfer: { loan_amount: 1_000_000 } }
const each = list => () => list.pop() ?? null
const TOKEN_COUNT = 3_000

/** For each item, the port that its requests are sent to and the function that creates their bytes. */
const items = {
  ping: {
    service: () => () => bytesOf('GET', '/ping'),
    bare: () => () => bytesOf('GET', '/ping'),
  },
  retrieve: {
    service: () => () => bytesOf('GET', `/payments/${id}`, { headers: authorized }),
    bare: () => () => bytesOf('GET', '/retrieve'),
  },
  payment: {
    service: () => () =>
      bytesOf('POST', '/payments', { headers: { ...authorized, 'Idempotency-Key': randomUUID() }, body: payment }),
    bare: () => () => bytesOf('POST', '/payment', { headers: { 'Idempotency-Key': randomUUID() }, body: payment }),
  },
  mint: {
    service: () => () => bytesOf('POST', '/elements/token', { headers: authorized, body: transfer }),
    bare: () => () => bytesOf('POST', '/mint', { body: transfer }),
  },
  redeem: {
    frame: true,
    async service() {
      const made = await tokens(TOKEN_COUNT, () => lender(service).transfer(entity))
      const next = each(made)
      return () => {
        const token = next()?.element_token
        if (token === undefined) return null
        const exchange_id = randomUUID().replaceAll('-', '')
        const body = { token, exchange_id, origin: 'http://127.0.0.1:4300', mode: null }
        return bytesOf('POST', '/s/redeem', { headers: { Origin: service.frameOrigin }, body })
      }
    },
    async bare() {
      const next = each(await tokens(TOKEN_COUNT, () => call(bareOrigin, 'POST', '/mint', { body: transfer })))
      return () => {
        const token = next()?.json.element_token
        return token === undefined ? null : bytesOf('POST', '/redeem', { headers: { token } })
      }
    },
  },
}

const measured = {}
for (let round = -1; round < Number(options.rounds); round += 1)
  for (const [name, item] of Object.entries(items)) {
    if (!name.includes(options.only) && name !== 'ping') continue
    for (const side of ['service', 'bare']) {
      const port = side === 'bare' ? Number(barePort) : portOf(item.frame ? service.frame : service.api)
      const result = await load(port, await item[side](), { ms: round < 0 ? ms / 2 : ms })
      if (result.refused > 0) throw new Error(`the ${side} rejected ${result.refused} requests of ${name}`)
      // The first round is a warm-up for both sides.
      if (round < 0) continue
      measured[name] ??= { service: [], bare: [] }
      measured[name][side].push(result)
    }
  }

const median = (results, field) => results.map(result => result[field]).sort((a, b) => a - b)[results.length >> 1]
const http = median(measured.ping.bare, 'perSecond')
const rows = Object.entries(measured).map(([item, { service: ours, bare: theirs }]) => ({
  item,
  'service/s': Math.round(median(ours, 'perSecond')),
  p50: Number(median(ours, 'p50').toFixed(1)),
  p99: Number(median(ours, 'p99').toFixed(1)),
  'bare/s': Math.round(median(theirs, 'perSecond')),
  'of bare': Number((median(ours, 'perSecond') / median(theirs, 'perSecond')).toFixed(2)),
  'of node:http': Number((median(ours, 'perSecond') / http).toFixed(3)),
  goal: goals[item] ?? '',
}))
console.log(
  `${engine}, 32 connections, median of ${options.rounds} rounds of ${options.seconds} s; node:http ${Math.round(http)}/s`,
)
console.table(rows)
if (options.json) writeFileSync(options.json, `${JSON.stringify({ engine, rows }, null, 2)}\n`)

bare.kill()
await service.kill()
await store.remove()
await copy.remove()
postgres.stop?.()
