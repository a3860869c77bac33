import { sendPush } from '../../network/connectors/pushes.js'
import { createConnectorExchange } from '../../network/providers/connector-exchange.js'
import { createOutbox } from '../../network/providers/outbox.js'
import { createProviderUsage } from '../../network/providers/usage.js'
import { createVault, type Vault } from '../../platform/crypto/vault.js'
import { openStore, type Store } from '../../platform/db/store.js'
import { createLimits } from '../../platform/http/limits/limits.js'
import { createAddressOf } from '../../platform/http/request/address.js'
import { startSweep } from '../../platform/jobs/sweep.js'
import type { Log } from '../../platform/log.js'
import { createMetrics, watchProcess } from '../../platform/metrics.js'
import { addForeignTeam } from '../../team/teams/store.js'
import { checkStore, claimForConnector } from '../boot.js'
import { closeListener, listen, portOf } from '../listeners/listen.js'
import { createOps } from '../listeners/ops.js'
import { hostInUrl } from '../listeners/own-hosts.js'
import { createConnectorApp } from './app.js'
import type { ConnectorConfig } from './config.js'

export interface RunningConnector {
  url: string
  ops_origin: string
  /** Stops accepting calls, waits for running ones, and closes the store. */
  stop(): Promise<void>
}

/** The number of teams whose rows this process remembers. */
const MAX_TEAMS = 10_000

/** Creates the function that makes sure that a team has a row. */
export function createTeamAdder(store: Store, vault: Vault): (id: string) => Promise<void> {
  const added = new Set<string>()
  return async id => {
    // Calls that concern no team, such as those for tables, name none.
    if (id === '' || added.has(id)) return
    await store.write(tx => addForeignTeam(tx, vault, id, store.clock()))
    if (added.size >= MAX_TEAMS) added.clear()
    added.add(id)
  }
}

/** Serves providers behind the connector contract, with a store of their own. */
export async function runConnector(config: ConnectorConfig, log: Log): Promise<RunningConnector> {
  const { pool, prepared, statementTimeout: timeout } = config
  const store = await openStore(config.databaseUrl, { pool, prepared, timeout })
  try {
    const vault = createVault(config.masterKey)
    await claimForConnector(store)
    await checkStore(store, vault, config.environment)
    const { clock } = store
    const metrics = createMetrics()
    watchProcess(metrics)
    const providerUsage = createProviderUsage({ store, log, clock })
    const { keys, apiOrigin } = config
    const outbox = createOutbox({
      ...{ store, clock, log },
      send: push => sendPush({ url: apiOrigin, keys, fetch, clock }, push),
    })
    const exchange = createConnectorExchange(config, {
      ...{ store, vault, log, metrics, providerUsage, clock, fetch },
      addTeam: createTeamAdder(store, vault),
    })
    const app = createConnectorApp({
      ...{ store, clock, log, metrics, providerUsage, keys, exchange, outbox },
      providers: config.providers,
      addressOf: createAddressOf(config.trustedProxies),
      limits: createLimits(clock, config.rateLimits, subject => vault.hash('limit requests', subject)),
    })
    let isReady = false
    const ops = await listen(
      createOps({ store, clock, log, metrics, admission: null }, () => isReady),
      config.opsHost,
      config.opsPort,
      { log, metrics, isHostOptional: true },
    )
    const listener = await listen((request, env) => app.fetch(request, env), config.host, config.port, { log, metrics })
    const stopSweep = startSweep({ store, clock, log })
    outbox.start()
    const stopUsage = providerUsage.start()
    isReady = true
    return {
      url: `http://${hostInUrl(config.host)}:${portOf(listener)}`,
      ops_origin: `http://${hostInUrl(config.opsHost)}:${portOf(ops)}`,
      async stop() {
        isReady = false
        await closeListener(listener)
        await outbox.stop()
        await stopSweep()
        await stopUsage()
        await closeListener(ops)
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
