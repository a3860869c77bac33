import { startPostgres } from '../test/postgres.mjs'
import { createCluster } from './ha/cluster.mjs'
import { broken } from './invariants.mjs'
import { leaks } from './leaks.mjs'
import { start } from './service.mjs'
import { createStore } from './store.mjs'

/**
 * Runs a fault test on a new store, and then checks the invariants of the store and the lines that the services wrote.
 * Returns the fault test's own line, the violations that were found, and the duration in seconds. The line of a fault
 * test that this machine can't run begins with `skipped`.
 * @param size 0 for the quick form, 1 for the full form
 */
export async function runTrial(trial, { engine, server, ha, size, atOnce }) {
  const began = performance.now()
  const own = trial.own ? await startPostgres() : null
  if (own?.missing) return { line: `skipped, ${own.missing}`, found: [], seconds: '0.0' }
  const at = own?.url ?? server.url
  const store = ha ? await createCluster(server.root, trial) : await createStore(engine, at)
  if (own) store.restart = own.restart
  const found = new Set()
  const services = []
  const launch = async (env, program) => {
    const service = await start(store, env, program)
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
      atOnce,
      launch,
      another: () => createStore(engine, at),
      expect: (holds, sentence) => holds || found.add(sentence),
      async rounds(work) {
        const until = performance.now() + trial.seconds[size] * 1000
        for (let round = 0; round < trial.rounds[size] && performance.now() < until; round += 1) await work(round)
      },
    })
  } catch (error) {
    found.add(error.stack ?? String(error))
  }
  try {
    await checkAfterwards(store, services, found)
  } catch (error) {
    // For example, the store has no tables if no service was started.
    found.add(error.stack ?? String(error))
  }
  await store.remove()
  own?.stop()
  return { line, found: [...found], seconds: ((performance.now() - began) / 1000).toFixed(1) }
}

/** Stops the services, and adds to `found` what is wrong with the store or with the lines that the services wrote. */
async function checkAfterwards(store, services, found) {
  for (const service of services) {
    await service.stop()
    for (const error of service.errors) found.add(`logged: ${error}`)
  }
  const lines = services.flatMap(service => service.lines)
  for (const sentence of [...(await broken(store)), ...(await leaks(store, lines))]) found.add(sentence)
}
