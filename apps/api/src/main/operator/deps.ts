import { noAssets } from '../../flow/frame/assets.js'
import { createProviderUsage } from '../../network/providers/usage.js'
import { createVault } from '../../platform/crypto/vault.js'
import type { Store } from '../../platform/db/store.js'
import { createMetrics } from '../../platform/metrics.js'
import { createOutbound } from '../../platform/outbound/outbound.js'
import type { Deps } from '../../platform/scope.js'
import { openPorts } from '../adapters.js'
import { createApp } from '../app.js'
import { loadKeys } from '../boot.js'
import type { Config } from '../config.js'

/** Creates the service's dependencies for commands that read its data. Starts nothing. */
export async function createCommandDeps(store: Store, config: Config, now: number): Promise<Deps> {
  const vault = createVault(config.masterKey)
  // Commands may call only one of the operator's services, the rail, because only the rail can report the payments that
  // it received.
  const routes = new Map([...config.routes].map(([path, name]) => [path, path.startsWith('rail/') ? name : 'sandbox']))
  const metrics = createMetrics()
  const log = () => {}
  const providerUsage = createProviderUsage({ store, log, clock: () => now })
  const { ports, statements, capabilities } = await openPorts(
    { ...config, routes },
    { store, vault, log, metrics, providerUsage },
  )
  return createApp({
    metrics,
    environment: config.environment,
    railProvider: config.routes.get('rail/submit') ?? null,
    apiOrigin: config.apiOrigin ?? '',
    frameOrigin: config.frameOrigin ?? '',
    serviceName: config.serviceName,
    silentOrigins: [],
    store,
    vault,
    keys: await loadKeys(store, vault, config.masterKey),
    clock: () => now,
    log,
    ports,
    providerUsage,
    connections: () => [],
    statements,
    capabilities,
    mail: null,
    reach: () => {},
    sleep: async () => {},
    outbound: createOutbound({ loopback: false, ownPorts: () => [] }),
    assets: noAssets,
    rateLimits: 0,
    codeLimits: config.codeLimits,
    trustedProxies: [],
  }).deps
}
