/**
 * Measures how long the ledger check and the sweep of old rows block a process. Fills a store with payments and expired
 * rows, and then runs the check and the sweep as the service does. Fails if a stall is longer than 50 ms.
 *   node bench/stalls.mjs [--engine sqlite|postgres] [--count 1000000] [--expired COUNT]
 * `--expired` is the number of expired rows in each of five tables, by default a tenth of the payments. A stall is the
 * time between two turns of the event loop. "Own" is the processor time that the event loop's thread used during a
 * stall. For the rest of the stall, the thread waited for the disk or for other work on the machine. "Idle" shows the
 * longest stall of a process that does nothing for the same length of time. On systems other than Linux, "own" is the
 * processor time of all threads.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fsyncSync, openSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readConfig } from '../apps/api/dist/main/config.js'
import { createCommandDeps } from '../apps/api/dist/main/operator/deps.js'
import { checkLedger } from '../apps/api/dist/money/ledger/check.js'
import { randomText } from '../apps/api/dist/platform/crypto/random.js'
import { openStore } from '../apps/api/dist/platform/db/store.js'
import { sweep } from '../apps/api/dist/platform/jobs/sweep.js'
import { DAY_MS } from '../packages/contract/dist/time.js'
import { usePostgres } from '../scripts/test/postgres.mjs'
import { environment, masterKey, secretKey } from '../scripts/torture/service.mjs'
import { createStore } from '../scripts/torture/store.mjs'
import { openBulk } from './fill/rows.mjs'

const MAX_STALL_MS = 50
/** The time, in ms, that the check runs before the measurement. */
const WARM_UP_MS = 2_000
/** The number of rows per bulk insert. */
const BATCH_ROWS = 2_000
/** The size of a stored response, and of a logged request or response, in bytes. */
const BODY_BYTES = 1_500

/** Returns the processor time of the event loop's thread, in ms. */
function usedTime() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
}

/**
 * Measures stalls until `stop` is called.
 * @returns `{ wall, own }`: the longest stall, and the most processor time that this process used in one stall, both in
 *   ms
 */
function watchStalls() {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let own = 0
  let used = usedTime()
  const tick = () => {
    const now = usedTime()
    own = Math.max(own, now - used)
    used = now
  }
  const timer = setInterval(tick, 1)
  delay.enable()
  return () => {
    delay.disable()
    clearInterval(timer)
    tick()
    return { wall: delay.max / 1e6, own }
  }
}

async function measure(name, work) {
  // Lets work that is already in progress finish first.
  await new Promise(resolve => setTimeout(resolve, 200))
  const stop = watchStalls()
  const began = performance.now()
  const counted = await work()
  const stalls = stop()
  return { name, counted, ms: performance.now() - began, ...stalls }
}

/** Adds expired rows like those that the service writes. */
async function addExpired(url, team, count) {
  const bulk = await openBulk(url)
  const old = Date.now() - 100 * DAY_MS
  const body = 'x'.repeat(BODY_BYTES)
  const texts = size => Array.from({ length: size }, () => randomText(20))
  const ages = size => Array.from({ length: size }, () => old - Math.floor(Math.random() * 50 * DAY_MS))
  const requests = texts(count)
  const listed = (from, size) => requests.slice(from, from + size)
  const rows = {
    idempotency: size => ({
      fixed: { team_id: team, state: 'done', method: 'POST', path: '/payments', body_hash: 'x', status: 200, body },
      varying: { key: texts(size), created_at: ages(size) },
    }),
    requests: (size, from) => ({
      fixed: {
        team_id: team,
        method: 'POST',
        route: '/payments',
        status: 200,
        ms: 5,
        actor: 'key',
        source: 'api',
        idempotency: 'stored',
        request: body,
        response: body,
      },
      varying: {
        id: listed(from, size),
        resource_ids: listed(from, size).map(id => JSON.stringify([id])),
        created_at: ages(size),
      },
    }),
    request_bodies: size => ({
      fixed: { team_id: team, sealed: body.repeat(10) },
      varying: { id: texts(size), created_at: ages(size) },
    }),
    // The sweep also deletes the references listed in a request's row.
    request_refs: (size, from) => ({
      fixed: { team_id: team },
      varying: { about: listed(from, size), request_id: listed(from, size), created_at: ages(size) },
    }),
    delivery_attempts: size => ({
      fixed: { team_id: team, webhook_id: 'wh', number: 1, ms: 5, response_status: 200, outcome: 'delivered' },
      varying: { delivery_id: texts(size), attempted_at: ages(size) },
    }),
  }
  await bulk.prepare(Object.keys(rows))
  for (const [table, make] of Object.entries(rows))
    for (let left = count; left > 0; left -= BATCH_ROWS) {
      const size = Math.min(BATCH_ROWS, left)
      await bulk.insert(table, { ...make(size, count - left), count: size })
    }
  await bulk.close()
}

/** Runs in a separate process, so that the memory used to fill the store does not affect the result. */
async function measureAll(url) {
  const config = readConfig(environment({ url }, { ENCRYPTION_KEY: process.env.STALLS_KEY }), process.cwd())
  const store = await openStore(url)
  const deps = await createCommandDeps(store, config, Date.now())
  const log = (_level, event, fields) => console.error(event, fields)
  // Warms up the check's code first, as in a service that has been running for a while.
  const until = performance.now() + WARM_UP_MS
  await checkLedger(deps, { stopped: () => performance.now() > until })
  const found = [
    await measure('ledger check', async () => {
      const { payments, faulty } = await checkLedger(deps)
      if (faulty > 0) throw new Error(`The ledger check found ${faulty} faults.`)
      return payments
    }),
    await measure('sweep', async () => {
      const gone = await sweep({ store, clock: Date.now, log })
      return Object.values(gone).reduce((sum, rows) => sum + rows, 0)
    }),
  ]
  const longest = Math.max(...found.map(({ ms }) => ms))
  found.push(
    await measure('idle', async () => {
      await new Promise(resolve => setTimeout(resolve, longest))
      return 0
    }),
  )
  await store.close()
  process.send(found)
  process.disconnect()
}

async function main() {
  const { values: options } = parseArgs({
    options: {
      engine: { type: 'string', default: 'sqlite' },
      count: { type: 'string', default: '1000000' },
      expired: { type: 'string' },
    },
  })
  const count = Number(options.count)
  const expired = Number(options.expired ?? Math.ceil(count / 10))
  if (![count, expired].every(Number.isSafeInteger) || !['sqlite', 'postgres'].includes(options.engine)) {
    console.error('--engine must be sqlite or postgres; --count and --expired must be whole numbers')
    process.exit(2)
  }
  const postgres = options.engine === 'postgres' ? await usePostgres({ durable: true }) : {}
  if (postgres.missing) {
    console.log(`Skipped: ${postgres.missing}.`)
    process.exit(3)
  }
  const store = await createStore(options.engine, postgres.url)
  try {
    const { fill } = await import('./fill.mjs')
    const began = performance.now()
    const { rows } = await fill({ url: store.url, key: secretKey, masterKey }, { payments: count })
    const [{ id }] = await store.query('select id from teams order by id limit 1')
    await addExpired(store.url, id, expired)
    // Otherwise, the first commit would wait until the disk has all rows above.
    if (options.engine === 'sqlite') fsyncSync(openSync(store.url.slice('file:'.length), 'r+'))
    const seconds = Math.round((performance.now() - began) / 1_000)
    console.log(
      `${options.engine}: ${rows.payments} payments, ${expired} expired rows per table, filled in ${seconds} s`,
    )
    const child = fork(fileURLToPath(import.meta.url), [], {
      env: { ...process.env, STALLS_URL: store.url, STALLS_KEY: masterKey },
    })
    const [[found]] = await Promise.all([once(child, 'message'), once(child, 'exit')])
    for (const { name, counted, ms, wall, own } of found)
      console.log(
        `${name.padEnd(13)} ${String(counted).padStart(8)} rows in ${(ms / 1_000).toFixed(1).padStart(6)} s, longest stall ${wall.toFixed(1).padStart(6)} ms, own ${own.toFixed(1).padStart(6)} ms`,
      )
    if (found.some(({ own }) => own > MAX_STALL_MS)) process.exitCode = 1
  } finally {
    await store.remove()
    postgres.stop?.()
  }
}

if (process.env.STALLS_URL) await measureAll(process.env.STALLS_URL)
else await main()
