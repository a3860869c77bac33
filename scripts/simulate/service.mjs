/** Processes of the service, which can be killed at any statement and are started again. */
import { Killed, LONG_PAUSE_MS } from './world.mjs'

export const SECRET_KEY = 'sk_simulatedSimulatedSimulated'
const ORIGINS = { api: 'https://api.causeway.example', frame: 'https://frame.causeway.example' }
const origins = ORIGINS

/** The time, in ms, after which a process that did not finish its orderly stop is killed, as an operator does. */
const STOP_LIMIT_MS = 30_000

/**
 * Starts the service in the current actor, as `main/run.ts` does, but without sockets.
 * @param outside `{ fetch, outbound }`, with which the service reaches companies and customers
 */
async function startApp(product, { env, log, outside, role }) {
  const config = product.readConfig(env, '/', { makeKey: false })
  const wait = ms => new Promise(resolve => setTimeout(resolve, ms))
  const store = await product.openStore(config.databaseUrl)
  const vault = product.createVault(config.masterKey)
  await product.rejectConnectorStore(store)
  await product.checkStore(store, vault, config.environment)
  const keys = await product.loadKeys(store, vault, config.masterKey)
  const metrics = product.createMetrics()
  const providerUsage = product.createProviderUsage({ store, log, clock: store.clock })
  const { routes, providers, connector } = config
  const opened = await product.openProviders(
    { routes, providers, connector, sandbox: product.createSandbox({ sleep: wait }) },
    { store, vault, log, metrics, providerUsage, clock: Date.now, sleep: wait, fetch: outside.fetch },
  )
  const app = product.createApp({
    environment: config.environment,
    apiOrigin: origins.api,
    frameOrigin: origins.frame,
    serviceName: config.serviceName,
    silentOrigins: config.silentOrigins,
    store,
    vault,
    keys,
    clock: store.clock,
    log,
    metrics,
    ports: opened.ports,
    statements: opened.statements,
    providerUsage,
    connections: () => product.describeConnections(config, opened.servedRoutes()),
    capabilities: opened.capabilities,
    providers: config.providers,
    hookFetch: outside.fetch,
    payRoutes: opened.payRoutes,
    railProvider: routes.get('rail/submit') ?? null,
    pushes: connector ? { keys: connector.keys, clock: store.clock } : undefined,
    outbound: outside.outbound,
    reach: () => {},
    sleep: wait,
    rateLimits: config.rateLimits,
    codeLimits: config.codeLimits,
    securityContact: null,
    trustedProxies: [],
    assets: product.noAssets,
  })
  await product.createFirstTeam(store, vault, config.bootstrapKey, store.clock(), () => {})
  const stops = [() => app.deps.jobs.stop()]
  if (role !== 'api') await app.deps.jobs.start()
  if (role !== 'worker') stops.push(app.deps.requests.start())
  stops.push(providerUsage.start(), async () => opened.stop())
  if (role !== 'api') {
    stops.push(product.startSweep(app.deps))
    stops.push(product.watchStatements(app.deps))
    const ledger = product.watchLedger(app.deps)
    stops.push(() => ledger.stop())
  }
  return {
    app,
    async stop() {
      for (const stop of stops) await stop()
      await store.close()
    },
  }
}

/**
 * Creates the processes. Each keeps running until it is killed or stopped, and is then started again.
 * @param roles the role of each process
 */
export function createService({ world, product, faults, random, timeline, env, outside, roles, onLog }) {
  const processes = []
  let store
  const counts = { kills: 0, starts: 0, stops: 0, failedStarts: 0 }

  function createProcess(number, role) {
    const name = `process ${number}`
    const slot = { name, role, clock: { offset: 0, drift: 0 }, process: undefined }

    function start() {
      const actor = Object.assign(world.createActor(name), {
        databases: new Set(),
        app: undefined,
        waiting: new Set(),
        clockOffset: time => slot.clock.offset + time * slot.clock.drift,
        kill(where) {
          if (!actor.isAlive) return
          timeline.note(name, `killed ${where}`)
          counts.kills += 1
          end(actor)
          restart(random.chance(0.2) ? random.whole(5_000, 40_000) : random.whole(100, 3_000))
        },
      })
      slot.process = actor
      counts.starts += 1
      world.schedule(actor, 0, async () => {
        const log = product.createLog(line => {
          if (actor.isAlive) onLog(line, name)
        }, Date.now)
        try {
          const running = await startApp(product, { env, log, outside: outside(actor), role })
          if (!actor.isAlive) return
          Object.assign(actor, running)
          timeline.note(name, 'is ready')
        } catch (error) {
          if (!actor.isAlive || error instanceof Killed) return
          counts.failedStarts += 1
          timeline.note(name, `did not start: ${error.message}`)
          end(actor)
          restart(1_000)
        }
      })
    }

    /** Ends a process: its transactions are rolled back, and its clients lose their connections. */
    function end(actor) {
      actor.isAlive = false
      actor.app = undefined
      for (const database of actor.databases) {
        store.release(database)
        database.abandon()
      }
      for (const lose of actor.waiting) lose()
      actor.waiting.clear()
    }

    const restart = delayMs => world.schedule(world.outside, delayMs, start)

    slot.stop = () => {
      const actor = slot.process
      if (!actor?.app) return
      counts.stops += 1
      timeline.note(name, 'is asked to stop')
      actor.app = undefined
      world.schedule(actor, 0, () =>
        actor.stop().then(
          () => {
            if (!actor.isAlive) return
            timeline.note(name, 'stopped')
            end(actor)
            restart(random.whole(100, 2_000))
          },
          error => timeline.note(name, `did not stop: ${error.message}`),
        ),
      )
      world.schedule(world.outside, STOP_LIMIT_MS, () => actor.kill('because its stop took too long'))
    }
    slot.start = start
    return slot
  }

  return {
    processes,
    counts,
    /** Starts the processes. @param simulated the simulated store */
    start(simulated) {
      store = simulated
      for (const [index, role] of roles.entries()) processes.push(createProcess(index + 1, role))
      for (const each of processes) each.start()
    },
    /** The processes that answer requests now. */
    ready: () => processes.filter(({ role, process }) => role !== 'worker' && process?.app).map(each => each.process),
    countAlive: () => processes.filter(({ process }) => process?.isAlive).length,
    /** Stops all processes in order. Each starts again. */
    restart() {
      for (const slot of processes) slot.stop()
    },
    isReady: () => processes.every(({ process }) => process?.app),
    /** Makes the faults that happen to whole processes. Runs once a virtual second. */
    disturb() {
      for (const slot of processes) {
        const { name, process } = slot
        if (faults.hit('pause a process', name)) {
          const ms = random.chance(0.3) ? random.whole(...LONG_PAUSE_MS) : random.whole(50, 5_000)
          if (process?.isAlive) world.pause(process, ms)
        }
        if (faults.hit('stop a process in order', name)) slot.stop()
      }
      if (faults.hit('change a clock', 'clocks')) {
        // Processes that share a store also share its clock, as they do on PostgreSQL. Connectors reject a difference of
        // more than 60 seconds.
        const offset = random.chance(0.5) ? 0 : random.whole(-20_000, 50_000)
        const drift = random.pick([0, 0, 1e-4, -1e-4])
        for (const { clock } of processes) Object.assign(clock, { offset, drift })
      }
    },
  }
}
