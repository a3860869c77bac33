/**
 * Measures what an overload does to everyone else. Two phases, each on a service of its own:
 *   flood     600 clients of one team each open a connection at the same moment and keep creating payments
 *   share     200 clients of one team do the same beside a polite client of another team, which opens a new connection
 *             for each payment and pauses between them
 * In both phases, probes open a new connection for each `GET /ping` and, on the operations listener, `GET /readyz`.
 * With --with, another checkout's build is measured in the same run. Latencies include the wait for a connection. The
 * machine's other load affects all figures except the processor time, so compare the builds of one run.
 *   node bench/fairness.mjs [--engine sqlite|postgres] [--with CHECKOUT] [--seconds 10] [--rounds 1] [--only flood|share]
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { usePostgres } from '../scripts/test/postgres.mjs'
import { lender } from '../scripts/torture/lender.mjs'
import { builtServer, environment, secretKey, start } from '../scripts/torture/service.mjs'
import { createStore } from '../scripts/torture/store.mjs'
import { flood } from './flood.mjs'
import { bytesOf } from './load.mjs'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    with: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
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
const other = options.with && join(options.with, 'apps/api/dist/main/server.js')
if (other && !existsSync(other)) {
  console.error('--with must name the folder of a built checkout, with apps/api/dist')
  process.exit(2)
}
const builds = [...(other ? [['other', other]] : []), ['this', builtServer]]

/** Returns a function that creates the bytes of the next payment request for the team that owns the key. */
async function payer(service, key) {
  const customer = lender(service, key)
  const { accounts } = await customer.debtor()
  const payment = { source: await customer.source(), destination: accounts[0], amount: 500, description: 'bench' }
  const headers = { Authorization: `Bearer ${key}` }
  return () => bytesOf('POST', '/payments', { headers: { ...headers, 'Idempotency-Key': randomUUID() }, body: payment })
}

/**
 * Until the returned function is called, measures how long the oldest due payment job of a team has been waiting.
 * @returns the longest wait, in ms
 */
function watchLag(store, team) {
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

const phases = { flood: { connections: 600, polite: 0 }, share: { connections: 200, polite: 1 } }
/** Returns the processor time in ms that a process has used, in ticks of 10 ms. Linux only. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
const seconds = value => (value === undefined || Number.isNaN(value) ? '' : Number((value / 1000).toFixed(2)))

async function measure(build, server, phase) {
  const { connections, polite } = phases[phase]
  const store = await createStore(engine, postgres.url)
  const service = await start(store, {}, server)
  try {
    const admin = join(dirname(server), 'admin.js')
    const { stdout } = await run(process.execPath, [admin, 'team', 'create', 'Flood'], { env: environment(store) })
    const crowd = await payer(service, /sk_\w+/.exec(stdout)[0])
    const customer = await payer(service, secretKey)
    const port = Number(new URL(service.api).port)
    const ops = Number(new URL(service.ops).port)
    const probe = path => () => bytesOf('GET', path, { headers: { Connection: 'close' } })
    const always = { ms, connections: 1, pauseMs: 100, reconnects: true }
    const alone = polite ? await flood(port, customer, { ...always, ms: ms / 3 }) : undefined
    const [{ id: team }] = await store.query("select id from teams where name <> 'Flood'")
    const lag = watchLag(store, team)
    const cpu = cpuOf(service.pid)
    const [payments, ping, ready, beside] = await Promise.all([
      flood(port, crowd, { ms, connections }),
      flood(port, probe('/ping'), always),
      flood(ops, probe('/readyz'), always),
      polite ? flood(port, customer, always) : undefined,
    ])
    const longestLag = await lag()
    const used = cpuOf(service.pid) - cpu
    return {
      phase,
      build,
      'payments/s': Math.round(payments.accepted.count / (ms / 1000)),
      'cpu ms/payment': Number((used / payments.accepted.count).toFixed(1)),
      'cpu share': Number((used / ms).toFixed(2)),
      'accepted p50 s': seconds(payments.accepted.p50),
      'accepted p99 s': seconds(payments.accepted.p99),
      'accepted max s': seconds(payments.accepted.longest),
      refused: payments.refused.count,
      'refused p99 s': seconds(payments.refused.p99),
      lost: payments.lost + ping.lost + ready.lost + (beside?.lost ?? 0),
      'ping p50 s': seconds(ping.all.p50),
      'ping max s': seconds(ping.all.longest),
      'readyz max s': seconds(ready.all.longest),
      'polite alone p50 s': seconds(alone?.all.p50),
      'polite p50 s': seconds(beside?.all.p50),
      'polite p99 s': seconds(beside?.all.p99),
      'submission wait s': polite ? seconds(longestLag) : '',
      'polite refused': beside?.refused.count ?? '',
    }
  } finally {
    await service.stop()
    await store.remove()
  }
}

const rows = []
for (let round = 0; round < Number(options.rounds); round += 1)
  for (const phase of Object.keys(phases).filter(each => !options.only || each === options.only))
    for (const [build, server] of builds) rows.push(await measure(build, server, phase))
console.log(engine)
console.table(rows)
postgres.stop?.()
