import type { Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createConsole } from '../console/app.js'
import { loadConsole } from '../console/assets.js'
import { createLiveRows } from '../console/live/live-rows.js'
import { createOidc } from '../console/users/oidc.js'
import { loadAssets } from '../flow/frame/assets.js'
import { type LedgerWatch, watchLedger } from '../money/ledger/periodic-check.js'
import { watchStatements } from '../money/reconciliation/schedule.js'
import { describeConnections } from '../network/providers/connections.js'
import { createProviderUsage } from '../network/providers/usage.js'
import { createVault } from '../platform/crypto/vault.js'
import { openStore } from '../platform/db/store.js'
import { shareLimits } from '../platform/http/limits/shared-limits.js'
import { answerRejected } from '../platform/http/pipeline/parse-errors.js'
import { startSweep } from '../platform/jobs/sweep.js'
import type { Log } from '../platform/log.js'
import { createMetrics, watchProcess } from '../platform/metrics.js'
import { createOutbound } from '../platform/outbound/outbound.js'
import { openPorts, silentOriginsOf, wait } from './adapters.js'
import { createApp } from './app.js'
import { checkStore, createFirstTeam, loadKeys, rejectConnectorStore } from './boot.js'
import type { Config } from './config.js'
import { closeListener, type Fetch, listen, portOf } from './listeners/listen.js'
import { createOps } from './listeners/ops.js'
import { hostInBrowserUrl, hostInUrl } from './listeners/own-hosts.js'
import { createMail } from './mail.js'

export interface Service {
  origins: { api_origin: string; frame_origin: string; ops_origin: string; console_origin?: string }
  /** Stops accepting requests, waits for running requests and jobs, and closes the store. */
  stop(): Promise<void>
}

/** The repository's root folder. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Starts the whole service: the store, the listeners and the jobs. */
export async function run(
  config: Config,
  log: Log,
  saveKey: (value: string) => void,
  reach: (point: string) => void = () => {},
): Promise<Service> {
  // In production, the operator migrates the PostgreSQL tables before starting a new version.
  const tables = config.environment === 'sandbox' ? {} : false
  const { pool, prepared, statementTimeout: timeout, replicaUrl: replica } = config
  const store = await openStore(config.databaseUrl, { pool, prepared, timeout, replica, tables })
  try {
    const vault = createVault(config.masterKey)
    await rejectConnectorStore(store)
    await checkStore(store, vault, config.environment)
    const keys = await loadKeys(store, vault, config.masterKey)
    const servesRequests = config.role !== 'worker'
    const listeners: Server[] = []
    const handlers: { api?: Fetch; frame?: Fetch; console?: Fetch } = {}
    const metrics = createMetrics()
    watchProcess(metrics)
    if (servesRequests) {
      const addListener = async (name: keyof typeof handlers, port: number, origin: string | null | undefined) => {
        const options = { log, metrics, origin: origin ?? '' }
        const answerStarting = (request: Request) =>
          answerRejected(options, 503, 'The service is starting. Retry the request.', request)
        listeners.push(
          await listen((request, env) => (handlers[name] ?? answerStarting)(request, env), config.host, port, options),
        )
      }
      await addListener('api', config.port, config.apiOrigin)
      await addListener('frame', config.framePort, config.frameOrigin)
      if (config.consolePort !== null) await addListener('console', config.consolePort, config.consoleOrigin)
    }
    const [api, frame, consoleListener] = listeners
    const apiOrigin = config.apiOrigin ?? `http://${hostInUrl(config.host)}:${api ? portOf(api) : config.port}`
    const frameOrigin =
      config.frameOrigin ?? `http://${hostInBrowserUrl(config.host)}:${frame ? portOf(frame) : config.framePort}`
    const consoleOrigin =
      consoleListener && (config.consoleOrigin ?? `http://${hostInBrowserUrl(config.host)}:${portOf(consoleListener)}`)
    // Reads the ports now, because jobs keep running for a moment after the listeners close, and a closed listener no
    // longer reports its port.
    const ownPorts = listeners.map(portOf)
    const providerUsage = createProviderUsage({ store, log, clock: store.clock })
    const opened = await openPorts(config, { store, vault, log, metrics, providerUsage })
    const app = createApp({
      environment: config.environment,
      apiOrigin,
      frameOrigin,
      serviceName: config.serviceName,
      silentOrigins: silentOriginsOf(config),
      store,
      vault,
      keys,
      clock: store.clock,
      log,
      metrics,
      ports: opened.ports,
      statements: opened.statements,
      providerUsage,
      connections: () => describeConnections(config, opened.servedRoutes()),
      capabilities: opened.capabilities,
      providers: config.providers,
      payRoutes: opened.payRoutes,
      railProvider: config.routes.get('rail/submit') ?? null,
      pushes: config.connector ? { keys: config.connector.keys, clock: store.clock } : undefined,
      mail: config.mail && createMail(config.mail),
      outbound: createOutbound({ loopback: config.outboundLoopback, ownPorts: () => ownPorts }),
      reach,
      sleep: wait,
      rateLimits: config.rateLimits,
      codeLimits: config.codeLimits,
      securityContact: config.securityContact,
      trustedProxies: config.trustedProxies,
      assets: loadAssets(root),
    })
    let isReady = false
    let ledger: LedgerWatch | undefined
    const ops = await listen(
      createOps(app.deps, () => isReady && opened.tables.ready(), { last: () => ledger?.last() ?? null }),
      config.opsHost,
      config.opsPort,
      { log, metrics, isHostOptional: true },
    )
    ownPorts.push(portOf(ops))
    // Runs last, so that a failed start never creates a team whose key was not printed.
    await createFirstTeam(store, vault, config.bootstrapKey, store.clock(), saveKey)
    if (config.role !== 'api') await app.deps.jobs.start()
    const stopLog = servesRequests ? app.deps.requests.start() : async () => {}
    const stopUsage = providerUsage.start()
    const stopSharing = servesRequests && store.engine === 'postgres' ? shareLimits(app.deps) : async () => {}
    const stopSweep = config.role === 'api' ? async () => {} : startSweep(app.deps)
    if (config.role !== 'api') ledger = watchLedger(app.deps)
    const stopStatements = config.role === 'api' ? async () => {} : watchStatements(app.deps)
    const live = createLiveRows(app.deps)
    handlers.api = (request, env) => app.api.fetch(request, env)
    handlers.frame = (request, env) => app.frame.fetch(request, env)
    if (consoleOrigin) {
      const { deps, api } = app
      const options = {
        deps,
        origin: consoleOrigin,
        allowsKeys: config.consoleKeySignIn,
        oidc: config.consoleOidc && createOidc(config.consoleOidc, consoleOrigin, store.clock),
        live,
        ...loadConsole(root),
      }
      const consoleApp = createConsole({
        ...options,
        api: (request, user) => api.fetch(request, { user }),
      })
      handlers.console = (request, env) => consoleApp.fetch(request, env)
    }
    isReady = true
    return {
      origins: {
        api_origin: apiOrigin,
        frame_origin: frameOrigin,
        ...(consoleOrigin && { console_origin: consoleOrigin }),
        ops_origin: `http://${hostInUrl(config.opsHost)}:${portOf(ops)}`,
      },
      async stop() {
        isReady = false
        live.stop()
        await Promise.all(listeners.map(closeListener))
        await app.deps.jobs.stop()
        await stopLog()
        await stopUsage()
        opened.stop()
        await stopSweep()
        await stopSharing()
        await stopStatements()
        await ledger?.stop()
        await closeListener(ops)
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
