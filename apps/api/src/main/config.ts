import type { OidcSettings } from '../console/users/oidc.js'
import type { Connection } from '../network/connectors/connect.js'
import type { ConfiguredProvider } from '../network/providers/host.js'
import type { Routes } from '../network/providers/routing.js'
import { type CodeLimits, defaultCodeLimits } from '../people/entities/methods/sms/codes.js'
import { companyName } from '../platform/company-name.js'
import { ConfigError } from '../platform/config-error.js'
import { readConsoleOidc } from './console-oidc.js'
import { checkProduction, isLoopbackHost, readSecretFiles } from './hardening.js'
import { type MailConfig, readMailConfig } from './mail.js'
import { readProviders } from './provider-config.js'
import { readStoreConfig, type StoreConfig } from './store-config.js'
import { readChoice, readOrigin, readPort, readRateLimits, readTrustedProxies } from './variables.js'

export { ConfigError } from '../platform/config-error.js'

/** Process settings. */
export interface Config extends StoreConfig {
  environment: 'sandbox' | 'production'
  host: string
  port: number
  framePort: number
  /** Null if the console is not served. */
  consolePort: number | null
  opsHost: string
  opsPort: number
  /** The public origin, or null to derive it from the port once the port is known. */
  apiOrigin: string | null
  frameOrigin: string | null
  consoleOrigin: string | null
  /** True if secret keys and one-time links may sign in to the console. */
  consoleKeySignIn: boolean
  /** The OpenID provider that signs users in to the console, or null. */
  consoleOidc: OidcSettings | null
  bootstrapKey: string | null
  role: 'all' | 'api' | 'worker'
  /** The providers in this process, in the order of `PROVIDERS`. */
  providers: ConfiguredProvider[]
  /** The provider of each method: `sandbox`, `connector` or the name of a provider in this process. */
  routes: Routes
  /** Null if no method uses a connector. */
  connector: Connection | null
  /** True if webhooks may call this machine. Intended for development. */
  outboundLoopback: boolean
  /** Addresses and address ranges of the proxies in front of the listeners. */
  trustedProxies: string[]
  /** The origins at which carriers identify phones. The first label of an origin may be `*`. */
  silentOrigins: string[]
  /** Multiplies the contract's rate limits. 0 disables them. */
  rateLimits: number
  /** Limits on the number of codes sent. */
  codeLimits: CodeLimits
  /** The URI for reporting vulnerabilities, or null. */
  securityContact: string | null
  /** The name of the company that runs the service, as people see it. */
  serviceName: string
  /** The server that sends email, or null. */
  mail: MailConfig | null
}

function readSecurityContact(env: NodeJS.ProcessEnv): string | null {
  const text = env['SECURITY_CONTACT']?.trim()
  if (!text) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^(https|mailto|tel):$/.test(url.protocol) || /\s/.test(text))
    throw new ConfigError(
      'SECURITY_CONTACT must be one URI that starts with https:, mailto: or tel:, such as mailto:security@example.com.',
    )
  return url.href
}

function readServiceName(env: NodeJS.ProcessEnv): string {
  const name = companyName(env['SERVICE_NAME']?.trim() || 'Causeway', 40)
  if (name === null)
    throw new ConfigError(
      'SERVICE_NAME must be 1 to 40 characters, such as Example Data Services. It must contain a letter or digit, and no control, invisible or bidirectional characters.',
    )
  return name
}

/** Reads the carriers' origins, which are copied unchanged into every frame's content security policy. */
function readSilentOrigins(env: NodeJS.ProcessEnv): string[] {
  const list = (env['SILENT_ORIGINS'] ?? '').split(',').flatMap(each => each.trim() || [])
  const invalid = list.find(each => !/^https:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?$/.test(each))
  if (invalid !== undefined)
    throw new ConfigError(
      `SILENT_ORIGINS contains “${invalid}”. It must be a comma-separated list of https origins, such as https://sna.example.com,https://*.carrier.example.`,
    )
  return list
}

function readCodeLimits(env: NodeJS.ProcessEnv, { typed, supplied, address, day }: CodeLimits): CodeLimits {
  const read = (name: string, fallback: number) => {
    const text = env[name] || String(fallback)
    if (!/^[1-9]\d{0,5}$/.test(text)) throw new ConfigError(`${name} must be a number of codes from 1 to 999999.`)
    return Number(text)
  }
  return {
    typed: read('CODES_PER_TYPED_NUMBER', typed),
    supplied: read('CODES_PER_SUPPLIED_NUMBER', supplied),
    address: read('CODES_PER_ADDRESS', address),
    day: read('CODES_PER_DAY', day),
  }
}

const isLoopback = (url: string) => isLoopbackHost(new URL(url).hostname)

/**
 * Reads the environment, and creates the sandbox's encryption key if it does not exist. Throws ConfigError.
 * @param options with `makeKey: false`, nothing is created, so a missing key is an error
 */
export function readConfig(rawEnv: NodeJS.ProcessEnv, folder = process.cwd(), { makeKey = true } = {}): Config {
  const env = readSecretFiles(rawEnv, folder)
  const apiOrigin = readOrigin(env, 'API_ORIGIN')
  const frameOrigin = readOrigin(env, 'FRAME_ORIGIN')
  const consoleOrigin = readOrigin(env, 'CONSOLE_ORIGIN')
  for (const [name, value] of [
    ['API_ORIGIN', apiOrigin],
    ['FRAME_ORIGIN', frameOrigin],
  ] as const)
    if (!env['ENVIRONMENT'] && value !== null && (value.startsWith('https:') || !isLoopback(value)))
      throw new ConfigError(`${name} is not a loopback address, so ENVIRONMENT must be set: sandbox or production.`)
  const environment = readChoice(env, 'ENVIRONMENT', ['sandbox', 'production'], 'sandbox')
  if (environment === 'production') {
    for (const [name, value] of [
      ['API_ORIGIN', apiOrigin],
      ['FRAME_ORIGIN', frameOrigin],
    ] as const)
      if (!value?.startsWith('https:')) throw new ConfigError(`${name} must be an https origin in production.`)
  }
  if (frameOrigin?.startsWith('http:') && !isLoopback(frameOrigin))
    throw new ConfigError(
      "FRAME_ORIGIN must use https or be on this machine, because browsers don't run elements from other hosts over http. See docs/guides/phone.md.",
    )
  if (environment === 'production' && env['OUTBOUND_LOOPBACK'] === 'allow')
    throw new ConfigError(
      'OUTBOUND_LOOPBACK=allow is for the sandbox only. In production, the service never calls this machine.',
    )
  const consolePort = env['CONSOLE_PORT'] ? readPort(env, 'CONSOLE_PORT', 0) : null
  if (environment === 'production' && consolePort !== null && !consoleOrigin?.startsWith('https:'))
    throw new ConfigError('CONSOLE_ORIGIN must be an https origin if CONSOLE_PORT is set in production.')
  if (consoleOrigin !== null && [apiOrigin, frameOrigin].includes(consoleOrigin))
    throw new ConfigError('CONSOLE_ORIGIN must differ from API_ORIGIN and FRAME_ORIGIN.')
  const hostOf = (url: string | null) => url && new URL(url).hostname
  if (environment === 'production' && consoleOrigin !== null)
    for (const [name, value] of [
      ['API_ORIGIN', apiOrigin],
      ['FRAME_ORIGIN', frameOrigin],
    ] as const)
      if (hostOf(value) === hostOf(consoleOrigin))
        throw new ConfigError(
          `CONSOLE_ORIGIN and ${name} must have different hosts in production, because browsers send the console's cookie to every port of its host.`,
        )
  if (consoleOrigin?.startsWith('http:') && !isLoopback(consoleOrigin))
    throw new ConfigError(
      'CONSOLE_ORIGIN must use https or be on this machine, because users send it a secret key when they sign in.',
    )
  if (apiOrigin !== null && apiOrigin === frameOrigin)
    throw new ConfigError('API_ORIGIN and FRAME_ORIGIN must differ, because the frame requires its own origin.')
  const bootstrapKey = env['BOOTSTRAP_SECRET_KEY'] || null
  if (bootstrapKey !== null && !/^sk_[0-9A-Za-z]{20,}$/.test(bootstrapKey))
    throw new ConfigError('BOOTSTRAP_SECRET_KEY must be sk_ followed by at least 20 letters or digits.')
  const store = readStoreConfig(env, { environment, folder, file: 'data/causeway.db', makeKey })
  const providers = readProviders(env, folder, environment)
  const config: Config = {
    environment,
    host: env['HOST'] || '127.0.0.1',
    port: readPort(env, 'PORT', 4000),
    framePort: readPort(env, 'FRAME_PORT', 4100),
    consolePort,
    opsHost: env['OPS_HOST'] || '127.0.0.1',
    opsPort: readPort(env, 'OPS_PORT', 4200),
    apiOrigin,
    frameOrigin,
    consoleOrigin,
    consoleKeySignIn:
      readChoice(env, 'CONSOLE_KEY_SIGN_IN', ['refuse', 'allow'], environment === 'sandbox' ? 'allow' : 'refuse') ===
      'allow',
    consoleOidc: readConsoleOidc(env, environment),
    ...store,
    bootstrapKey,
    role: readChoice(env, 'ROLE', ['all', 'api', 'worker'], 'all'),
    ...providers,
    outboundLoopback: readChoice(env, 'OUTBOUND_LOOPBACK', ['refuse', 'allow'], 'refuse') === 'allow',
    trustedProxies: readTrustedProxies(env),
    silentOrigins: readSilentOrigins(env),
    rateLimits: readRateLimits(env, environment === 'sandbox' ? 100 : 1),
    codeLimits: readCodeLimits(env, defaultCodeLimits(environment)),
    securityContact: readSecurityContact(env),
    serviceName: readServiceName(env),
    mail: readMailConfig(env),
  }
  readChoice(env, 'OPS_EXPOSED', ['refuse', 'allow'], 'refuse')
  if (environment === 'production') checkProduction(env, config)
  return config
}
