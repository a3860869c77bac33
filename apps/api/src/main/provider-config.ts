/** Reads which provider serves each method, and the providers' settings. */
import { endpointsByPath, portNames } from '@causeway/connector/methods/contract'
import type { Provider } from '@causeway/connector/provider/provider'
import { readSettings } from '@causeway/connector/provider/settings'
import { providers as declared } from '@causeway/providers/index'
import type { Connection } from '../network/connectors/connect.js'
import type { ConfiguredProvider } from '../network/providers/host.js'
import { type Routes, routeMethods } from '../network/providers/routing.js'
import { ConfigError } from '../platform/config-error.js'
import { isLoopbackHost, readSecretFiles } from './hardening.js'
import { readConnectorKey } from './variables.js'

interface ProviderConfig {
  providers: ConfiguredProvider[]
  routes: Routes
  connector: Connection | null
}

const ADAPTERS = portNames.map(port => ({ port, variable: `${port.toUpperCase()}_ADAPTER` }))

/**
 * Reads `PROVIDERS` and `PROVIDE` or, if they are not set, the older variables of each port. Throws ConfigError.
 * @param folder the folder that relative paths in `_FILE` variables start from
 * @param available every provider that this version has, by name
 */
export function readProviders(
  env: NodeJS.ProcessEnv,
  folder: string,
  environment: 'sandbox' | 'production',
  available: Readonly<Record<string, Provider>> = declared,
): ProviderConfig {
  if (!env['PROVIDERS']) return readAdapters(env, environment)
  const names = readNames(env, environment, Object.keys(available))
  const providers = names.flatMap(name => {
    const provider = available[name]
    return provider
      ? configure(provider, readSecretFiles(env, folder, Object.keys(provider.settings)), environment)
      : []
  })
  const routes = routeMethods({ names, overrides: readOverrides(env), providers })
  if ('problem' in routes) throw new ConfigError(`${routes.problem}.`)
  return { providers, routes, connector: names.includes('connector') ? readConnector(env, environment) : null }
}

function readNames(env: NodeJS.ProcessEnv, environment: string, available: readonly string[]): string[] {
  const choices = ['sandbox', 'connector', ...available]
  const set = ADAPTERS.find(({ variable }) => env[variable])
  if (set) throw new ConfigError(`${set.variable} and PROVIDERS are both set. Set only PROVIDERS.`)
  const names = (env['PROVIDERS'] ?? '').split(',').map(each => each.trim())
  for (const [index, name] of names.entries()) {
    if (!choices.includes(name))
      throw new ConfigError(`PROVIDERS contains “${name.slice(0, 40)}”. It must list some of: ${choices.join(', ')}.`)
    if (names.indexOf(name) !== index) throw new ConfigError(`PROVIDERS lists ${name} twice.`)
  }
  // mutant: no-sandbox-provider-in-production (false)
  if (names.includes('sandbox') && environment === 'production')
    throw new ConfigError('PROVIDERS must not list sandbox in production, because the sandbox moves no money.')
  if (names.includes('connector') && !env['CONNECTOR_URL'])
    throw new ConfigError('PROVIDERS lists connector, so CONNECTOR_URL, the URL of your connector, is required.')
  return names
}

/** Reads `PROVIDE`, the providers of single methods by path. */
function readOverrides(env: NodeJS.ProcessEnv): Map<string, string> {
  const overrides = new Map<string, string>()
  for (const each of (env['PROVIDE'] ?? '').split(',').flatMap(part => part.trim() || [])) {
    const [path, name, ...rest] = each.split(':')
    if (!path || !name || rest.length > 0)
      throw new ConfigError('PROVIDE must list methods and providers, such as network/deposit:increase.')
    if (overrides.has(path)) throw new ConfigError(`PROVIDE names ${path.slice(0, 60)} twice.`)
    overrides.set(path, name)
  }
  return overrides
}

/** Reads the variables of each port, which are shorthand for `PROVIDERS` with the connector and the sandbox. */
function readAdapters(env: NodeJS.ProcessEnv, environment: 'sandbox' | 'production'): ProviderConfig {
  if (env['PROVIDE']) throw new ConfigError('PROVIDE requires PROVIDERS.')
  const hasConnector = Boolean(env['CONNECTOR_URL'])
  const names = new Map<string, string>()
  for (const { port, variable } of ADAPTERS) {
    const text = env[variable] || (hasConnector ? 'http' : 'sandbox')
    if (text !== 'sandbox' && text !== 'http') throw new ConfigError(`${variable} must be one of: sandbox, http.`)
    // mutant: no-sandbox-in-production (false)
    if (text === 'sandbox' && environment === 'production')
      throw new ConfigError(
        `${variable} must be http in production, with CONNECTOR_URL, because the sandbox moves no money. To use providers in this process instead, set PROVIDERS, such as PROVIDERS=twilio,increase.`,
      )
    if (text === 'http' && !hasConnector)
      throw new ConfigError(`${variable}=http requires CONNECTOR_URL, the URL of your connector.`)
    names.set(port, text === 'http' ? 'connector' : 'sandbox')
  }
  const routes = new Map([...endpointsByPath].map(([path, { port }]) => [path, names.get(port)!]))
  return {
    providers: [],
    routes,
    connector: [...names.values()].includes('connector') ? readConnector(env, environment) : null,
  }
}

/** Reads a provider's settings. Its test system belongs to the sandbox, and its live one to production. */
function configure(provider: Provider, env: NodeJS.ProcessEnv, environment: 'sandbox' | 'production') {
  const { values: settings, faults } = readSettings(provider.settings, env)
  if (faults) throw new ConfigError(faults.map(({ message }) => message).join(' '))
  const reached = provider.environment(settings)
  // mutant: live-keys-only-in-production (false)
  if (reached !== 'any' && reached !== environment)
    throw new ConfigError(
      `ENVIRONMENT is ${environment}, but the settings of ${provider.title} reach its ${reached} system. ${environment === 'production' ? 'Set its live address and key.' : 'Set its sandbox address and key, or ENVIRONMENT=production.'}`,
    )
  return { provider, settings }
}

function readConnector(env: NodeJS.ProcessEnv, environment: 'sandbox' | 'production'): Connection {
  const text = env['CONNECTOR_URL'] ?? ''
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new ConfigError('CONNECTOR_URL must be a URL such as https://connector.example.com.')
  if (environment === 'production' && url.protocol !== 'https:' && !isLoopbackHost(url.hostname))
    throw new ConfigError('CONNECTOR_URL must be https in production, unless it is on this machine.')
  const keys = readConnectorKey(env, 'your connector')
  const timeout = env['CONNECTOR_TIMEOUT'] || '8000'
  if (!/^\d{2,6}$/.test(timeout))
    throw new ConfigError('CONNECTOR_TIMEOUT must be a number of milliseconds from 10 to 999999.')
  return { url: url.href, keys, timeout: Number(timeout) }
}
