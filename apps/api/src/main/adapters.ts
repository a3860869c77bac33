import { setTimeout as sleep } from 'node:timers/promises'
import type { ProviderUsage } from '../network/ports.js'
import { type OpenedProviders, openProviders } from '../network/providers/open.js'
import type { Vault } from '../platform/crypto/vault.js'
import type { Store } from '../platform/db/store.js'
import type { Log } from '../platform/log.js'
import type { Metrics } from '../platform/metrics.js'
import { createSandbox } from '../sandbox/sandbox.js'
import { carrier } from '../sandbox/tables/inputs.js'
import type { Config } from './config.js'

export const wait = (ms: number): Promise<void> => sleep(ms)

/**
 * Returns the origins that the frame may call from a handset: the carrier origins that the operator configured, plus
 * the sandbox's own origin if the sandbox identifies phones.
 */
export const silentOriginsOf = ({ routes, silentOrigins }: Pick<Config, 'routes' | 'silentOrigins'>): string[] =>
  routes.get('identity/begin_sna') === 'sandbox' ? [...silentOrigins, carrier] : silentOrigins

interface OpenPortsDeps {
  store: Store
  vault: Vault
  log: Log
  metrics: Metrics
  providerUsage: ProviderUsage
}

/** Creates the ports with the providers that the operator configured. */
export const openPorts = (
  { routes, providers, connector }: Pick<Config, 'routes' | 'providers' | 'connector'>,
  deps: OpenPortsDeps,
): Promise<OpenedProviders> =>
  openProviders(
    { routes, providers, connector, sandbox: createSandbox({ sleep: wait }) },
    { ...deps, clock: Date.now, sleep: wait, fetch },
  )
