import type { SharedKeys } from '@causeway/connector/http/signature'
import type { Provider } from '@causeway/connector/provider/provider'
import { providers as declared } from '@causeway/providers/index'
import type { ConfiguredProvider } from '../../network/providers/host.js'
import type { Routes } from '../../network/providers/routing.js'
import { ConfigError } from '../../platform/config-error.js'
import { checkProduction, isLoopbackHost, readSecretFiles } from '../hardening.js'
import { readProviders } from '../provider-config.js'
import { readStoreConfig, type StoreConfig } from '../store-config.js'
import { readChoice, readConnectorKey, readOrigin, readPort, readRateLimits, readTrustedProxies } from '../variables.js'

/** The settings of a process that serves providers behind the connector contract. */
export interface ConnectorConfig extends StoreConfig {
  environment: 'sandbox' | 'production'
  host: string
  port: number
  opsHost: string
  opsPort: number
  /** The origin of the service's API, which receives the pushes. */
  apiOrigin: string
  keys: SharedKeys
  providers: ConfiguredProvider[]
  routes: Routes
  trustedProxies: string[]
  rateLimits: number
}

interface ConnectorConfigOptions {
  /** Every provider that this version has, by name. */
  available?: Readonly<Record<string, Provider>>
  /** False to create nothing, so that a missing key is an error. */
  makeKey?: boolean
}

/** Reads the environment, and creates the sandbox's encryption key if it does not exist. Throws ConfigError. */
export function readConnectorConfig(
  rawEnv: NodeJS.ProcessEnv,
  folder = process.cwd(),
  { available = declared, makeKey = true }: ConnectorConfigOptions = {},
): ConnectorConfig {
  const env = readSecretFiles(rawEnv, folder)
  const environment = readChoice(env, 'ENVIRONMENT', ['sandbox', 'production'], 'sandbox')
  const isProduction = environment === 'production'
  const names = (env['PROVIDERS'] ?? '').split(',').map(each => each.trim())
  for (const name of names)
    if (!Object.hasOwn(available, name))
      throw new ConfigError(
        `PROVIDERS contains “${name.slice(0, 40)}”. A connector serves some of: ${Object.keys(available).join(', ')}.`,
      )
  const apiOrigin = readOrigin(env, 'API_ORIGIN') ?? (isProduction ? null : 'http://127.0.0.1:4000')
  if (apiOrigin === null || (isProduction && !apiOrigin.startsWith('https:') && !isLocal(apiOrigin)))
    throw new ConfigError(
      "API_ORIGIN must be the origin of the service's API in production, with https unless it is on this machine.",
    )
  const { providers, routes } = readProviders(env, folder, environment, available)
  const config: ConnectorConfig = {
    environment,
    host: env['HOST'] || '127.0.0.1',
    port: readPort(env, 'PORT', 4600),
    opsHost: env['OPS_HOST'] || '127.0.0.1',
    opsPort: readPort(env, 'OPS_PORT', 4601),
    apiOrigin,
    keys: readConnectorKey(env, 'the service'),
    providers,
    routes,
    trustedProxies: readTrustedProxies(env),
    rateLimits: readRateLimits(env, isProduction ? 1 : 100),
    // Last, because it may create a key.
    ...readStoreConfig(env, { environment, folder, file: 'data/connector/connector.db', makeKey }),
  }
  if (isProduction) checkProduction(env, { ...config, connector: config, bootstrapKey: null })
  return config
}

const isLocal = (origin: string) => isLoopbackHost(new URL(origin).hostname)
