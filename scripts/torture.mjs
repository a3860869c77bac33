/**
 * Tries at a running service what docs/reliability.md promises: races, kills at every point, two processes, a store whose
 * part is gone. The service is the built one, in processes of its own, on throwaway stores; nothing leaves this machine.
 *   node scripts/torture.mjs [--engine sqlite|postgres|both] [--quick] [--only text]
 * Each trial prints one line with its counts. Exit code 1 where anything was violated. It ends by itself: a few
 * minutes with --quick, over half an hour without.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { usePostgres } from './postgres.mjs'
import { reportFile } from './tally.mjs'
import { crashedReleases, randomKills } from './torture/crashes.mjs'
import { killedBetweenScreens } from './torture/flow.mjs'
import { hangUp } from './torture/http.mjs'
import { broken } from './torture/invariants.mjs'
import { leaks } from './torture/leaks.mjs'
import { claimTableGone, faultOnRequest } from './torture/outage.mjs'
import { deadOwner, secondProcess } from './torture/ownership.mjs'
import { paymentsOfSeveral, paymentsUnderKills } from './torture/payments.mjs'
import { redemptions, releases, repeats } from './torture/races.mjs'
import { start } from './torture/service.mjs'
import { createStore } from './torture/store.mjs'
import { webhooksUnderKills } from './torture/webhooks.mjs'
import { writersUnderKills } from './torture/writers.mjs'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'both' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})
if (!['sqlite', 'postgres', 'both'].includes(options.engine)) {
  console.error('--engine is sqlite, postgres or both')
  process.exit(2)
}

/**
 * `processes`: how many services are started for the trial; 0: it starts its own.
 * `amount`: [quick, full], where a trial has a size of its own. `whole`: it has no short form.
 * `rounds`: [quick, full]; no trial goes on for longer than `seconds`: [quick, full].
 */
const trials = [
  { name: 'redemptions', run: redemptions, processes: 1, rounds: [4, 60], seconds: [6, 40] },
  { name: 'releases', run: releases, processes: 1, rounds: [6, 100], seconds: [5, 30] },
  { name: 'repeats', run: repeats, processes: 1, rounds: [9, 150], seconds: [5, 30] },
  {
    name: 'redemptions, two processes',
    run: redemptions,
    processes: 2,
    rounds: [4, 40],
    seconds: [6, 30],
    on: 'postgres',
  },
  { name: 'releases, two processes', run: releases, processes: 2, rounds: [6, 80], seconds: [5, 30], on: 'postgres' },
  { name: 'repeats, two processes', run: repeats, processes: 2, rounds: [9, 120], seconds: [5, 30], on: 'postgres' },
  { name: 'release killed at each point', run: crashedReleases, processes: 0, rounds: [1, 12], seconds: [15, 60] },
  { name: 'release killed at random', run: randomKills, processes: 0, rounds: [4, 40], seconds: [8, 60] },
  { name: 'killed between screens', run: killedBetweenScreens, processes: 0, rounds: [1, 6], seconds: [20, 60] },
  { name: 'writers under kills', run: writersUnderKills, processes: 0, rounds: [3, 40], seconds: [10, 90] },
  {
    name: 'webhooks under kills',
    run: webhooksUnderKills,
    processes: 0,
    rounds: [2, 40],
    seconds: [15, 240],
    amount: [300, 10_000],
  },
  { name: 'payments under kills', run: paymentsUnderKills, processes: 0, rounds: [4, 1_000], seconds: [20, 300] },
  {
    name: 'payments under kills, two processes and a worker',
    run: paymentsOfSeveral,
    processes: 0,
    rounds: [4, 1_000],
    seconds: [20, 300],
    on: 'postgres',
    whole: true,
  },
  { name: 'claim table gone', run: claimTableGone, processes: 1, rounds: [1, 5], seconds: [10, 20] },
  { name: 'fault on request', run: faultOnRequest, processes: 1, rounds: [1, 1], seconds: [10, 20] },
  { name: 'second process refused', run: secondProcess, processes: 0, rounds: [3, 40], seconds: [6, 40], on: 'sqlite' },
  { name: 'dead owner taken over', run: deadOwner, processes: 0, rounds: [3, 40], seconds: [6, 40], on: 'sqlite' },
]

const size = options.quick ? 0 : 1
const postgres = options.engine === 'sqlite' ? {} : await usePostgres()
let violations = 0
const failures = []
if (postgres.missing) {
  console.log(`PostgreSQL is left out: ${postgres.missing}.`)
  if (options.engine === 'postgres' || process.env.CI) violations += 1
}
const engines = (options.engine === 'both' ? ['sqlite', 'postgres'] : [options.engine]).filter(
  engine => engine === 'sqlite' || postgres.url,
)

async function attempt(engine, trial) {
  const store = await createStore(engine, postgres.url)
  const found = new Set()
  const services = []
  const began = performance.now()
  const launch = async env => {
    const service = await start(store, env)
    services.push(service)
    return service
  }
  let line = ''
  try {
    for (let count = 0; count < trial.processes; count += 1) await launch()
    line = await trial.run({
      store,
      services: [...services],
      amount: trial.amount?.[size],
      launch,
      expect: (holds, sentence) => holds || found.add(sentence),
      async rounds(work) {
        const until = performance.now() + trial.seconds[size] * 1000
        for (let round = 0; round < trial.rounds[size] && performance.now() < until; round += 1) await work(round)
      },
    })
  } catch (error) {
    found.add(error.stack ?? String(error))
  }
  for (const service of services) {
    await service.stop()
    for (const error of service.errors) found.add(`logged: ${error}`)
  }
  for (const sentence of await broken(store)) found.add(sentence)
  for (const sentence of await leaks(
    store,
    services.flatMap(service => service.lines),
  ))
    found.add(sentence)
  await store.remove()
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${found.size === 0 ? 'ok      ' : 'VIOLATED'} ${engine.padEnd(8)} ${trial.name}: ${line} (${seconds} s)`)
  for (const sentence of [...found].slice(0, 8)) console.log(`         ${sentence}`)
  if (found.size > 0) {
    violations += 1
    failures.push(`${engine} ${trial.name}: ${[...found][0]}`)
  }
}

let tried = 0
for (const engine of engines)
  for (const trial of trials) {
    if ((trial.on ?? engine) !== engine || !trial.name.includes(options.only)) continue
    if (options.quick && trial.whole) continue
    await attempt(engine, trial)
    tried += 1
  }

hangUp()
postgres.stop?.()
console.log(violations === 0 ? `All ${tried} trials held.` : `${violations} of ${tried} trials were violated.`)
const counted = reportFile('torture')
if (counted)
  writeFileSync(counted, JSON.stringify({ passed: tried - violations, failed: violations, skipped: 0, failures }))
process.exitCode = violations === 0 && tried > 0 ? 0 : 1
